import type { Deduction } from '#contract/deductions.ts'
import type { InvoiceLine } from '#contract/invoice-lines.ts'
import { billedAmount } from '#domain/invoice-line.ts'
import { deduction } from '#entities/deduction.ts'
import type { Column } from '#portal/list/pane.ts'
import { amounts } from '#portal/nouns/columns.tsx'
import { invoiceLine, lineEmployee, linesOf } from '#portal/nouns/invoices/lines.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const columns: readonly Column<InvoiceLine>[] = [
  lineEmployee,
  amounts('to-withhold', 'To withhold', billedAmount, { keep: 3 }),
  amounts('withheld', 'Withheld', (line) => line.withheld_amount, { keep: 3 }),
]

/** The tab Employees of a deduction: the amount to withhold for each, and the amount withheld. */
export const DeductionLines = tabList<Deduction>({
  of: deduction,
  tab: 'employees',
  rows: invoiceLine,
  list: (one) => ({
    title: 'Employees of the deduction',
    many: 'employees',
    columns,
    none: 'No employee is on this deduction.',
    ...linesOf(one.invoice_id),
  }),
})
