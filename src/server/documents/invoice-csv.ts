import { billedAmount } from '#domain/invoice-line.ts'
import { type CsvColumn, csvHead, csvRows } from '#server/documents/csv.ts'
import type { InvoiceDocument } from '#server/documents/invoice-document.ts'

/** A row of the file; amounts in cents. */
interface CsvRow {
  code: string | null
  name: string
  department: string | null
  original: number | null
  writeoff: number | null
  billed: number
}

/**
 * The lines of an invoice as CSV, one employee per row, and its credit in a separate row: the billed amounts add up to the
 * invoice.
 */
export function invoiceCsv({ invoice, lines }: Pick<InvoiceDocument, 'invoice' | 'lines'>): string {
  const columns: CsvColumn<CsvRow>[] = [
    { title: 'Invoice', value: () => invoice.number },
    { title: 'Due date', value: () => invoice.due_date },
    { title: 'Employee code', value: (row) => row.code },
    { title: 'Employee', value: (row) => row.name },
    { title: 'Department', value: (row) => row.department },
    { title: 'Original amount', value: (row) => row.original },
    { title: 'Write-off', value: (row) => row.writeoff },
    { title: 'Billed', value: (row) => row.billed },
  ]
  const rows: CsvRow[] = lines.map((line) => ({
    code: line.employee_code,
    name: line.employee_name,
    department: line.department_code,
    original: line.original_amount,
    writeoff: line.writeoff_amount,
    billed: billedAmount(line),
  }))
  const { rollover_amount: credit } = invoice
  if (credit !== 0)
    rows.push({ code: null, name: 'Credit rolled over', department: null, original: null, writeoff: null, billed: -credit })
  return csvHead(columns) + csvRows(columns, rows)
}
