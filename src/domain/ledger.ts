/**
 * The kinds of a ledger entry, rules 1. ORIGINAL, WRITE_OFF, ROLLOVER_IN and PAYMENT raise their total; RETURN and
 * ROLLOVER_OUT are stored positive and lower what is paid. A payment back to the debtor is a negative PAYMENT. What undoes an
 * entry is of the same kind, has the negative amount, and names it in `reverses`.
 */
export const entryKinds = ['ORIGINAL', 'WRITE_OFF', 'ROLLOVER_IN', 'PAYMENT', 'RETURN', 'ROLLOVER_OUT'] as const
export type EntryKind = (typeof entryKinds)[number]

/** The kinds that make what an invoice owes larger; the others make it smaller. */
export const raisingKinds: readonly EntryKind[] = ['ORIGINAL', 'RETURN', 'ROLLOVER_OUT']

/** What an entry does to what is outstanding, in cents. */
export const effectOnOutstanding = ({ kind, amount }: { kind: EntryKind; amount: number }): number =>
  raisingKinds.includes(kind) ? amount : -amount || 0
