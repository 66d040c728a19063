import { deliverDeduction } from '#contract/deductions.ts'
import { afterDelivery, deductionStatuses } from '#domain/deduction.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'deduction.deliver',
  title: 'Deliver deduction file',
  aliases: ['send file', 'resend file', 'send deduction file', 'resend deduction file', 'ewa file'],
  on: deduction,
  suggestedFilter: { status: 'APPROVED' },
  does: deliverDeduction,
  preview: {
    rows: (one) =>
      statusRow(
        deduction.title(one),
        deductionStatuses,
        one.status,
        afterDelivery(one.confirmation_flow !== 'NONE' && one.employees > 0),
      ),
    warning: (one) =>
      one.confirmation_flow === 'NONE' ? null : 'The employer is asked to confirm what it withheld of each employee.',
  },
  done: (one) => `Delivered the deduction of ${one.invoice_number}`,
})
