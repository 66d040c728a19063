import { isReturnCode, lastReturnDate, returnLabel } from '#domain/ach.ts'
import { addDays } from '#domain/calendar.ts'
import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** What became of an answer of the bank that has taken effect. */
export const bankResultStates = states({
  UNMATCHED: ['Unmatched', 'bad'],
  BOOKED: ['Booked', 'good'],
  DISMISSED: ['Dismissed', 'idle'],
})
export type BankResultState = StateOf<typeof bankResultStates>

/** Why an answer of the bank is not booked by itself. */
export const bankResultProblems = [
  'NO_DEBIT',
  'UNKNOWN_CODE',
  'DATE_WRONG',
  'SETTLED_BEFORE',
  'AMOUNT_DIFFERS',
  'BY_HAND_DIFFERS',
  'REPEATED',
  'ABOVE_DEBIT',
  'TOO_LATE',
] as const
export type BankResultProblem = (typeof bankResultProblems)[number]

export const bankResultProblemLabels: Record<BankResultProblem, string> = {
  NO_DEBIT: 'No debit has this trace number',
  UNKNOWN_CODE: 'Unknown return code',
  DATE_WRONG: 'Dated before the debit, or more than 90 days ahead',
  SETTLED_BEFORE: 'Already settled',
  AMOUNT_DIFFERS: 'Settled amount differs',
  BY_HAND_DIFFERS: 'Differs from the return recorded by hand',
  REPEATED: 'Same code and amount as an earlier return',
  ABOVE_DEBIT: 'More than is left of the debit',
  TOO_LATE: 'After the return window',
}

/** `SETTLED`, or a return code of the bank. */
export const isSettlement = (code: string): boolean => code === 'SETTLED'
/** What the bank said, as people read it. */
export const bankSaidLabel = (code: string): string => (isSettlement(code) ? 'Settled' : returnLabel(code))

/** A return of a debit that was booked, and is not taken back; cents. */
export interface BookedReturn {
  id: number
  code: string
  amount: number
  /** A person recorded it, and the bank has not said the same. */
  by_hand: boolean
}

/** The money that an answer of the bank is about. */
export interface AnsweredDebit {
  amount: number
  /** `yyyy-MM-dd`; the day on which it was submitted. */
  debited_on: string
  /** `yyyy-MM-dd`; null while it is in flight. */
  settled_on: string | null
  returns: readonly BookedReturn[]
}

/** What the rules read of an answer of the bank; cents. */
export interface BankResultFacts {
  code: string
  amount: number
  effective_date: string
  /** Null where it fits none. */
  debit: AnsweredDebit | null
}

const sumOf = (returns: readonly BookedReturn[]): number => returns.reduce((sum, each) => sum + each.amount, 0)
const byHand = (debit: AnsweredDebit): BookedReturn[] => debit.returns.filter((each) => each.by_hand)

/** No answer of the bank takes effect so many days ahead: money comes back for 60 days after it settled. */
const daysAhead = 90

/** The last date for which a result of the bank is waited until it takes effect; one that is dated later is judged at once. */
export const lastWaitedFor = (today: string): string => addDays(today, daysAhead)

/**
 * The date on which a result counts that a person books: its own, but not before the debit, nor after today; all
 * `yyyy-MM-dd`. Return windows are reckoned from it.
 */
export const countsOn = (effective_date: string, debited_on: string, today: string): string =>
  effective_date < debited_on ? debited_on : effective_date > today ? today : effective_date

/** The return by hand that the bank confirms: of this debit, with this code and amount; the oldest (rules 2). */
export const confirmedReturn = ({ code, amount, debit }: BankResultFacts): BookedReturn | null =>
  (debit && byHand(debit).find((each) => each.code === code && each.amount === amount)) ?? null

/** Whether a return counts, on `as_of`, from a day after the last one on which its code may come back (D467). */
export function isLate({ code, effective_date, debit, as_of }: Omit<DecidableResult, 'state'>): boolean {
  const last = debit?.settled_on ? lastReturnDate(code, debit.settled_on) : null
  return debit !== null && last !== null && countsOn(effective_date, debit.debited_on, as_of) > last
}

/**
 * What is said of a settlement: of all that was debited, or of what is left after returns. Where a person recorded a return
 * that the bank has not confirmed, only an amount that agrees with it is clear.
 */
function settlementProblem({ amount }: BankResultFacts, debit: AnsweredDebit): BankResultProblem | null {
  if (debit.settled_on !== null) return 'SETTLED_BEFORE'
  const left = debit.amount - sumOf(debit.returns)
  if (byHand(debit).length > 0) return amount === left ? null : 'BY_HAND_DIFFERS'
  if (left <= 0) return 'ABOVE_DEBIT'
  return amount === left || amount === debit.amount ? null : 'AMOUNT_DIFFERS'
}

/** Why an answer of the bank is not booked by itself; null when it is. Nothing of it is ever dropped (rules 2). */
export function bankResultProblem(facts: BankResultFacts, today: string): BankResultProblem | null {
  const { code, amount, debit, effective_date } = facts
  if (!debit) return 'NO_DEBIT'
  if (effective_date < debit.debited_on || effective_date > lastWaitedFor(today)) return 'DATE_WRONG'
  if (isSettlement(code)) return settlementProblem(facts, debit)
  if (confirmedReturn(facts)) return null
  if (!isReturnCode(code)) return 'UNKNOWN_CODE'
  if (byHand(debit).length > 0) return 'BY_HAND_DIFFERS'
  if (debit.returns.some((each) => each.code === code && each.amount === amount)) return 'REPEATED'
  if (amount > debit.amount - sumOf(debit.returns)) return 'ABOVE_DEBIT'
  return isLate({ ...facts, as_of: today }) ? 'TOO_LATE' : null
}

/** What the rules of a decision read. */
export interface DecidableResult extends BankResultFacts {
  state: string
  /** The business date. */
  as_of: string
}

/** Refuses to decide what does not stand unmatched. */
export const canDecideResult = ({ state }: { state: string }): Refusal | null =>
  state === 'UNMATCHED' ? null : refuse('already-decided', 'This bank result was decided already.')

/** Refuses to take back the dismissal of what was not dismissed. */
export const canReopenResult = ({ state }: { state: string }): Refusal | null =>
  state === 'DISMISSED' ? null : refuse('status-forbids', 'Only a dismissed bank result can be reopened.')

/** Refuses to book what the debit cannot bear: the bank cannot settle twice, nor give back more than it took. */
export function judgeBooking({ code, amount, debit }: BankResultFacts): Refusal | null {
  if (!debit) return refuse('no-debit', 'No debit has this trace number. Name the repayment that it is about.')
  const left = debit.amount - sumOf(debit.returns)
  if (!isSettlement(code))
    return amount > left
      ? refuse(
          'return-above-repayment',
          `A return cannot exceed what is left of the repayment: ${formatCents(Math.max(0, left))}.`,
        )
      : null
  if (debit.settled_on !== null) return refuse('already-settled', 'This debit has settled already.')
  return left > 0 && (amount === left || amount === debit.amount)
    ? null
    : refuse(
        'amount-invalid',
        `What is left of this debit is ${formatCents(Math.max(0, left))}, and the bank settled ${formatCents(amount)}.`,
      )
}

/** Refuses to book a result beside what stands. */
export const canBookResult = (facts: DecidableResult): Refusal | null =>
  canDecideResult(facts) ?? (facts.debit === null ? null : judgeBooking(facts))

/** The debit as it is once the returns by hand that the bank has not confirmed are taken back. */
const withoutByHand = (debit: AnsweredDebit): AnsweredDebit => ({
  ...debit,
  returns: debit.returns.filter((each) => !each.by_hand),
})

/** Refuses to book a result in place of the returns by hand. */
export function canReplaceReturns(facts: DecidableResult): Refusal | null {
  const refusal = canDecideResult(facts)
  if (refusal) return refusal
  return facts.debit && byHand(facts.debit).length > 0
    ? judgeBooking({ ...facts, debit: withoutByHand(facts.debit) })
    : refuse('nothing-by-hand', 'There is no return recorded by hand that it could replace.')
}
