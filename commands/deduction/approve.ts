import { approveDeduction } from '#contract/deductions.ts'
import { getInvoice } from '#contract/invoices.ts'
import { deductionStatuses, toWithhold } from '#domain/deduction.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { deduction } from '#entities/deduction.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'deduction.approve',
  title: 'Approve deduction',
  aliases: ['release deduction', 'approve invoice', 'approve ewa file'],
  on: deduction,
  suggestedFilter: { status: 'PENDING' },
  does: approveDeduction,
  keys: [{ scope: 'row', chord: 'p' }],
  facts: (one, read) => read(getInvoice, { id: one.invoice_id }),
  preview: {
    rows: (one, _, facts) => [
      ...statusRow(deduction.title(one), deductionStatuses, one.status, 'APPROVED'),
      ...previewOf(facts, { status: 'DEDUCTION_APPROVED', validated: true }),
    ],
    warning: (one) => toWithhold(one.amount),
  },
  done: (one) => `Approved the deduction of ${one.invoice_number}`,
})
