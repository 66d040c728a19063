import type { Tx } from '#server/tables/database.ts'

/** A debit on its way to the bank; cents. */
export interface DebitOrder {
  /** 15 digits, never reused. */
  trace_number: string
  amount: number
  /** Nine digits. */
  routing_number: string
  account_number: string
}

/**
 * Debits bank accounts. Results arrive in the table `ach_results` at any time, and the clock processes them on their effective
 * date; a result that arrives twice is stored once, and the same one with another date is a different result.
 */
export interface PaymentProcessor {
  /**
   * Submits debits on a banking day, `yyyy-MM-dd`, in the transaction that records the submission; a trace number submitted twice
   * is one debit.
   */
  submit: (tx: Tx, debits: readonly DebitOrder[], on: string) => Promise<void>
}

/** The trace number of a debit: the bank's eight digits, then the id of the debit. */
export const traceNumberOf = (debitId: number): string => `09100001${String(debitId).padStart(7, '0')}`
