import { type Deduction, deductionSorts } from '#contract/deductions.ts'
import { confirmationFlowLabels } from '#contract/invoices.ts'
import { deductionStatuses } from '#domain/deduction.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { deduction } from '#entities/deduction.ts'
import { shortDate } from '#portal/format/dates.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { orDash } from '#portal/format/cell-text.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { Status } from '#portal/ui/status.tsx'
import { amounts, dates, numberValue, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'
import { wholeNumber } from '#domain/text.ts'

const invoice: Column<Deduction> = {
  id: 'invoice',
  title: 'Employer, invoice',
  width: [150, 1.6],
  sort: 'id',
  keep: 3,
  text: (one) => `${one.employer.name}, ${one.invoice_number}`,
  draw: (one) => twoLines(one.employer.name, `${one.invoice_number} · ${one.employer.code}`),
}

const status = states<Deduction>('status', 'Status', 150, deductionStatuses, (one) => one.status, {
  sort: 'status',
  keep: 2,
  width: [150, 0.8],
})

const columns: readonly Column<Deduction>[] = [
  invoice,
  status,
  plain('organization', 'Organization', 130, (one) => one.organization.name, { long: true }),
  dates('reported', 'Report date', (one) => one.report_date, { sort: 'report_date', keep: 1 }),
  dates('due', 'Due date', (one) => one.due_date),
  plain('employees', 'Employees', 80, (one) => wholeNumber(one.employees), {
    align: 'right',
    value: (one) => numberValue(one.employees),
  }),
  plain('write-offs', 'Write-offs to decide', 128, (one) => orDash(one.pending_write_offs || null), {
    align: 'right',
    value: (one) => numberValue(one.pending_write_offs || null),
  }),
  plain('confirmation', 'Confirmation flow', 116, (one) => confirmationFlowLabels[one.confirmation_flow]),
  plain('confirmations', 'Confirmations', 96, (one) => orDash(one.confirmations || null), {
    align: 'right',
    value: (one) => numberValue(one.confirmations || null),
  }),
  states('invoice-status', 'Invoice status', 130, invoiceStatuses, (one) => one.invoice_status),
  plain('file', 'File', 180, (one) => orDash(one.file_name), { long: true }),
  plain('approved-by', 'Approved by', 120, (one) => orDash(one.approved_by?.name), { long: true }),
  times('approved-at', 'Approved', (one) => one.approved_at),
  times('delivered-at', 'Delivered', (one) => one.delivered_at),
  times('fetched-at', 'Fetched', (one) => one.fetched_at),
  times('confirmed-at', 'Confirmed', (one) => one.confirmed_at),
  amounts('confirmed', 'Withheld', (one) => one.confirmed_amount),
  amounts('amount', 'To withhold', (one) => one.amount, {
    sum: 'amount',
    keep: 3,
    under: (one) => <Status of={deductionStatuses} state={one.status} />,
  }),
]

/** Deductions (SCR-063). */
export default definePane<Deduction>({
  entity: deduction,
  title: 'Deductions',
  columns,
  shown: ['invoice', 'status', 'reported', 'employees', 'write-offs', 'confirmation', 'confirmed', 'amount'],
  newestFirst: true,
  sorts: sortsOf(deductionSorts, columns, { id: 'Number' }),
  sub: (one) => subline(`${one.employer.name} · ${one.employer.code}`, `Report date ${shortDate(one.report_date)}`),
  tabs: {
    general: later(async () => (await import('#portal/nouns/deductions/general.tsx')).DeductionGeneral),
    employees: later(async () => (await import('#portal/nouns/deductions/lines.tsx')).DeductionLines),
    file: later(async () => (await import('#portal/nouns/deductions/file.tsx')).DeductionFile),
    history,
  },
  words: changeWords({}, { status: deductionStatuses }),
})
