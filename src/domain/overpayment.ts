import { configured, formatCents, percentOf } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** What the rules of an overpaid invoice read; amounts in cents. */
export interface OverpaidFacts {
  outstanding_amount: number
}

export interface RolloverFacts extends OverpaidFacts {
  paid_amount: number
  invoice_amount: number
  /** Basis points of the invoice amount; missing is 0 and disables the rollover. */
  allowed_rollover_percentage?: number | null
}

/** How much more was paid than is owed, in cents; 0 when nothing is over. */
export const overpaidOf = (facts: OverpaidFacts): number => Math.max(0, -facts.outstanding_amount)

const allowedShare = (facts: RolloverFacts): number =>
  Math.max(0, percentOf(facts.invoice_amount, configured(facts.allowed_rollover_percentage)))

/** The most that may roll over, in cents: the least of overpaid, paid, and the allowed percentage of the invoice (INV-022). */
export const rolloverCap = (facts: RolloverFacts): number =>
  Math.max(0, Math.min(overpaidOf(facts), facts.paid_amount, allowedShare(facts)))

/** The most that may be refunded, in cents: all that was overpaid, whatever the percentage (decisions section 5). */
export const refundCap = (facts: OverpaidFacts): number => overpaidOf(facts)

/** Refuses a rollover while the allowed percentage is missing or 0 (CONST-011, decisions section 5). */
export const judgeRolloverAllowed = (facts: { allowed_rollover_percentage?: number | null }): Refusal | null =>
  configured(facts.allowed_rollover_percentage) === 0
    ? refuse('rollover-disabled', 'Rollover is switched off: no rollover percentage is configured.')
    : null

const whole = (amount: number): Refusal | null =>
  Number.isSafeInteger(amount) ? null : refuse('amount-invalid', 'Enter an amount in whole cents.')

const remaining = (facts: OverpaidFacts, amount: number): Refusal | null =>
  amount > overpaidOf(facts)
    ? refuse('remaining-negative', `The remaining amount cannot be negative. ${formatCents(overpaidOf(facts))} is overpaid.`)
    : null

/** Refuses the amount of a rollover (INV-022, INV-023, INV-024 and the allowed percentage). */
export function judgeRollover(facts: RolloverFacts, amount: number): Refusal | null {
  const refusal = judgeRolloverAllowed(facts) ?? whole(amount)
  if (refusal) return refusal
  if (amount < 0) return refuse('rollover-below-zero', 'The rollover amount cannot be less than 0.')
  if (amount === 0) return refuse('amount-required', 'Enter the amount to roll over.')
  if (amount > facts.paid_amount) return refuse('rollover-above-paid', 'The rollover amount cannot be more than the paid amount.')
  const over = remaining(facts, amount)
  if (over) return over
  const allowed = allowedShare(facts)
  if (amount > allowed)
    return refuse(
      'rollover-above-percentage',
      `At most ${configured(facts.allowed_rollover_percentage) / 100}% of the invoice may roll over: ${formatCents(allowed)}.`,
    )
  return null
}

/** Refuses the amount of a refund: above 0, at most what was overpaid (INV-024). */
export function judgeRefund(facts: OverpaidFacts, amount: number): Refusal | null {
  const refusal = whole(amount)
  if (refusal) return refusal
  if (amount < 0) return refuse('refund-below-zero', 'The refund amount cannot be less than 0.')
  if (amount === 0) return refuse('amount-required', 'Enter the amount to refund.')
  return remaining(facts, amount)
}
