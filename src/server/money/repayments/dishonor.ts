import { settleAch } from '#server/money/repayments/ach.ts'
import { type ReturnedMoney, returnRepayment } from '#server/money/repayments/return.ts'
import { reverseReturn } from '#server/money/repayments/take-back.ts'
import type { Tx } from '#server/tables/database.ts'
import { lockInvoices } from '#server/tables/invoices.ts'
import type { Mover } from '#server/tables/ledger.ts'
import type { RowKey } from '#server/tables/rows.ts'
import { type RepaymentRow, lockRepayment, saveRepayment } from '#server/tables/repayments.ts'

/**
 * Books that a return was dishonored: it was not accepted, so its money is back with the debit. A debit returned in full before
 * it settled counts as settled on that date, since the bank sends no other result. The returned repayment is locked.
 */
export async function dishonorReturn(
  tx: Tx,
  mover: Mover,
  of: RowKey,
  { bank_result_id, on }: { bank_result_id: number; on: string },
  now: Date,
): Promise<void> {
  const back = (await lockRepayment(tx, null, of)) as RepaymentRow
  const { organization_id } = back
  const source = (await lockRepayment(tx, null, { id: back.returns_id as number, organization_id })) as RepaymentRow
  const shares = [...source.allocations, ...back.allocations, ...(source.debited ? [source.debited] : [])]
  await lockInvoices(tx, null, organization_id, [...new Set(shares.map((share) => share.invoice_id))])
  const moved = { tx, mover, now, intent: 'repayment.dishonor', event: 'Return dishonored' }
  await reverseReturn(moved, back, { failure: 'DISHONORED', dishonor_result_id: bank_result_id })
  if (source.ach_state === 'PENDING' && source.returned_amount === source.amount) await settleAch(tx, mover, source, on, now)
}

/**
 * Books that the dishonor of a return was contested: the money goes back again, through a new return that cannot be dishonored.
 * The repayment is locked.
 */
export async function contestDishonor(
  tx: Tx,
  mover: Mover,
  repayment: RowKey,
  money: ReturnedMoney & { contests_id: number },
  now: Date,
): Promise<void> {
  await saveRepayment(tx, { ...repayment, id: money.contests_id }, { failure: 'CONTESTED' }, now)
  await returnRepayment(tx, mover, repayment, money, now)
}
