import { type StateOf, states } from '#domain/status.ts'

/** Statuses of a transaction (TRX-001 to TRX-004). */
export const transactionStatuses = states({
  PENDING: ['Pending', 'wait'],
  COMPLETE: ['Complete', 'good'],
  FAIL: ['Failed', 'bad'],
  DELETED: ['Deleted', 'bad'],
})
export type TransactionStatus = StateOf<typeof transactionStatuses>

/** The two payment processors that pay out transactions (ENUM-027). Only listed here. */
export const transactionProviders = ['NORTHRAIL', 'CARDBRIDGE'] as const
export type TransactionProvider = (typeof transactionProviders)[number]

/** Labels of the processors. */
export const providerLabels: Record<TransactionProvider, string> = { NORTHRAIL: 'Northrail', CARDBRIDGE: 'Cardbridge' }

/** Label of a processor; an unknown one is shown as is. */
export const providerOf = (provider: string): string => (providerLabels as Record<string, string>)[provider] ?? provider

/** Statuses that use up a request of the cycle; failed and deleted ones can be requested again. */
export const usesRequest: readonly TransactionStatus[] = ['PENDING', 'COMPLETE']
