import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** What became of a time entry (TKS-001 to TKS-004). AUTO: within the daily limit, so that nobody had to look at it. */
export const timeEntryStatuses = states({
  PENDING: ['Pending', 'wait'],
  APPROVED: ['Approved', 'good'],
  AUTO: ['Auto', 'good'],
  REJECTED: ['Rejected', 'bad'],
})
export type TimeEntryStatus = StateOf<typeof timeEntryStatuses>

/** What the configuration of an employer says about time: hours a day, and basis points that a day may go beyond them. */
export interface TimeTerms {
  daily_hours_limit: number
  timekeeping_approval_threshold: number
}

/** Minutes of a day that need nobody's approval: the daily limit and its threshold (D184). */
export const minutesApproved = (terms: TimeTerms): number =>
  Math.floor((terms.daily_hours_limit * 60 * (10_000 + terms.timekeeping_approval_threshold)) / 10_000)

/** What a new entry begins as, by the minutes that its day comes to with it: AUTO up to what needs nobody, PENDING beyond (D184). */
export const firstStatusOf = (dayMinutes: number, terms: TimeTerms): TimeEntryStatus =>
  dayMinutes <= minutesApproved(terms) ? 'AUTO' : 'PENDING'

/** Whether what was earned by an entry may be drawn. */
export const countsAsEarned = (status: TimeEntryStatus): boolean => status === 'APPROVED' || status === 'AUTO'

/** What the rules below read of a time entry. */
export interface TimeEntryFacts {
  status: string
  /** Its work period is over: what it earned stands on an invoice. */
  period_over: boolean
}

const over = ({ period_over }: TimeEntryFacts): Refusal | null =>
  period_over ? refuse('period-over', 'This work period is over.') : null

/** Refuses to approve a time entry: one that counts already, or whose work period is over. */
export function canApproveTime(entry: TimeEntryFacts): Refusal | null {
  if (entry.status === 'AUTO') return refuse('already-decided', 'This time entry is already approved automatically.')
  if (entry.status === 'APPROVED') return refuse('already-decided', 'This time entry is already approved.')
  return over(entry)
}

/** Refuses to reject a time entry: one that is rejected, or whose work period is over. */
export const canRejectTime = (entry: TimeEntryFacts): Refusal | null =>
  entry.status === 'REJECTED' ? refuse('already-decided', 'This time entry is already rejected.') : over(entry)

/** Refuses to put a time entry back to pending: one that is, one that nobody decided, or whose work period is over. */
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
