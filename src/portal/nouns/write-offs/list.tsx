import { type WriteOff, writeOffSorts } from '#contract/write-offs.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { writeOffReasonLabels, writeOffStatuses } from '#domain/write-off.ts'
import { writeOff } from '#entities/write-off.ts'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { orDash } from '#portal/format/cell-text.ts'
import { changeWords, oneOf } from '#portal/nouns/change-words.ts'
import { Status } from '#portal/ui/status.tsx'
import { amounts, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { type Column, definePane } from '#portal/list/pane.ts'

const employee: Column<WriteOff> = {
  id: 'employee',
  title: 'Employee, invoice',
  width: [130, 1.6],
  long: true,
  sort: 'id',
  keep: 3,
  text: (one) => `${one.employee_name}, ${one.invoice_number}`,
  draw: (one) => twoLines(one.employee_name, one.invoice_number),
}

const status = states<WriteOff>('status', 'Status', 100, writeOffStatuses, (one) => one.status, { sort: 'status', keep: 2 })

const columns: readonly Column<WriteOff>[] = [
  employee,
  status,
  plain('employer', 'Employer', 130, (one) => one.employer.name, { long: true, keep: 1, width: [106, 1.2] }),
  plain('organization', 'Organization', 130, (one) => one.organization.name, { long: true }),
  // Includes who suggested it, who may not decide it: another column would wrap below the amounts on a small screen.
  plain('reason', 'Reason, by', 108, (one) => `${writeOffReasonLabels[one.reason]}, ${one.suggested_by.name}`, {
    long: true,
    draw: (one) => twoLines(writeOffReasonLabels[one.reason], one.suggested_by.name, 'plain'),
  }),
  plain('details', 'Details', 160, (one) => orDash(one.details), { long: true }),
  times('suggested-at', 'Suggested on', (one) => one.suggested_at, { sort: 'suggested_at' }),
  states('invoice-status', 'Invoice status', 120, invoiceStatuses, (one) => one.invoice_status),
  plain('decided-by', 'Decided by', 120, (one) => orDash(one.decided_by?.name), { long: true }),
  times('decided-at', 'Decided', (one) => one.decided_at),
  plain('decision', 'Decision reason', 160, (one) => orDash(one.decision_reason), { long: true }),
  plain('comments', 'Comments', 160, (one) => orDash(one.comments), { long: true }),
  amounts('approved', 'Approved', (one) => one.approved_amount, { sum: 'approved_amount' }),
  amounts('suggested', 'Suggested', (one) => one.suggested_amount, {
    sum: 'suggested_amount',
    sort: 'suggested_amount',
    keep: 3,
    under: (one) => <Status of={writeOffStatuses} state={one.status} />,
  }),
]

/** Write-offs: suggested, approved, rejected and reversed. */
export default definePane<WriteOff>({
  entity: writeOff,
  title: 'Write-offs',
  columns,
  shown: ['employee', 'status', 'employer', 'reason', 'approved', 'suggested'],
  newestFirst: true,
  sorts: sortsOf(writeOffSorts, columns, { id: 'Order of suggestion', suggested_amount: 'Suggested amount' }),
  sub: (one) => subline(one.employer.name, writeOffReasonLabels[one.reason]),
  tabs: {
    general: later(async () => (await import('#portal/nouns/write-offs/general.tsx')).WriteOffGeneral),
    history,
  },
  words: changeWords({}, { status: writeOffStatuses }, { reason: oneOf(writeOffReasonLabels) }),
})
