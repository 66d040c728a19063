import { setImmediate as breathe } from 'node:timers/promises'
import { billedAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { howToPay, type InvoiceDocument, written } from '#server/documents/invoice-document.ts'
import { type Column, Sheet } from '#server/documents/sheet.ts'

type Line = InvoiceDocument['lines'][number]

/** Lines drawn before other requests are served. */
const linesPerTurn = 40

/** An invoice as a PDF for its debtor. */
export async function invoicePdf(document: InvoiceDocument, paper: 'LETTER' | 'A4'): Promise<Buffer> {
  const { invoice, brand, lines } = document
  const sheet = new Sheet(paper, { title: `Invoice ${invoice.number}`, author: brand, foot: `${brand} · ${invoice.number}` })
  sheet.heading(brand, invoice.status === 'DRAFT' ? 'Draft invoice' : 'Invoice')
  sheet.pairs([factsOf(document), datesOf(document)])
  sheet.sums(sumsOf(document))
  sheet.paragraph('How to pay', howToPay(document))
  if (document.byDepartment) drawDepartments(sheet, lines)
  const byDepartment = lines.some((line) => line.department_code)
  sheet.beginTable(`Employees (${lines.length})`, columnsOf(byDepartment))
  for (const [at, line] of lines.entries()) {
    if (at % linesPerTurn === linesPerTurn - 1) await breathe()
    sheet.row(cellsOf(byDepartment, line))
  }
  const sum = (value: (line: Line) => number) => lines.reduce((total, line) => total + value(line), 0)
  sheet.row(
    cellsOf(byDepartment, {
      employee_name: 'Total',
      employee_code: '',
      department_code: '',
      original_amount: sum((line) => line.original_amount),
      writeoff_amount: sum((line) => line.writeoff_amount),
    }),
    { last: true },
  )
  return sheet.finish(invoice.status === 'DRAFT' ? 'Draft' : null)
}

/** Totals per department, in order of code; lines without a department last. */
function drawDepartments(sheet: Sheet, lines: readonly Line[]): void {
  const all = [...Map.groupBy(lines, (line) => line.department_code || null)].sort(([one], [other]) =>
    one === null || other === null ? Number(one === null) - Number(other === null) : one < other ? -1 : 1,
  )
  sheet.beginTable(`Departments (${all.length})`, [
    { head: 'Department', share: 34 },
    { head: 'Employees', share: 18, right: true },
    { head: 'Amount', share: 16, right: true },
    { head: 'Write-off', share: 16, right: true },
    { head: 'Billed', share: 16, right: true },
  ])
  for (const [code, own] of all) {
    const sum = (value: (line: Line) => number) => formatCents(own.reduce((total, line) => total + value(line), 0))
    const amounts = [sum((line) => line.original_amount), sum((line) => -line.writeoff_amount), sum(billedAmount)]
    sheet.row([code ?? 'Without a department', String(own.length), ...amounts])
  }
  sheet.endTable()
}

const factsOf = ({ invoice, debtor, employer }: InvoiceDocument): [string, string][] => [
  ['Billed to', debtor],
  ['Employer', `${employer} (${invoice.employer.code})`],
  ['Company code', invoice.company_code],
  ...(invoice.department_code ? [['Department', invoice.department_code] as [string, string]] : []),
]

const datesOf = ({ invoice }: InvoiceDocument): [string, string][] => [
  ['Number', invoice.number],
  ['Issued', written(invoice.issue_date)],
  ['Reported', written(invoice.report_date)],
  ['Due', written(invoice.due_date)],
  ['Work period', `${written(invoice.period_start)} to ${written(invoice.period_end)}`],
]

const sumsOf = ({ invoice }: InvoiceDocument): [string, string, 'plain' | 'strong'][] => [
  ['Original amount', formatCents(invoice.original_amount), 'plain'],
  ['Write-offs', formatCents(-invoice.writeoff_amount), 'plain'],
  ['Credit rolled over', formatCents(-invoice.rollover_amount), 'plain'],
  ['Invoice amount', formatCents(invoice.invoice_amount), 'strong'],
  ['Paid', formatCents(-invoice.paid_amount), 'plain'],
  ['Outstanding', formatCents(invoice.outstanding_amount), 'strong'],
]

const columnsOf = (byDepartment: boolean): Column[] => [
  { head: 'Employee', share: 34 },
  { head: 'Code', share: 18 },
  ...(byDepartment ? [{ head: 'Department', share: 18 }] : []),
  { head: 'Amount', share: 16, right: true },
  { head: 'Write-off', share: 16, right: true },
  { head: 'Billed', share: 16, right: true },
]

const cellsOf = (byDepartment: boolean, line: Line): string[] => [
  line.employee_name,
  line.employee_code,
  ...(byDepartment ? [line.department_code ?? ''] : []),
  formatCents(line.original_amount),
  formatCents(-line.writeoff_amount),
  formatCents(billedAmount(line)),
]
