import { configured, formatCents, percentOf } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** Input of the rules about overpaid invoices; amounts in cents. */
export interface OverpaidFacts {
  outstanding_amount: number
}

export interface RolloverFacts extends OverpaidFacts {
  paid_amount: number
  invoice_amount: number
  /** Basis points of the invoice amount; missing counts as 0 and disables the rollover. */
  allowed_rollover_percentage?: number | null
  /** What has rolled over from it before; defaults to 0. */
  rolled_over_amount?: number | null
}

/** The overpaid amount, in cents; 0 if nothing is overpaid. */
export const overpaidOf = (facts: OverpaidFacts): number => Math.max(0, -facts.outstanding_amount)

type ShareFacts = Pick<RolloverFacts, 'invoice_amount' | 'allowed_rollover_percentage' | 'rolled_over_amount'>

/** The unused part of the allowed percentage: all rollovers out of an invoice count together (docs/rules/money.md). */
const allowedShare = (facts: ShareFacts): number =>
  Math.max(0, percentOf(facts.invoice_amount, configured(facts.allowed_rollover_percentage)) - (facts.rolled_over_amount ?? 0))

const aboveShare = (facts: ShareFacts): Refusal =>
  refuse(
    'rollover-above-percentage',
    `At most ${configured(facts.allowed_rollover_percentage) / 100}% of the invoice may roll over${
      facts.rolled_over_amount ? ', all rollovers together' : ''
    }: ${formatCents(allowedShare(facts))}${facts.rolled_over_amount ? ' more' : ''}.`,
  )

/** Maximum rollover, in cents: the minimum of overpaid, paid, and the rest of the allowed percentage (INV-022). */
export const rolloverCap = (facts: RolloverFacts): number =>
  Math.max(0, Math.min(overpaidOf(facts), facts.paid_amount, allowedShare(facts)))

/** Maximum refund, in cents: the whole overpaid amount, whatever the percentage (docs/rules/money.md). */
export const refundCap = (facts: OverpaidFacts): number => overpaidOf(facts)

/** Refuses a rollover if the allowed percentage is missing or 0 (CONST-011), or used up (docs/rules/money.md). */
export function validateRolloverAllowed(facts: ShareFacts): Refusal | null {
  if (configured(facts.allowed_rollover_percentage) === 0)
    return refuse('rollover-disabled', 'Rollover is switched off: no rollover percentage is configured.')
  return facts.rolled_over_amount && allowedShare(facts) === 0 ? aboveShare(facts) : null
}

const whole = (amount: number): Refusal | null =>
  Number.isSafeInteger(amount) ? null : refuse('amount-invalid', 'Enter an amount in whole cents.')

const remaining = (facts: OverpaidFacts, amount: number): Refusal | null =>
  amount > overpaidOf(facts)
    ? refuse('remaining-negative', `The remaining amount cannot be negative. ${formatCents(overpaidOf(facts))} is overpaid.`)
    : null

/** Refuses the amount of a rollover (INV-022, INV-023, INV-024 and the allowed percentage). */
export function validateRollover(facts: RolloverFacts, amount: number): Refusal | null {
  const refusal = validateRolloverAllowed(facts) ?? whole(amount)
  if (refusal) return refusal
  if (amount < 0) return refuse('rollover-below-zero', 'The rollover amount cannot be less than 0.')
  if (amount === 0) return refuse('amount-required', 'Enter the amount to roll over.')
  if (amount > facts.paid_amount) return refuse('rollover-above-paid', 'The rollover amount cannot be more than the paid amount.')
  const over = remaining(facts, amount)
  if (over) return over
  return amount > allowedShare(facts) ? aboveShare(facts) : null
}

/**
 * Refuses a rollover of this amount to the debtor's next invoice: there has to be one, and it takes at most what it owes
 * (docs/rules/money.md).
 */
export function validateNextInvoice(amount: number, next: { number: string; outstanding_amount: number } | null): Refusal | null {
  if (!next) return refuse('no-next-invoice', 'There is no next invoice that could take this money. Refund it, or pay it back.')
  return amount > next.outstanding_amount
    ? refuse(
        'above-next-invoice',
        `The next invoice ${next.number} owes ${formatCents(Math.max(0, next.outstanding_amount))}, so no more than that can roll over.`,
      )
    : null
}

/** A refund that waits for the next invoice; cents. */
export interface WaitingRefund {
  amount: number
  absorbed_amount: number
}

/**
 * The state of a waiting refund after its invoice owes money again, in cents: `taken` goes back into the invoice. If nothing is
 * left, the refund ends as CANCELLED, or as ABSORBED if a part was absorbed before.
 */
export function refundAfterReturn(
  refund: WaitingRefund,
  outstanding: number,
): { taken: number; left: number; ended: 'CANCELLED' | 'ABSORBED' | null } {
  const taken = Math.max(0, Math.min(outstanding, refund.amount - refund.absorbed_amount))
  const left = refund.amount - taken
  const ends = taken > 0 && left <= refund.absorbed_amount
  return { taken, left, ended: ends ? (left === 0 ? 'CANCELLED' : 'ABSORBED') : null }
}

/** The part of a refund that no invoice has absorbed, in cents, and that can be cancelled; 0 if no refund waits. */
export const waitingAmountOf = (refund: (WaitingRefund & { state: string }) | null | undefined): number =>
  refund?.state === 'WAITING' ? refund.amount - refund.absorbed_amount : 0

/** Refuses to cancel this amount of a refund: above 0, at most what is waiting. */
export function validateRefundCancelled(
  { refund }: { refund?: (WaitingRefund & { state: string }) | null },
  amount: number,
): Refusal | null {
  const waits = waitingAmountOf(refund)
  return (
    whole(amount) ??
    (amount > 0 && amount <= waits
      ? null
      : refuse('amount-invalid', `At most ${formatCents(waits)} of this refund can be cancelled.`))
  )
}

/** Refuses the amount of a refund: above 0, at most what was overpaid (INV-024). */
export function validateRefund(facts: OverpaidFacts, amount: number): Refusal | null {
  const refusal = whole(amount)
  if (refusal) return refusal
  if (amount < 0) return refuse('refund-below-zero', 'The refund amount cannot be less than 0.')
  if (amount === 0) return refuse('amount-required', 'Enter the amount to refund.')
  return remaining(facts, amount)
}
