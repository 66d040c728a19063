/**
 * Kinds of ledger entries (docs/rules/money.md). ORIGINAL, WRITE_OFF, ROLLOVER_IN and PAYMENT raise their total; RETURN and
 * ROLLOVER_OUT are stored as positive amounts and lower what is paid. A payment back to the debtor is a negative PAYMENT. A
 * reversal has the same kind as its entry, the negated amount, and the entry's id in `reverses`.
 */
export const entryKinds = ['ORIGINAL', 'WRITE_OFF', 'ROLLOVER_IN', 'PAYMENT', 'RETURN', 'ROLLOVER_OUT'] as const
export type EntryKind = (typeof entryKinds)[number]

/** Kinds that raise the outstanding amount of an invoice; the others lower it. */
export const raisingKinds: readonly EntryKind[] = ['ORIGINAL', 'RETURN', 'ROLLOVER_OUT']

/** The effect of an entry on the outstanding amount, in cents. */
export const effectOnOutstanding = ({ kind, amount }: { kind: EntryKind; amount: number }): number =>
  raisingKinds.includes(kind) ? amount : -amount || 0
