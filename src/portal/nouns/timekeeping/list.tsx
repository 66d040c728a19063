import { type TimeEntry, timekeepingSorts } from '#contract/timekeeping.ts'
import { all } from '#domain/permissions.ts'
import { hoursText, timeEntryStatuses } from '#domain/time-entry.ts'
import { timeEntry } from '#entities/time-entry.ts'
import { orDash } from '#portal/format/cell-text.ts'
import { shortDate } from '#portal/format/dates.ts'
import { type Column, definePane } from '#portal/list/pane.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { amounts, dates, plain, sortsOf, states, subline, times, twoLines } from '#portal/nouns/columns.tsx'
import { history } from '#portal/record/history.ts'
import { later } from '#portal/ui/later.tsx'
import { Status } from '#portal/ui/status.tsx'

const columns: readonly Column<TimeEntry>[] = [
  {
    id: 'employee',
    title: 'Employee',
    width: [150, 1.4],
    keep: 3,
    text: (one) => one.employee_name,
    draw: (one) => twoLines(one.employee_name, one.employee_id),
    narrow: (one) => twoLines(one.employee_name, shortDate(one.work_date)),
  },
  dates('worked', 'Worked', (one) => one.work_date, { sort: 'work_date', keep: 2 }),
  states('status', 'Status', 108, timeEntryStatuses, (one) => one.status, { sort: 'status', keep: 2 }),
  plain('employer', 'Employer', 120, (one) => one.employer.name, { long: true }),
  plain('decided-by', 'Decided by', 120, (one) => orDash(one.decided_by?.name), { long: true }),
  times('decided-at', 'Decided', (one) => one.decided_at),
  plain('decision', 'Decision reason', 150, (one) => orDash(one.decision_reason), { long: true }),
  amounts('earned', 'Earned', (one) => one.earned_amount, { needs: all('read:wages') }),
  plain('hours', 'Time', 96, (one) => hoursText(one.minutes), {
    align: 'right',
    sort: 'minutes',
    keep: 3,
    under: (one) => <Status of={timeEntryStatuses} state={one.status} />,
  }),
]

/** Time entries: work by day, approved (automatically or by a person), rejected or waiting. */
export default definePane<TimeEntry>({
  entity: timeEntry,
  title: 'Timekeeping',
  columns,
  shown: ['employee', 'worked', 'status', 'employer', 'decided-by', 'earned', 'hours'],
  newestFirst: true,
  madeLater: true,
  sorts: sortsOf(timekeepingSorts, columns, { work_date: 'Day', id: 'Order of arrival' }),
  sub: (one) => subline(shortDate(one.work_date), one.employer.name),
  tabs: {
    general: later(async () => (await import('#portal/nouns/timekeeping/general.tsx')).TimeEntryGeneral),
    history,
  },
  words: changeWords({ minutes: 'Minutes' }, { status: timeEntryStatuses }),
})
