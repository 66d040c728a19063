import { familyOf } from '#domain/ach-codes.ts'
import { confirmedReturn, contestableReturn, dishonorableReturn, validateBookable } from '#domain/bank-result.ts'
import { settleAch } from '#server/money/repayments/ach.ts'
import { contestDishonor, dishonorReturn } from '#server/money/repayments/dishonor.ts'
import { confirmReturn, returnRepayment } from '#server/money/repayments/return.ts'
import { Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import { type BankResultRow, answeredDebit } from '#server/tables/bank-results.ts'
import type { Mover } from '#server/tables/ledger.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { selectOne } from '#server/postgres/select.ts'

/**
 * Books a locked bank result on its repayment, which must be able to take it: settles the debit, matches it to the same return
 * recorded by hand, books the return, gives the money of a dishonored return back to the debit, or takes it again when the
 * dishonor is contested. It takes effect `on` a date; `collected` invoices stay collected manually while they owe something. The
 * caller saves the outcome of the result. Throws `Refused` for a code that moves no money.
 */
export async function book(
  tx: Tx,
  mover: Mover,
  row: BankResultRow,
  repayment: RowKey,
  now: Date,
  on = row.effective_date,
  collected: readonly number[] = [],
): Promise<void> {
  const { id, code, amount, addenda } = row
  const unbookable = validateBookable(code)
  if (unbookable) throw new Refused(409, unbookable.code, unbookable.sentence)
  const family = familyOf(code)
  if (family === 'SETTLEMENT') return settleAch(tx, mover, repayment, on, now)
  const facts = { ...row, debit: await answeredDebit(tx, repayment) }
  const keyFor = (id: number): RowKey => ({ id, organization_id: repayment.organization_id })
  if (family === 'DISHONORED') {
    const returned = dishonorableReturn(facts)
    if (!returned) throw new Error(`Bank result ${id} dishonors no return of REP-${repayment.id}.`)
    return dishonorReturn(tx, mover, keyFor(returned.id), { bank_result_id: id, on }, now)
  }
  const money = { return_code: code, amount, addenda: addenda || null, on, bank_result_id: id, collected }
  if (family === 'CONTESTED') {
    const dishonored = contestableReturn(facts)
    if (!dishonored) throw new Error(`Bank result ${id} contests no dishonored return of REP-${repayment.id}.`)
    return contestDishonor(tx, mover, repayment, { ...money, contests_id: dishonored.id }, now)
  }
  const matched = confirmedReturn(facts)
  if (matched) return confirmReturn(tx, mover, keyFor(matched.id), { bank_result_id: id, addenda }, now)
  await returnRepayment(tx, mover, repayment, money, now)
}

/** The repayment of the debit with this trace number; null if there is none. */
export const repaymentOfTrace = (tx: Tx, trace: string): Promise<RowKey | null> =>
  selectOne<RowKey>(tx)`
    select repayment_id as id, organization_id from ach_debits where trace_number = ${trace} and repayment_id is not null`
