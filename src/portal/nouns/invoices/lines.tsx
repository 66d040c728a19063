import type { Invoice } from '#contract/invoices.ts'
import { type InvoiceLine, listInvoiceLines } from '#contract/invoice-lines.ts'
import { billedAmount } from '#domain/invoice-line.ts'
import { employee } from '#entities/employee.ts'
import { invoice } from '#entities/invoice.ts'
import type { Column } from '#portal/list/pane.ts'
import { amountText } from '#portal/format/cell-text.ts'
import { amounts } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** What one employee owes on an invoice: not a record itself, its row opens the employee. */
export const invoiceLine = {
  name: 'invoice-line',
  id: (line: InvoiceLine) => String(line.id),
  version: () => 0,
}

/** The lines of the invoice with this id. */
export const linesOf = (invoiceId: number) => ({
  source: {
    endpoint: listInvoiceLines,
    at: () => ({ id: String(invoiceId) }),
    rows: (answer: { lines: InvoiceLine[] }) => answer.lines,
  },
  leadsTo: (line: InvoiceLine) => ({ entity: employee, id: String(line.employee_id) }),
})

/** The employee who owes it. */
export const lineEmployee: Column<InvoiceLine> = {
  id: 'employee',
  title: 'Employee',
  width: [120, 1.6],
  long: true,
  keep: 3,
  text: (line) => line.employee_name,
  draw: (line) => (
    <>
      <strong>{line.employee_name}</strong>
      <small>{[line.employee_code, line.department_code].filter(Boolean).join(' · ')}</small>
    </>
  ),
}

/** The amount of a line that is written off, or waits for a decision. */
export const writtenOff = <Row,>(lineOf: (row: Row) => InvoiceLine, more: Partial<Column<Row>> = {}): Column<Row> =>
  amounts('write-off', 'Write-off', (row) => lineOf(row).writeoff_amount, {
    draw: (row) => {
      const { writeoff_amount, pending_amount } = lineOf(row)
      return (
        <>
          {amountText(writeoff_amount)}
          {pending_amount > 0 && <small>{amountText(pending_amount)} to decide</small>}
        </>
      )
    },
    ...more,
  })

/** Amounts of single employees are small, so that all columns fit beside the list. */
const width: Column['width'] = [88, 0.6]

const columns: readonly Column<InvoiceLine>[] = [
  lineEmployee,
  amounts('original', 'Original', (line) => line.original_amount, { keep: 1, width }),
  writtenOff((line) => line, { keep: 2, width }),
  amounts('billed', 'Billed', billedAmount, { keep: 3, width }),
  amounts('withheld', 'Withheld', (line) => line.withheld_amount, { keep: 1, width }),
]

/** The tab Employees of an invoice: its lines, with what is written off or waits for a decision. */
export const InvoiceLines = tabList<Invoice>({
  of: invoice,
  tab: 'employees',
  rows: invoiceLine,
  list: (one) => ({
    title: 'Employees of the invoice',
    many: 'employees',
    columns,
    none: 'No employee is on this invoice.',
    ...linesOf(one.id),
  }),
})
