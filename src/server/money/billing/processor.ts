import type { Tx } from '#server/tables/database.ts'

/** A debit on its way to the bank; cents. */
export interface DebitOrder {
  /** 15 digits, never used again. */
  trace_number: string
  amount: number
  /** Nine digits. */
  routing_number: string
  account_number: string
}

/**
 * Who debits accounts. What becomes of a debit arrives in the table `ach_results`, whenever it does, and is taken in by the
 * clock on its effective date; a result that arrives twice is one row, the same one with another date is another.
 */
export interface PaymentProcessor {
  /** Hands debits over on a banking day, `yyyy-MM-dd`, in the transaction that says they were; the same trace number twice is one debit. */
  submit: (tx: Tx, debits: readonly DebitOrder[], on: string) => Promise<void>
}

/** The trace number of a debit: the bank's eight digits, then the debit's number. */
export const traceNumberOf = (debitId: number): string => `09100001${String(debitId).padStart(7, '0')}`
