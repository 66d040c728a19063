import { cancelRefund, statusChanged } from '#contract/invoice-changes.ts'
import { amountRow, previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.cancel-refund',
  title: 'Cancel refund',
  aliases: ['manage overpayment', 'take refund back'],
  icon: 'cancel',
  on: invoice,
  does: cancelRefund,
  preview: (one) => [
    ...previewOf(one, { paid: one.refund?.amount ?? 0, facts: { refund: null } }),
    ...amountRow(one.number, 'refund that waits', one.refund?.amount ?? 0, 0),
  ],
  amount: (one) => one.refund?.amount ?? 0,
  done: (one) => `Cancelled the refund of ${one.number}`,
  failed: statusChanged('Refund request'),
})
