import { codeLabel, windowOf } from '#domain/ach-codes.ts'
import { addBusinessDays, addDays, daysBetween, isBusinessDay, onOrAfter } from '#domain/calendar.ts'
import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** What became of an ACH debit. */
export const debitStates = states({
  SCHEDULED: ['Scheduled', 'busy'],
  SUBMITTED: ['Submitted', 'busy'],
  SETTLED: ['Settled', 'good'],
  RETURNED: ['Returned', 'bad'],
  PARTIALLY_RETURNED: ['Partially Returned', 'bad'],
  CANCELLED: ['Cancelled', 'idle'],
})

/** The last date on which a return with this code may arrive for a debit settled on `settled`; null for a code that is no return. */
export function lastReturnDate(code: string, settled: string): string | null {
  const window = windowOf(code)
  if (!window) return null
  return window.kind === 'BANKING' ? addBusinessDays(settled, window.days) : addDays(settled, window.days)
}

/** Refuses a return on a day after its window; `settled` is null while the debit is in flight, when every return comes in time. */
export function validateReturnWindow(code: string, settled: string | null, on: string): Refusal | null {
  const last = settled && lastReturnDate(code, settled)
  return last && on > last
    ? refuse(
        'return-too-late',
        `${codeLabel(code)} could come back until ${last}. Only 'Record late return' takes it after that.`,
      )
    : null
}

/** Only want of money may change by itself: R01 and R09 (rules 2). */
export const isRetryable = (code: string | null | undefined): boolean => code === 'R01' || code === 'R09'

export const retryLimit = 2
/** Counted in days from the first debit. */
export const retryWindow = 180

export interface RetryFacts {
  return_code?: string | null
  /** Debits tried again so far; missing is none. */
  retries?: number | null
  first_debit_date?: string | null
}

/**
 * Refuses to try a returned debit again: only R01 and R09, at most 2 times, within 180 days of the first debit.
 * Without `today` the days are not judged.
 */
export function validateRetry(facts: RetryFacts, today?: string | null): Refusal | null {
  if (!isRetryable(facts.return_code))
    return refuse('not-retryable', 'Only a debit that came back as R01 or R09 can be tried again. Collect it manually.')
  if ((facts.retries ?? 0) >= retryLimit)
    return refuse('retries-used-up', `This debit was tried again ${retryLimit} times already. Collect it manually.`)
  if (today && facts.first_debit_date && daysBetween(facts.first_debit_date, today) > retryWindow)
    return refuse('retry-too-late', `The first debit is more than ${retryWindow} days ago. Collect it manually.`)
  return null
}

/** What of an invoice is on its way; cents. */
export interface InFlightFacts {
  outstanding_amount: number
  /** What debits have submitted and the bank has not answered; missing is nothing. */
  in_flight_amount?: number | null
}

/**
 * What may still be debited: what is owed less what is in flight, in cents; 0 when nothing is
 * (rules 2).
 */
export const openAmountOf = ({ outstanding_amount, in_flight_amount }: InFlightFacts): number =>
  Math.max(0, outstanding_amount - (in_flight_amount ?? 0))

/**
 * Cents that a scheduled debit takes, at most what was asked for where it is tried again; null when nothing is left to debit, and it
 * is cancelled.
 */
export const fittedDebit = (facts: InFlightFacts & { ach?: { most_amount?: number | null } | null }): number | null =>
  Math.min(openAmountOf(facts), facts.ach?.most_amount ?? Number.POSITIVE_INFINITY) || null

/** What of an invoice may still be paid by other money; cents. */
export interface PayableFacts {
  outstanding_amount: number
  /** What debits have submitted and nobody has answered; missing is nothing. */
  unanswered_amount?: number | null
}

/** What money pays by itself, in cents: what is owed less what a debit may still bring; 0 when nothing is (rules 2). */
export const payableAmountOf = ({ outstanding_amount, unanswered_amount }: PayableFacts): number =>
  Math.max(0, outstanding_amount - (unanswered_amount ?? 0))

/** Refuses another debit while all that is owed is on its way already. */
export const validateInFlight = (facts: InFlightFacts): Refusal | null =>
  (facts.in_flight_amount ?? 0) > 0 && openAmountOf(facts) === 0
    ? refuse(
        'in-flight',
        `The bank has not confirmed what became of ${formatCents(facts.in_flight_amount ?? 0)}, so there is nothing left to debit.`,
      )
    : null

/**
 * The date on which a debit goes to the bank: so many banking days before the due date, but not before `today`, and on a day
 * on which banks work (D100); all `yyyy-MM-dd`.
 */
export function debitDateFor(dueDate: string, processingDays: number, today: string): string {
  const planned = addBusinessDays(dueDate, -processingDays)
  return onOrAfter(planned < today ? today : planned)
}

/** When the debit of an invoice goes to the bank; null where none waits for its date. */
export const debitDateOf = (ach: { state: string; debit_date: string } | null | undefined): string | null =>
  ach?.state === 'SCHEDULED' ? ach.debit_date : null

/** What the date of a debit is moved by. */
export interface MovableDebit {
  due_date: string
  /** Banking days before the due date on which a debit goes to the bank. */
  ach_processing_days: number
  as_of: string
  ach: { state: string; debit_date: string; retries?: number; first_debit_date?: string } | null
}

/** The date of a debit that waits once the invoice is due on another date (D466); null where none waits. */
export function movedDebitDate(invoice: MovableDebit, dueDate: string): string | null {
  const now = debitDateOf(invoice.ach)
  return now === null || dueDate === invoice.due_date ? now : debitDateFor(dueDate, invoice.ach_processing_days, invoice.as_of)
}

/** Refuses to move a debit that is tried again beyond the days within which that is done (rules 2); `yyyy-MM-dd`. */
export function validateMovedDebit({ ach }: Pick<MovableDebit, 'ach'>, date: string | null): Refusal | null {
  const first = ach?.first_debit_date
  if (!date || !first || !ach.retries || daysBetween(first, date) <= retryWindow) return null
  return refuse('retry-too-late', `The debit is tried again within ${retryWindow} days of the first one, which was on ${first}.`)
}

/** Refuses a date for a debit: one in the past, or on which banks do not work. */
export function validateDebitDate(date: string, today: string): Refusal | null {
  if (date < today) return refuse('date-invalid', 'The debit date cannot be in the past.')
  return isBusinessDay(date)
    ? null
    : refuse('date-invalid', `Banks do not work on that day. The next day on which they do is ${onOrAfter(date)}.`)
}
