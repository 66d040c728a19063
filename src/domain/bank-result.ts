import { lastReturnDate } from '#domain/ach.ts'
import { codeLabel, familyOf } from '#domain/ach-codes.ts'
import { addDays } from '#domain/calendar.ts'
import { formatCents } from '#domain/money.ts'
import { correctsAccount } from '#domain/notice-of-change.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** What became of an answer of the bank that has taken effect. */
export const bankResultStates = states({
  UNMATCHED: ['Unmatched', 'bad'],
  BOOKED: ['Booked', 'good'],
  APPLIED: ['Applied', 'good'],
  DISMISSED: ['Dismissed', 'idle'],
})
export type BankResultState = StateOf<typeof bankResultStates>

/** Why an answer of the bank is not booked by itself. */
export const bankResultProblems = [
  'NO_DEBIT',
  'UNKNOWN_CODE',
  'NOTICE_OF_CHANGE',
  'DATE_WRONG',
  'NO_AMOUNT',
  'NO_RETURN',
  'NO_DISHONOR',
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
  UNKNOWN_CODE: 'Unknown ACH code',
  NOTICE_OF_CHANGE: 'Notice of change: the account data of the debit is out of date',
  DATE_WRONG: 'Dated before the debit, or more than 90 days ahead',
  NO_AMOUNT: 'No amount',
  NO_RETURN: 'No booked return of this debit has this amount',
  NO_DISHONOR: 'No dishonored return of this debit has this amount',
  SETTLED_BEFORE: 'Already settled',
  AMOUNT_DIFFERS: 'Settled amount differs',
  BY_HAND_DIFFERS: 'Differs from the return recorded by hand',
  REPEATED: 'Same code and amount as an earlier return',
  ABOVE_DEBIT: 'More than is left of the debit',
  TOO_LATE: 'After the return window',
}

/** Whether the bank reports that a debit settled. */
export const isSettlement = (code: string): boolean => familyOf(code) === 'SETTLEMENT'
/** Whether the bank reports that a return was not accepted, so that its money is back with the debit. */
export const isDishonor = (code: string): boolean => familyOf(code) === 'DISHONORED'
/** A notice of change is about data of an account, never about money. */
export const isNotice = (code: string): boolean => familyOf(code) === 'NOTICE'

/** A bank result in one line: `R01 Insufficient funds, $40.00`; a notice has no amount. */
export const bankResultTitle = ({ code, amount }: { code: string; amount: number }): string =>
  isNotice(code) ? codeLabel(code) : `${codeLabel(code)}, ${formatCents(amount)}`

/** A return of a debit that was booked, and is not taken back; cents. */
export interface BookedReturn {
  id: number
  code: string
  amount: number
  /** A person recorded it, and the bank has not said the same. */
  by_hand: boolean
}

/** A return that was dishonored: its money is back with the debit. */
export type DishonoredReturn = Pick<BookedReturn, 'id' | 'code' | 'amount'> & {
  /** The dishonor was contested, and the money went back for good. */
  contested: boolean
}

/** The money that an answer of the bank is about. */
export interface AnsweredDebit {
  amount: number
  /** `yyyy-MM-dd`; the day on which it was submitted. */
  debited_on: string
  /** `yyyy-MM-dd`; null while it is in flight. */
  settled_on: string | null
  returns: readonly BookedReturn[]
  dishonored: readonly DishonoredReturn[]
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

/**
 * The booked return that a dishonor is about: one with this amount that is not itself a contest; one that the bank reported before one that
 * a person recorded, then the oldest.
 */
export function dishonorableReturn({ amount, debit }: Pick<BankResultFacts, 'amount' | 'debit'>): BookedReturn | null {
  const booked = debit?.returns.filter((each) => each.amount === amount && familyOf(each.code) !== 'CONTESTED') ?? []
  return booked.find((each) => !each.by_hand) ?? booked[0] ?? null
}

/** The dishonored return that a contest is about: one with this amount that is not contested yet; the oldest. */
export const contestableReturn = ({ amount, debit }: Pick<BankResultFacts, 'amount' | 'debit'>): DishonoredReturn | null =>
  debit?.dishonored.find((each) => each.amount === amount && !each.contested) ?? null

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

/** Why a return is not booked by itself, the bank having confirmed none that a person recorded. */
function returnProblem(facts: BankResultFacts, debit: AnsweredDebit, today: string): BankResultProblem | null {
  const { code, amount } = facts
  const isSame = (each: { code: string; amount: number }) => each.code === code && each.amount === amount
  if (byHand(debit).length > 0) return 'BY_HAND_DIFFERS'
  if (debit.returns.some(isSame) || debit.dishonored.some(isSame)) return 'REPEATED'
  if (amount > debit.amount - sumOf(debit.returns)) return 'ABOVE_DEBIT'
  return isLate({ ...facts, as_of: today }) ? 'TOO_LATE' : null
}

/** Why a dishonored return is not booked by itself. */
function dishonorProblem(facts: BankResultFacts): BankResultProblem | null {
  const returned = dishonorableReturn(facts)
  if (!returned) return 'NO_RETURN'
  return returned.by_hand ? 'BY_HAND_DIFFERS' : null
}

/** Why a contested dishonored return is not booked by itself. */
function contestProblem(facts: BankResultFacts, debit: AnsweredDebit): BankResultProblem | null {
  if (!contestableReturn(facts)) return 'NO_DISHONOR'
  return facts.amount > debit.amount - sumOf(debit.returns) ? 'ABOVE_DEBIT' : null
}

/** Why an answer of the bank is not booked by itself; null when it is. Nothing of it is ever dropped (rules 2). */
export function bankResultProblem(facts: BankResultFacts, today: string): BankResultProblem | null {
  const { code, amount, debit, effective_date } = facts
  const family = familyOf(code)
  if (family === null) return 'UNKNOWN_CODE'
  if (family === 'NOTICE') return 'NOTICE_OF_CHANGE'
  if (!debit) return 'NO_DEBIT'
  if (effective_date < debit.debited_on || effective_date > lastWaitedFor(today)) return 'DATE_WRONG'
  if (amount <= 0) return 'NO_AMOUNT'
  switch (family) {
    case 'SETTLEMENT':
      return settlementProblem(facts, debit)
    case 'DISHONORED':
      return dishonorProblem(facts)
    case 'CONTESTED':
      return contestProblem(facts, debit)
    case 'RETURN':
      return confirmedReturn(facts) ? null : returnProblem(facts, debit, today)
  }
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

/** Refuses to book what is no money: a code of no family, and a notice of change. */
export function validateBookable(code: string): Refusal | null {
  if (isNotice(code))
    return refuse('not-money', "A notice of change moves no money. Use 'Change number of billing account', or dismiss it.")
  return familyOf(code) === null
    ? refuse(
        'unknown-code',
        code
          ? `${code} is no ACH code, so it cannot be booked. Ask the bank what it means, then dismiss it.`
          : 'The bank gave no code, so there is nothing to book. Ask the bank what it means, then dismiss it.',
      )
    : null
}

/**
 * Refuses to book what the debit cannot bear: the bank cannot settle twice, give back more than it took, dishonor what was not
 * returned, or contest what was not dishonored.
 */
export function validateBooking(facts: BankResultFacts): Refusal | null {
  const { code, amount, debit } = facts
  const unbookable = validateBookable(code)
  if (unbookable) return unbookable
  if (!debit) return refuse('no-debit', 'No debit has this trace number. Name the repayment that it is about.')
  if (amount <= 0) return refuse('amount-invalid', 'The bank gave no amount, so there is nothing to book. Dismiss it.')
  const left = debit.amount - sumOf(debit.returns)
  switch (familyOf(code)) {
    case 'SETTLEMENT':
      return validateSettlement(amount, debit, left)
    case 'DISHONORED':
      return dishonorableReturn(facts)
        ? null
        : refuse('no-return', `No return of ${formatCents(amount)} is booked for this debit, so there is nothing to dishonor.`)
    case 'CONTESTED':
      if (!contestableReturn(facts))
        return refuse(
          'no-dishonor',
          `No return of ${formatCents(amount)} of this debit was dishonored, so there is nothing to contest.`,
        )
      return validateLeft(amount, left)
    default:
      return validateLeft(amount, left)
  }
}

const validateLeft = (amount: number, left: number): Refusal | null =>
  amount > left
    ? refuse('return-above-repayment', `A return cannot exceed what is left of the repayment: ${formatCents(Math.max(0, left))}.`)
    : null

function validateSettlement(amount: number, debit: AnsweredDebit, left: number): Refusal | null {
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
  canDecideResult(facts) ?? (facts.debit === null ? validateBookable(facts.code) : validateBooking(facts))

/** What a notice of change is applied to; null where no single billing account has the number that was debited. */
export interface NoticeFacts {
  state: string
  code: string
  billing_account: unknown
}

/** Refuses to change the number of a billing account where no notice asks for it. */
export function canApplyNotice({ state, code, billing_account }: NoticeFacts): Refusal | null {
  const refusal = canDecideResult({ state })
  if (refusal) return refusal
  if (!correctsAccount(code))
    return refuse('not-a-notice', 'Only a notice of change that corrects account data changes a billing account.')
  return billing_account
    ? null
    : refuse(
        'no-billing-account',
        'No billing account of this debtor that you can see has the number that was debited. Change it at the organization, then dismiss this notice.',
      )
}

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
    ? validateBooking({ ...facts, debit: withoutByHand(facts.debit) })
    : refuse('nothing-by-hand', 'There is no return recorded by hand that it could replace.')
}
