import type { WithdrawLimitType } from '#domain/configuration.ts'
import { refusedForGood } from '#domain/employee.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** What the configuration of an employer says about drawing wages; cents, basis points for a share. */
export interface WithdrawTerms {
  withdraw_limit_type: WithdrawLimitType
  withdraw_limit_amount: number
  withdraw_amount_max: number
  requests_per_cycle: number
}

/** The figures of a work period, in cents. */
export interface PeriodAmounts {
  /** The share of what was earned that may be drawn, or the fixed amount, at most the maximum. */
  limit_amount: number
  taken_amount: number
  pending_amount: number
}

/** Cents that may be drawn of what was earned: its share, or the fixed amount, at most the maximum (rules 7). */
export function limitOf(earned: number, terms: Omit<WithdrawTerms, 'requests_per_cycle'>): number {
  const limit =
    terms.withdraw_limit_type === 'PERCENTAGE'
      ? Math.floor((earned * terms.withdraw_limit_amount) / 10_000)
      : terms.withdraw_limit_amount
  return Math.max(0, Math.min(limit, terms.withdraw_amount_max))
}

/** Cents that are left to be drawn: never less than nothing (rules 7). */
export const availableOf = ({ limit_amount, taken_amount, pending_amount }: PeriodAmounts): number =>
  Math.max(0, limit_amount - taken_amount - pending_amount)

/** What transactions come to: each counts with its fee, COMPLETE as taken and PENDING as pending; cents. */
export function drawnBy(
  transactions: Iterable<{ status: string; amount: number; fee_amount: number }>,
): Pick<PeriodAmounts, 'taken_amount' | 'pending_amount'> {
  const drawn = { taken_amount: 0, pending_amount: 0 }
  for (const { status, amount, fee_amount } of transactions) {
    if (status === 'COMPLETE') drawn.taken_amount += amount + fee_amount
    if (status === 'PENDING') drawn.pending_amount += amount + fee_amount
  }
  return drawn
}

/** The requests of one work period. */
export interface Requests {
  /** Of its cycle, by the configuration now. */
  per_cycle: number
  /** Granted by staff in addition. */
  granted: number
  /** Used up by transactions. */
  used: number
  /** How many were used when the last additional one was granted; null where none was. */
  used_before_grant: number | null
}

/** Whether an additional transaction was granted that is not used yet. */
export const isGrantOpen = ({ used, used_before_grant }: Requests): boolean =>
  used_before_grant !== null && used <= used_before_grant

/**
 * Requests that are left. An open grant leaves exactly one more than were used when it was given, whatever requests per cycle was
 * or becomes (rules 7); requests that failed since can be made again.
 */
export const requestsLeft = (requests: Requests): number => {
  const { per_cycle, granted, used, used_before_grant } = requests
  return isGrantOpen(requests) ? (used_before_grant ?? 0) + 1 - used : Math.max(0, per_cycle + granted - used)
}

/** What is said where an employee has no balance to be told, by its key in the error catalogue (EMP-017, ERR-018). */
export const balanceMessages = { 'employee-details.balance-error': 'The balance cannot be loaded.' } as const

/** Refuses what rests on a balance that cannot be loaded. */
export const noBalance = (): Refusal => refuse('balance-not-loaded', balanceMessages['employee-details.balance-error'])

/** What the rule below reads of an employee; the server adds which balance is meant. */
export interface AdjustmentFacts {
  /** Null where it is masked. */
  status: string | null
  balance?: object | null
  /** Of the balance that is meant. */
  period?: { is_open: boolean }
}

/** Refuses to adjust a balance: of who is gone for good, and of a period that is over, whose invoice is corrected instead. */
export function canAdjustBalance({ status, balance, period }: AdjustmentFacts): Refusal | null {
  const refusal = refusedForGood({ status })
  if (refusal) return refusal
  if (balance === null) return noBalance()
  return period && !period.is_open ? refuse('period-over', 'This work period is over.') : null
}
