import { type StateOf, states } from '#domain/status.ts'

/** Where a transaction stands: what was asked for, and what became of it (TRX-001 to TRX-004). */
export const transactionStatuses = states({
  PENDING: ['Pending', 'wait'],
  COMPLETE: ['Complete', 'good'],
  FAIL: ['Failed', 'bad'],
  DELETED: ['Deleted', 'bad'],
})
export type TransactionStatus = StateOf<typeof transactionStatuses>

/** Who pays a transaction out: the two payment processors (ENUM-027). Nothing else names them. */
export const transactionProviders = ['NORTHRAIL', 'CARDBRIDGE'] as const
export type TransactionProvider = (typeof transactionProviders)[number]

/** Processors by value. */
export const providerLabels: Record<TransactionProvider, string> = { NORTHRAIL: 'Northrail', CARDBRIDGE: 'Cardbridge' }

/** What a person reads of a processor; one that nobody knows is shown as it came. */
export const providerOf = (provider: string): string => (providerLabels as Record<string, string>)[provider] ?? provider

/** Statuses that use up a request of the cycle: what failed or was deleted may be asked for again. */
export const usesRequest: readonly TransactionStatus[] = ['PENDING', 'COMPLETE']
