import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Statuses of a time entry (TKS-001 to TKS-004). AUTO: within the daily limit, so that no approval was needed. */
export const timeEntryStatuses = states({
  PENDING: ['Pending', 'wait'],
  APPROVED: ['Approved', 'good'],
  AUTO: ['Auto', 'good'],
  REJECTED: ['Rejected', 'bad'],
})
export type TimeEntryStatus = StateOf<typeof timeEntryStatuses>

/** Time limits of an employer's configuration: hours per day, and basis points by which a day may exceed them. */
export interface TimeTerms {
  daily_hours_limit: number
  timekeeping_approval_threshold: number
}

/** Minutes per day that need no approval: the daily limit plus its threshold (docs/rules/employees.md). */
export const minutesApproved = (terms: TimeTerms): number =>
  Math.floor((terms.daily_hours_limit * 60 * (10_000 + terms.timekeeping_approval_threshold)) / 10_000)

/**
 * Initial status of an entry, by the total minutes of its day: AUTO if no approval is needed, else PENDING
 * (docs/rules/employees.md).
 */
export const firstStatusOf = (dayMinutes: number, terms: TimeTerms): TimeEntryStatus =>
  dayMinutes <= minutesApproved(terms) ? 'AUTO' : 'PENDING'

/** Whether earnings of an entry may be withdrawn. */
export const countsAsEarned = (status: TimeEntryStatus): boolean => status === 'APPROVED' || status === 'AUTO'

/** Input of the rules below. */
export interface TimeEntryFacts {
  status: string
  /** Its work period is over: its earnings are on an invoice. */
  period_over: boolean
}

const over = ({ period_over }: TimeEntryFacts): Refusal | null =>
  period_over ? refuse('period-over', 'This work period is over.') : null

/** Refuses to approve a time entry that already counts, or whose work period is over. */
export function canApproveTime(entry: TimeEntryFacts): Refusal | null {
  if (entry.status === 'AUTO') return refuse('already-decided', 'This time entry is already approved automatically.')
  if (entry.status === 'APPROVED') return refuse('already-decided', 'This time entry is already approved.')
  return over(entry)
}

/** Refuses to reject a time entry that is rejected, or whose work period is over. */
export const canRejectTime = (entry: TimeEntryFacts): Refusal | null =>
  entry.status === 'REJECTED' ? refuse('already-decided', 'This time entry is already rejected.') : over(entry)

/** Refuses to return a time entry to pending if it is pending, was decided by nobody, or its work period is over. */
export const canReopenTime = (entry: TimeEntryFacts): Refusal | null =>
  entry.status === 'PENDING' || entry.status === 'AUTO'
    ? refuse('not-decided', 'Nobody has decided about this time entry.')
    : over(entry)

/** `7 h 30 min`. */
export function hoursText(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  const rest = minutes % 60
  return [hours > 0 && `${hours} h`, rest > 0 && `${rest} min`].filter(Boolean).join(' ') || '0 h'
}
