import { codeLabel, windowOf } from '#domain/ach-codes.ts'
import { addBusinessDays, addDays, daysBetween, isBusinessDay, onOrAfter } from '#domain/calendar.ts'
import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** States of an ACH debit. */
export const debitStates = states({
  SCHEDULED: ['Scheduled', 'busy'],
  SUBMITTED: ['Submitted', 'busy'],
  SETTLED: ['Settled', 'good'],
  RETURNED: ['Returned', 'bad'],
  PARTIALLY_RETURNED: ['Partially Returned', 'bad'],
  CANCELLED: ['Cancelled', 'idle'],
})

/** Last date on which a return with this code may arrive for a debit settled on `settled`; null if the code is not a return code. */
export function lastReturnDate(code: string, settled: string): string | null {
  const window = windowOf(code)
  if (!window) return null
  return window.kind === 'BANKING' ? addBusinessDays(settled, window.days) : addDays(settled, window.days)
}

/** Refuses a return after its window. `settled` is null while the debit is in flight, when every return is in time. */
export function validateReturnWindow(code: string, settled: string | null, on: string): Refusal | null {
  const last = settled && lastReturnDate(code, settled)
  return last && on > last
    ? refuse(
        'return-too-late',
        `${codeLabel(code)} could come back until ${last}. Only 'Record late return' takes it after that.`,
      )
    : null
}

/** Only insufficient or uncollected funds may resolve by themselves: R01 and R09 (docs/rules/invoices.md). */
export const isRetryable = (code: string | null | undefined): boolean => code === 'R01' || code === 'R09'

export const retryLimit = 2
/** Days from the first debit. */
export const retryWindow = 180

export interface RetryFacts {
  return_code?: string | null
  /** Number of retries so far; defaults to 0. */
  retries?: number | null
  first_debit_date?: string | null
}

/**
 * Refuses to retry a returned debit: only R01 and R09, at most 2 times, within 180 days of the first debit. Without `today` the
 * days are not checked.
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

/** The in-flight amount of an invoice; cents. */
export interface InFlightFacts {
  outstanding_amount: number
  /** Submitted by debits and not yet answered by the bank; defaults to 0. */
  in_flight_amount?: number | null
}

/** What may still be debited: outstanding less in flight, in cents; at least 0 (docs/rules/invoices.md). */
export const openAmountOf = ({ outstanding_amount, in_flight_amount }: InFlightFacts): number =>
  Math.max(0, outstanding_amount - (in_flight_amount ?? 0))

/**
 * Cents that a scheduled debit takes, for a retry at most the amount requested; null if nothing is left to debit,
 * and the debit is cancelled.
 */
export const fittedDebit = (facts: InFlightFacts & { ach?: { most_amount?: number | null } | null }): number | null =>
  Math.min(openAmountOf(facts), facts.ach?.most_amount ?? Number.POSITIVE_INFINITY) || null

/** The amount of an invoice that other money may still pay; cents. */
export interface PayableFacts {
  outstanding_amount: number
  /** Submitted by debits and not yet answered by anybody; defaults to 0. */
  unanswered_amount?: number | null
}

/**
 * What money is allocated automatically, in cents: outstanding less what a debit may still bring; at least 0
 * (docs/rules/invoices.md).
 */
export const payableAmountOf = ({ outstanding_amount, unanswered_amount }: PayableFacts): number =>
  Math.max(0, outstanding_amount - (unanswered_amount ?? 0))

/** Refuses another debit while everything outstanding is already in flight. */
export const validateInFlight = (facts: InFlightFacts): Refusal | null =>
  (facts.in_flight_amount ?? 0) > 0 && openAmountOf(facts) === 0
    ? refuse(
        'in-flight',
        `The bank has not confirmed what became of ${formatCents(facts.in_flight_amount ?? 0)}, so there is nothing left to debit.`,
      )
    : null

/**
 * The date on which a debit goes to the bank: `processingDays` banking days before the due date, but not before `today`, and on
 * a banking day; all `yyyy-MM-dd`.
 */
export function debitDateFor(dueDate: string, processingDays: number, today: string): string {
  const planned = addBusinessDays(dueDate, -processingDays)
  return onOrAfter(planned < today ? today : planned)
}

/** When the debit of an invoice goes to the bank; null if no debit is scheduled. */
export const debitDateOf = (ach: { state: string; debit_date: string } | null | undefined): string | null =>
  ach?.state === 'SCHEDULED' ? ach.debit_date : null

/** What determines the new date of a debit. */
export interface MovableDebit {
  due_date: string
  /** Banking days before the due date on which a debit goes to the bank. */
  ach_processing_days: number
  as_of: string
  ach: { state: string; debit_date: string; retries?: number; first_debit_date?: string } | null
}

/** The date of a scheduled debit after the due date changes; null if none is scheduled. */
export function movedDebitDate(invoice: MovableDebit, dueDate: string): string | null {
  const now = debitDateOf(invoice.ach)
  return now === null || dueDate === invoice.due_date ? now : debitDateFor(dueDate, invoice.ach_processing_days, invoice.as_of)
}

/** Refuses to move a retry beyond the days within which retries are allowed (docs/rules/invoices.md); `yyyy-MM-dd`. */
export function validateMovedDebit({ ach }: Pick<MovableDebit, 'ach'>, date: string | null): Refusal | null {
  const first = ach?.first_debit_date
  if (!date || !first || !ach.retries || daysBetween(first, date) <= retryWindow) return null
  return refuse('retry-too-late', `The debit is tried again within ${retryWindow} days of the first one, which was on ${first}.`)
}

/** Refuses a date for a debit that is in the past or not a banking day. */
export function validateDebitDate(date: string, today: string): Refusal | null {
  if (date < today) return refuse('date-invalid', 'The debit date cannot be in the past.')
  return isBusinessDay(date)
    ? null
    : refuse('date-invalid', `Banks do not work on that day. The next day on which they do is ${onOrAfter(date)}.`)
}
