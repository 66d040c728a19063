import type { WithdrawLimitType } from '#domain/configuration.ts'
import { refusedForGood } from '#domain/employee.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** Withdrawal terms of an employer's configuration; cents, basis points for a share. */
export interface WithdrawTerms {
  withdraw_limit_type: WithdrawLimitType
  withdraw_limit_amount: number
  withdraw_amount_max: number
  requests_per_cycle: number
}

/** The figures of a work period, in cents. */
export interface PeriodAmounts {
  /** The share of earnings that may be withdrawn, or the fixed amount, at most the maximum. */
  limit_amount: number
  taken_amount: number
  pending_amount: number
}

/** The limit for earnings in cents: their share, or the fixed amount, at most the maximum (docs/rules/employees.md). */
export function limitOf(earned: number, terms: Omit<WithdrawTerms, 'requests_per_cycle'>): number {
  const limit =
    terms.withdraw_limit_type === 'PERCENTAGE'
      ? Math.floor((earned * terms.withdraw_limit_amount) / 10_000)
      : terms.withdraw_limit_amount
  return Math.max(0, Math.min(limit, terms.withdraw_amount_max))
}

/** Cents still available: never negative (docs/rules/employees.md). */
export const availableOf = ({ limit_amount, taken_amount, pending_amount }: PeriodAmounts): number =>
  Math.max(0, limit_amount - taken_amount - pending_amount)

/** Totals of transactions, including fees, COMPLETE as taken and PENDING as pending; cents. */
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
  /** Requests of the cycle, by the current configuration. */
  per_cycle: number
  /** Granted by staff in addition. */
  granted: number
  /** Used up by transactions. */
  used: number
  /** Number used when the last additional one was granted; null if none was. */
  used_before_grant: number | null
}

/** Whether an additional transaction was granted and is unused. */
export const isGrantOpen = ({ used, used_before_grant }: Requests): boolean =>
  used_before_grant !== null && used <= used_before_grant

/**
 * Number of requests left. An open grant leaves exactly one more than were used when it was granted, whatever the configured
 * requests per cycle (docs/rules/employees.md); requests that failed since can be repeated.
 */
export const requestsLeft = (requests: Requests): number => {
  const { per_cycle, granted, used, used_before_grant } = requests
  return isGrantOpen(requests) ? (used_before_grant ?? 0) + 1 - used : Math.max(0, per_cycle + granted - used)
}

/** Messages for an employee without a balance, by key of the error catalogue (EMP-017, ERR-018). */
export const balanceMessages = { 'employee-details.balance-error': 'The balance cannot be loaded.' } as const

/** Refuses what needs a balance that cannot be loaded. */
export const noBalance = (): Refusal => refuse('balance-not-loaded', balanceMessages['employee-details.balance-error'])

/** Input of the rule below; the server adds the balance to adjust. */
export interface AdjustmentFacts {
  /** Null if it is masked. */
  status: string | null
  balance?: object | null
  /** The period of the balance to adjust. */
  period?: { is_open: boolean }
}

/** Refuses to adjust a balance of an employee who has left for good, and of a completed period, whose invoice is corrected instead. */
export function canAdjustBalance({ status, balance, period }: AdjustmentFacts): Refusal | null {
  const refusal = refusedForGood({ status })
  if (refusal) return refusal
  if (balance === null) return noBalance()
  return period && !period.is_open ? refuse('period-over', 'This work period is over.') : null
}
