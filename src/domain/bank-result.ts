import { lastReturnDate } from '#domain/ach.ts'
import { codeLabel, familyOf } from '#domain/ach-codes.ts'
import { addDays } from '#domain/calendar.ts'
import { formatCents } from '#domain/money.ts'
import { correctsAccount } from '#domain/notice-of-change.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** States of a bank result. */
export const bankResultStates = states({
  UNMATCHED: ['Unmatched', 'bad'],
  BOOKED: ['Booked', 'good'],
  APPLIED: ['Applied', 'good'],
  DISMISSED: ['Dismissed', 'idle'],
})
export type BankResultState = StateOf<typeof bankResultStates>

/** Why a bank result is not booked automatically. */
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

/** Whether the code reports that a debit settled. */
export const isSettlement = (code: string): boolean => familyOf(code) === 'SETTLEMENT'
/** Whether the code reports that a return was dishonored, so that its money is back with the debit. */
export const isDishonor = (code: string): boolean => familyOf(code) === 'DISHONORED'
/** A notice of change corrects account data and never moves money. */
export const isNotice = (code: string): boolean => familyOf(code) === 'NOTICE'

/** A bank result in one line: `R01 Insufficient funds, $40.00`; a notice has no amount. */
export const bankResultTitle = ({ code, amount }: { code: string; amount: number }): string =>
  isNotice(code) ? codeLabel(code) : `${codeLabel(code)}, ${formatCents(amount)}`

/** A booked return of a debit that has not been taken back; cents. */
export interface BookedReturn {
  id: number
  code: string
  amount: number
  /** Recorded by a person and not confirmed by the bank. */
  by_hand: boolean
}

/** A dishonored return: its money is back with the debit. */
export type DishonoredReturn = Pick<BookedReturn, 'id' | 'code' | 'amount'> & {
  /** The dishonor was contested, and the money was returned for good. */
  contested: boolean
}

/** The debit that a bank result is about. */
export interface AnsweredDebit {
  amount: number
  /** `yyyy-MM-dd`; the day of submission. */
  debited_on: string
  /** `yyyy-MM-dd`; null while in flight. */
  settled_on: string | null
  returns: readonly BookedReturn[]
  dishonored: readonly DishonoredReturn[]
}

/** Input of the rules about a bank result; cents. */
export interface BankResultFacts {
  code: string
  amount: number
  effective_date: string
  /** Null if no debit matches. */
  debit: AnsweredDebit | null
}

const sumOf = (returns: readonly BookedReturn[]): number => returns.reduce((sum, each) => sum + each.amount, 0)
const byHand = (debit: AnsweredDebit): BookedReturn[] => debit.returns.filter((each) => each.by_hand)

/** Maximum number of days that a bank result is dated ahead: money may be returned for 60 days after settlement. */
const daysAhead = 90

/** The last effective date for which a result is kept waiting; one dated later is validated at once. */
export const lastWaitedFor = (today: string): string => addDays(today, daysAhead)

/**
 * The effective date of a result that a person books: its own, but not before the debit and not after today; all `yyyy-MM-dd`.
 * Return windows are calculated from it.
 */
export const countsOn = (effective_date: string, debited_on: string, today: string): string =>
  effective_date < debited_on ? debited_on : effective_date > today ? today : effective_date

/**
 * The manually recorded return that the bank confirms: of this debit, with this code and amount; the oldest one
 * (docs/rules/invoices.md).
 */
export const confirmedReturn = ({ code, amount, debit }: BankResultFacts): BookedReturn | null =>
  (debit && byHand(debit).find((each) => each.code === code && each.amount === amount)) ?? null

/**
 * The booked return that a dishonor is about: one with this amount that is not itself a contest. Returns reported by the bank
 * come before manual ones, then the oldest.
 */
export function dishonorableReturn({ amount, debit }: Pick<BankResultFacts, 'amount' | 'debit'>): BookedReturn | null {
  const booked = debit?.returns.filter((each) => each.amount === amount && familyOf(each.code) !== 'CONTESTED') ?? []
  return booked.find((each) => !each.by_hand) ?? booked[0] ?? null
}

/** The dishonored return that a contest is about: the oldest one with this amount that is not contested yet. */
export const contestableReturn = ({ amount, debit }: Pick<BankResultFacts, 'amount' | 'debit'>): DishonoredReturn | null =>
  debit?.dishonored.find((each) => each.amount === amount && !each.contested) ?? null

/** Whether a return takes effect, as of `as_of`, after the last day allowed for its code. */
export function isLate({ code, effective_date, debit, as_of }: Omit<DecidableResult, 'state'>): boolean {
  const last = debit?.settled_on ? lastReturnDate(code, debit.settled_on) : null
  return debit !== null && last !== null && countsOn(effective_date, debit.debited_on, as_of) > last
}

/**
 * Checks a settlement: of the whole debit, or of what returns left of it. If a person recorded a return that the bank has not
 * confirmed, only a matching amount is unambiguous.
 */
function settlementProblem({ amount }: BankResultFacts, debit: AnsweredDebit): BankResultProblem | null {
  if (debit.settled_on !== null) return 'SETTLED_BEFORE'
  const left = debit.amount - sumOf(debit.returns)
  if (byHand(debit).length > 0) return amount === left ? null : 'BY_HAND_DIFFERS'
  if (left <= 0) return 'ABOVE_DEBIT'
  return amount === left || amount === debit.amount ? null : 'AMOUNT_DIFFERS'
}

/** Why a return that confirms no manually recorded one is not booked automatically. */
function returnProblem(facts: BankResultFacts, debit: AnsweredDebit, today: string): BankResultProblem | null {
  const { code, amount } = facts
  const isSame = (each: { code: string; amount: number }) => each.code === code && each.amount === amount
  if (byHand(debit).length > 0) return 'BY_HAND_DIFFERS'
  if (debit.returns.some(isSame) || debit.dishonored.some(isSame)) return 'REPEATED'
  if (amount > debit.amount - sumOf(debit.returns)) return 'ABOVE_DEBIT'
  return isLate({ ...facts, as_of: today }) ? 'TOO_LATE' : null
}

/** Why a dishonored return is not booked automatically. */
function dishonorProblem(facts: BankResultFacts): BankResultProblem | null {
  const returned = dishonorableReturn(facts)
  if (!returned) return 'NO_RETURN'
  return returned.by_hand ? 'BY_HAND_DIFFERS' : null
}

/** Why a contested dishonored return is not booked automatically. */
function contestProblem(facts: BankResultFacts, debit: AnsweredDebit): BankResultProblem | null {
  if (!contestableReturn(facts)) return 'NO_DISHONOR'
  return facts.amount > debit.amount - sumOf(debit.returns) ? 'ABOVE_DEBIT' : null
}

/** Why a bank result is not booked automatically; null if it is. No result is ever dropped (docs/rules/invoices.md). */
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

/** Input of the rules about decisions. */
export interface DecidableResult extends BankResultFacts {
  state: string
  /** The business date. */
  as_of: string
}

/** Refuses a decision on a result that is not unmatched. */
export const canDecideResult = ({ state }: { state: string }): Refusal | null =>
  state === 'UNMATCHED' ? null : refuse('already-decided', 'This bank result was decided already.')

/** Refuses to take back a dismissal if the result is not dismissed. */
export const canReopenResult = ({ state }: { state: string }): Refusal | null =>
  state === 'DISMISSED' ? null : refuse('status-forbids', 'Only a dismissed bank result can be reopened.')

/** Refuses to book a result that moves no money: unknown codes and notices of change. */
export function validateBookable(code: string): Refusal | null {
  if (isNotice(code))
    return refuse('not-money', "A notice of change moves no money. Use 'Change number by notice of change', or dismiss it.")
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
 * Refuses a booking that contradicts the debit: it cannot settle twice, return more than was debited, be dishonored without a
 * return, or be contested without a dishonor.
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

/** Refuses to book a result in addition to what is booked. */
export const canBookResult = (facts: DecidableResult): Refusal | null =>
  canDecideResult(facts) ?? (facts.debit === null ? validateBookable(facts.code) : validateBooking(facts))

/** What a notice of change applies to; null unless exactly one billing account has the debited number. */
export interface NoticeFacts {
  state: string
  code: string
  billing_account: unknown
}

/** Refuses to change the number of a billing account unless a notice asks for it. */
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

/** The debit after unconfirmed manual returns are taken back. */
const withoutByHand = (debit: AnsweredDebit): AnsweredDebit => ({
  ...debit,
  returns: debit.returns.filter((each) => !each.by_hand),
})

/** Refuses to book a result in place of the manual returns. */
export function canReplaceReturns(facts: DecidableResult): Refusal | null {
  const refusal = canDecideResult(facts)
  if (refusal) return refusal
  return facts.debit && byHand(facts.debit).length > 0
    ? validateBooking({ ...facts, debit: withoutByHand(facts.debit) })
    : refuse('nothing-by-hand', 'There is no return recorded by hand that it could replace.')
}
