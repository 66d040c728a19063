import type { Deduction } from '#contract/deductions.ts'
import type { InvoiceLine } from '#contract/invoices.ts'
import { amountText } from '#portal/panes/money.ts'
import { lineEmployee, linesOf } from '#portal/record/invoice-lines.tsx'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { useRows } from '#portal/record/use-rows.ts'

const columns: readonly TableColumn<InvoiceLine>[] = [
  lineEmployee,
  { title: 'To withhold', right: true, cell: (line) => amountText(line.original_amount - line.writeoff_amount) },
  { title: 'Withheld', right: true, cell: (line) => amountText(line.withheld_amount) },
]

/** The tab Employees of a deduction: what of each is to be withheld, and what was. */
export function DeductionLines({ one }: { one: Deduction }) {
  const of = useRows(linesOf, String(one.invoice_id), one.version)
  return (
    <RowTable
      label="Employees of the deduction"
      of={of}
      columns={columns}
      idOf={(line) => line.id}
      none="No employee is on this deduction."
    />
  )
}
