import { billedAmount } from '#domain/invoice-line.ts'
import { type CsvColumn, csvHead, csvRows } from '#server/documents/csv.ts'
import type { InvoiceDocument } from '#server/documents/invoice-document.ts'

type Line = InvoiceDocument['lines'][number]

/** The lines of an invoice as CSV, one employee a row. */
export function invoiceCsv({ invoice, lines }: Pick<InvoiceDocument, 'invoice' | 'lines'>): string {
  const columns: CsvColumn<Line>[] = [
    { title: 'Invoice', value: () => invoice.number },
    { title: 'Due date', value: () => invoice.due_date },
    { title: 'Employee code', value: (line) => line.employee_code },
    { title: 'Employee', value: (line) => line.employee_name },
    { title: 'Department', value: (line) => line.department_code },
    { title: 'Original amount', value: (line) => line.original_amount },
    { title: 'Write-off', value: (line) => line.writeoff_amount },
    { title: 'Billed', value: billedAmount },
  ]
  return csvHead(columns) + csvRows(columns, lines)
}
