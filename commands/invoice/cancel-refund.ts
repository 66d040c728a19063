import { cancelRefund } from '#contract/invoice-changes.ts'
import { previewOf } from '#entities/invoice-preview.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'invoice.cancel-refund',
  title: 'Cancel refund',
  aliases: ['manage overpayment', 'take refund back'],
  icon: 'cancel',
  on: invoice,
  does: cancelRefund,
  preview: (one) => previewOf(one, { paid: one.refund?.amount ?? 0, status: 'CLOSED' }),
  done: (one) => `Cancelled the refund of ${one.number}`,
  failed: () =>
    'There was a problem with the Refund request, or your Invoice Status has changed. Refresh the page and try again.',
})
