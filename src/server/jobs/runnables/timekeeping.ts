import { countTimekeeping } from '#contract/timekeeping.ts'
import { dayOf, dayText } from '#domain/day-text.ts'
import { listed } from '#server/jobs/runnable.ts'
import { timeEntryList } from '#server/tables/time-entry-list.ts'

export const runnable = listed(
  countTimekeeping.needs,
  countTimekeeping.query,
  timeEntryList.page,
  (row: { employee_name: string; work_date: string }) => `${row.employee_name}, ${dayText(dayOf(row.work_date))}`,
)
