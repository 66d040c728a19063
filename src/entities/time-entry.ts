import {
  countTimekeeping,
  getTimeEntry,
  listTimeEntryEvents,
  listTimekeeping,
  TimeEntry,
  timekeepingFilters,
} from '#contract/timekeeping.ts'
import { dayOf, dayText } from '#domain/day-text.ts'
import { hoursText, timeEntryStatuses } from '#domain/time-entry.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** The time that an employee worked on one day. */
export const timeEntry = defineEntity<TimeEntry>({
  name: 'time-entry',
  one: 'time entry',
  many: 'time entries',
  aliases: ['timesheet', 'timesheets', 'hours', 'shifts', 'timekeeping'],
  icon: 'time',
  ids: numbers({ prefix: 'TIME' }),
  path: '/timekeeping',
  schema: TimeEntry,
  get: getTimeEntry,
  list: listTimekeeping,
  count: countTimekeeping,
  events: listTimeEntryEvents,
  query: {},
  slowToSearch: true,
  rows: (answer: { time_entries: TimeEntry[] }) => answer.time_entries,
  filters: timekeepingFilters,
  orders: { date: 'work_date' },
  pane: true,
  tabs: { history: 'History' },
  id: (one) => String(one.id),
  title: (one) => `${isolated(one.employee_name)}, ${dayText(dayOf(one.work_date))}`,
  subtitle: (one) => isolated(one.employer.name),
  status: { of: (one) => one.status, states: timeEntryStatuses },
  figure: (one) => hoursText(one.minutes),
  version: (one) => one.version,
  keywords: (one) => [one.employer.name],
  confirmWith: (one) => one.employee_name,
})
