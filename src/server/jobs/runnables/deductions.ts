import { countDeductions } from '#contract/deductions.ts'
import { listed } from '#server/jobs/runnable.ts'
import { deductionList } from '#server/tables/deduction-list.ts'
import { numberOf } from '#server/tables/invoices.ts'

export const runnable = listed(countDeductions.needs, countDeductions.query, deductionList.page, (row: { invoice_id: number }) =>
  numberOf(row.invoice_id),
)
