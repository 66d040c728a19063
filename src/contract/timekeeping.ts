import { z } from 'zod'
import { placementCodes } from '#domain/employee.ts'
import { all, byIntent } from '#domain/permissions.ts'
import { canApproveTime, canRejectTime, canReopenTime, timeEntryStatuses } from '#domain/time-entry.ts'
import { type Call, endpoint, intent, type Undoing } from '#contract/define.ts'
import { date, dateSchema, longText, text, version } from '#contract/fields.ts'
import { choiceFilter, dateFilter, referenceFilter } from '#contract/filter.ts'
import { Actor } from '#contract/history.ts'
import { lek, listQuery, pageSize } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** The time that an employee worked on one day, and its state. */
export const TimeEntry = z.object({
  id: z.int(),
  employee_id: z.int(),
  employee_name: z.string(),
  /** The employer that it was worked for. */
  employer: z.object({ id: z.int(), name: z.string() }),
  work_date: dateSchema,
  minutes: z.int(),
  /** Total minutes of the day for the same employer, including this entry, without rejected ones. */
  day_minutes: z.int().optional(),
  /** Cents; null without read:wages. */
  earned_amount: z.int().nullable(),
  status: z.enum(timeEntryStatuses.values),
  /** Its work period is over, so that it can no longer be decided. */
  period_over: z.boolean(),
  decided_by: Actor.nullable(),
  decided_at: z.iso.datetime().nullable(),
  decision_reason: z.string().nullable(),
  /** The file that it came from, if known. */
  import_id: z.int().nullable().optional(),
  /** Codes of the employer's own systems, as in the file; null if it has none. */
  codes: z.partialRecord(z.enum(placementCodes), z.string()).nullable().optional(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type TimeEntry = z.infer<typeof TimeEntry>

/** A range needs both dates, with the end after the start (VAL-001). */
export const timekeepingFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: timeEntryStatuses, synonyms: { PENDING: ['to approve'] } }),
  dateFilter('worked', 'Worked'),
  referenceFilter('employee', 'Employee', 'employee', 'employee-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
] as const

export const timekeepingSorts = ['work_date', 'status', 'minutes', 'id'] as const

const needs = all('read:timekeeping')

export const {
  list: listTimekeeping,
  count: countTimekeeping,
  get: getTimeEntry,
  history: listTimeEntryEvents,
} = resource(listings.timekeeping, {
  one: 'time entry',
  many: 'time entries',
  tag: 'Timekeeping',
  row: TimeEntry,
  rows: 'time_entries',
  filters: timekeepingFilters,
  sorts: timekeepingSorts,
  specified: ['employee-id', 'page-size', 'lek'],
  narrowing: byIds,
  arranging: { 'page-size': pageSize.optional() },
})

/** The filters of the time entries of one employer; a date range is sent as `start` and `end`. */
export const employerTimekeepingFilters = timekeepingFilters.flatMap((filter) => {
  if (['employer', 'organization'].includes(filter.id)) return []
  return [filter.id === 'worked' ? { ...filter, params: { between: ['start', 'end'], is: ['worked-on'] } } : filter]
})

const {
  'employer-id': _employer,
  'organization-id': _organization,
  'worked-from': _from,
  'worked-to': _to,
  ...ofOneEmployer
} = countTimekeeping.query.shape

export const listEmployerTimekeeping = endpoint({
  method: 'GET',
  path: '/employers/{id}/timekeeping',
  summary: 'Time entries of an employer, by day',
  tag: 'Employers',
  specified: ['start', 'end', 'lek'],
  query: z.object({
    ...listQuery,
    ...ofOneEmployer,
    start: date('Start').optional(),
    end: date('End').optional(),
    sort: z.enum(timekeepingSorts).default('work_date'),
  }),
  answer: z.object({ time_entries: z.array(TimeEntry), lek }),
  needs,
})

export const updateTimeEntry = endpoint({
  method: 'PATCH',
  path: '/timekeeping/{id}',
  summary: 'Approve or reject a time entry, or put it back to pending',
  tag: 'Timekeeping',
  answer: TimeEntry,
  needs: byIntent,
  extension: true,
})

const decides = all('read:timekeeping', 'write:timekeeping')

export const approveTime = intent(updateTimeEntry, {
  id: 'time-entry.approve',
  body: z.object({ status: z.literal('APPROVED'), notes: longText('Notes').optional(), version: version() }),
  needs: decides,
  event: 'Approved',
  refuses: canApproveTime,
  undo: toBefore,
})

export const rejectTime = intent(updateTimeEntry, {
  id: 'time-entry.reject',
  body: z.object({ status: z.literal('REJECTED'), reason: text('Reason', 200), version: version() }),
  needs: decides,
  event: 'Rejected',
  refuses: canRejectTime,
  undo: toBefore,
})

export const reopenTime = intent(updateTimeEntry, {
  id: 'time-entry.reopen',
  body: z.object({ status: z.literal('PENDING'), reason: text('Reason', 200), version: version() }),
  needs: decides,
  event: 'Put back to pending',
  refuses: canReopenTime,
  undo: toBefore,
})

/** Restores the status before. What was approved automatically is then approved by a person. */
function toBefore({ id, version }: Undoing, { status }: { status: string }): Call {
  if (status === 'PENDING') return reopenTime({ id }, { reason: 'Undone', version })
  return status === 'REJECTED'
    ? rejectTime({ id }, { reason: 'Undone', version })
    : approveTime({ id }, { notes: 'Undone', version })
}
