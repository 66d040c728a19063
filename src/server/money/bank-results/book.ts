import { sql } from 'kysely'
import { confirmedReturn, isSettlement } from '#domain/bank-result.ts'
import { settleAch } from '#server/money/repayments/ach.ts'
import { confirmReturn, returnRepayment } from '#server/money/repayments/return.ts'
import type { Tx } from '#server/tables/database.ts'
import { type BankResultRow, answeredDebit } from '#server/tables/bank-results.ts'
import type { Mover } from '#server/tables/ledger.ts'

/**
 * Books a locked result of the bank on its repayment, which has to bear it: settles the debit, matches it to the return by
 * hand that says the same, or takes the return. It counts `on` a date, and of the invoices those that are `collected` manually
 * stay so while they owe something. The caller says what became of the result.
 */
export async function book(
  tx: Tx,
  mover: Mover,
  row: BankResultRow,
  repaymentId: number,
  now: Date,
  on = row.effective_date,
  collected: readonly number[] = [],
): Promise<void> {
  const { id, code, amount, addenda } = row
  if (isSettlement(code)) return settleAch(tx, mover, repaymentId, on, now)
  const matched = confirmedReturn({ ...row, debit: await answeredDebit(tx, repaymentId) })
  if (matched) return confirmReturn(tx, mover, matched.id, { bank_result_id: id, addenda }, now)
  const money = { return_code: code, amount, addenda: addenda || null, on, bank_result_id: id }
  await returnRepayment(tx, mover, repaymentId, money, now, collected)
}

/** The repayment of the debit that has this trace number; null where none has. */
export async function repaymentOfTrace(tx: Tx, trace: string): Promise<number | null> {
  const { rows } = await sql<{ repayment_id: number | null }>`
    select repayment_id from ach_debits where trace_number = ${trace}`.execute(tx)
  return rows[0]?.repayment_id ?? null
}
