import { type Invoice, type InvoiceLine, listInvoiceLines } from '#contract/invoices.ts'
import { employee } from '#entities/employee.ts'
import { amountText } from '#portal/panes/money.ts'
import { RowTable, type TableColumn } from '#portal/record/row-table.tsx'
import { ThingLink } from '#portal/record/thing-link.tsx'
import { type RowsOf, useRows } from '#portal/record/use-rows.ts'

/** What each employee owes on an invoice. */
export const linesOf: RowsOf<InvoiceLine> = {
  endpoint: listInvoiceLines,
  rows: (answer: { lines: InvoiceLine[] }) => answer.lines,
  paged: true,
  problem: 'The employees of this invoice could not be loaded.',
}

/** Who owes it. */
export const lineEmployee: TableColumn<InvoiceLine> = {
  title: 'Employee',
  cell: (line) => (
    <>
      <ThingLink entity={employee} id={line.employee_id}>
        {line.employee_name}
      </ThingLink>
      <small>{[line.employee_code, line.department_code].filter(Boolean).join(' · ')}</small>
    </>
  ),
}

const columns: readonly TableColumn<InvoiceLine>[] = [
  lineEmployee,
  { title: 'Original', right: true, cell: (line) => amountText(line.original_amount) },
  {
    title: 'Write-off',
    right: true,
    cell: (line) => (
      <>
        {amountText(line.writeoff_amount)}
        {line.pending_amount > 0 && <small>{amountText(line.pending_amount)} to decide</small>}
      </>
    ),
  },
  { title: 'Withheld', right: true, cell: (line) => amountText(line.withheld_amount) },
  { title: 'Outstanding', right: true, cell: (line) => amountText(line.outstanding_amount) },
]

/** The tab Employees of an invoice: its lines, with what is written off or waits for a decision. */
export function InvoiceLines({ one }: { one: Invoice }) {
  const of = useRows(linesOf, String(one.id), one.version)
  return (
    <RowTable
      label="Employees of the invoice"
      of={of}
      columns={columns}
      idOf={(line) => line.id}
      none="No employee is on this invoice."
    />
  )
}
