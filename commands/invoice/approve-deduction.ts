import { approveDeduction, type Deduction, getDeduction } from '#contract/deductions.ts'
import type { Invoice } from '#contract/invoices.ts'
import { deductionStatuses, toWithhold } from '#domain/deduction.ts'
import { canApproveDeduction } from '#domain/invoice.ts'
import { deduction } from '#entities/deduction.ts'
import { previewOf } from '#entities/forms/invoice-preview.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { invoice } from '#entities/invoice.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Invoice, typeof approveDeduction, Record<string, never>, Deduction>({
  id: 'invoice.approve-deduction',
  title: 'Approve deduction of invoice',
  aliases: ['approve invoice', 'release deduction'],
  on: invoice,
  suggestedFilter: { status: 'ON_DEDUCTION_FILE' },
  does: approveDeduction,
  unavailable: { rule: canApproveDeduction },
  facts: (one, read) => read(getDeduction, { id: one.deduction_id ?? 0 }),
  preview: {
    rows: (one, _, facts) => [
      ...statusRow(deduction.title(facts), deductionStatuses, facts.status, 'APPROVED'),
      ...previewOf(one, { status: 'DEDUCTION_APPROVED', validated: true }),
    ],
    warning: (one) => toWithhold(one.original_amount - one.writeoff_amount),
  },
  plan: (_, __, facts) => {
    const { id, version } = facts
    return [approveDeduction({ id }, { version })]
  },
  done: (one) => `Approved the deduction of ${one.number}`,
})
