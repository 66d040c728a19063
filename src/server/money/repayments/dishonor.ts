import { settleAch } from '#server/money/repayments/ach.ts'
import { type ReturnedMoney, returnRepayment } from '#server/money/repayments/return.ts'
import { reverseReturn } from '#server/money/repayments/take-back.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockInvoices } from '#server/tables/invoices.ts'
import type { Mover } from '#server/tables/ledger.ts'
import { type RepaymentRow, lockRepayment, saveRepayment } from '#server/tables/repayments.ts'

/**
 * Books that a return was dishonored: it was not accepted, so its money is back with the debit. A debit returned in full before
 * it settled counts as settled on that date, since the bank sends no other result. The returned repayment is locked.
 */
export async function dishonorReturn(
  tx: Tx,
  mover: Mover,
  returnId: number,
  { bank_result_id, on }: { bank_result_id: number; on: string },
  now: Date,
): Promise<void> {
  const back = (await lockRepayment(tx, null, returnId)) as RepaymentRow
  const source = (await lockRepayment(tx, null, back.returns_id as number)) as RepaymentRow
  const shares = [...source.allocations, ...back.allocations, ...(source.debited ? [source.debited] : [])]
  await lockInvoices(tx, null, [...new Set(shares.map((share) => share.invoice_id))])
  const moved = { tx, mover, now, intent: 'repayment.dishonor', event: 'Return dishonored' }
  await reverseReturn(moved, returnId, { failure: 'DISHONORED', dishonor_result_id: bank_result_id })
  if (source.ach_state === 'PENDING' && source.returned_amount === source.amount) await settleAch(tx, mover, source.id, on, now)
}

/**
 * Books that the dishonor of a return was contested: the money goes back again, through a new return that cannot be dishonored.
 * The repayment is locked.
 */
export async function contestDishonor(
  tx: Tx,
  mover: Mover,
  repaymentId: number,
  money: ReturnedMoney & { contests_id: number },
  now: Date,
): Promise<void> {
  await saveRepayment(tx, money.contests_id, { failure: 'CONTESTED' }, now)
  await returnRepayment(tx, mover, repaymentId, money, now)
}
