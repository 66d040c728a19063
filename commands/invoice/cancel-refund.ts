import { cancelRefund, statusChanged } from '#contract/invoice-changes.ts'
import { waitingAmountOf } from '#domain/overpayment.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.cancel-refund',
  title: 'Cancel refund',
  aliases: ['manage overpayment', 'take refund back'],
  on: invoice,
  suggestedFilter: { status: 'REFUND_IN_PROGRESS' },
  does: cancelRefund,
  form: cancelRefund.body.omit({ version: true, amount: true }),
  preview: (one) => [
    ...previewOf(one, { paid: waitingAmountOf(one.refund), facts: { refund: one.refund?.absorbed_amount ? 'ABSORBED' : null } }),
    ...amountRow(one.number, 'pending refund', waitingAmountOf(one.refund), 0),
  ],
  done: (one) => `Cancelled the refund of ${one.number}`,
  failed: statusChanged('Refund request'),
})
