import type { EntryKind } from '#domain/ledger.ts'

/** The summed amounts of a ledger entry; cents. */
interface LedgerAmounts {
  kind: EntryKind
  amount: number
}

/** Every total of an invoice, in cents. */
export interface Totals {
  original_amount: number
  writeoff_amount: number
  rollover_in_amount: number
  rollover_out_amount: number
  paid_amount: number
  invoice_amount: number
  outstanding_amount: number
}

/** The totals of one invoice's entries, in any order. */
export function totalsOf(entries: readonly LedgerAmounts[]): Totals {
  const sums: Record<EntryKind, number> = { ORIGINAL: 0, WRITE_OFF: 0, ROLLOVER_IN: 0, PAYMENT: 0, RETURN: 0, ROLLOVER_OUT: 0 }
  for (const { kind, amount } of entries) sums[kind] += amount
  const invoice = sums.ORIGINAL - sums.WRITE_OFF - sums.ROLLOVER_IN
  const paid = sums.PAYMENT - sums.RETURN - sums.ROLLOVER_OUT
  return {
    original_amount: sums.ORIGINAL,
    writeoff_amount: sums.WRITE_OFF,
    rollover_in_amount: sums.ROLLOVER_IN,
    rollover_out_amount: sums.ROLLOVER_OUT,
    paid_amount: paid,
    invoice_amount: invoice,
    outstanding_amount: invoice - paid,
  }
}

/**
 * The identity of docs/rules/money.md: invoice = original - writeoff - rollover in, outstanding = invoice - paid, whole cents.
 */
export const identityHolds = (totals: Totals): boolean =>
  Object.values(totals).every(Number.isSafeInteger) &&
  totals.invoice_amount === totals.original_amount - totals.writeoff_amount - totals.rollover_in_amount &&
  totals.outstanding_amount === totals.invoice_amount - totals.paid_amount

/**
 * The credit that rolled out and has not rolled in, over the entries of all invoices: equals the refunds in progress, otherwise 0
 * (conservation, docs/rules/money.md).
 */
export function waitingCredit(entries: readonly LedgerAmounts[]): number {
  const { rollover_in_amount, rollover_out_amount } = totalsOf(entries)
  return rollover_out_amount - rollover_in_amount
}
