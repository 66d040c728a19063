import { statusAfterReversal } from '#domain/invoice-life.ts'
import { reconciliationOf } from '#domain/repayment.ts'
import { postShares, postingOf, returnedInLedger, saveAllocations } from '#server/tables/allocations.ts'
import { recordEvent } from '#server/tables/audit.ts'
import { answeredDebit } from '#server/tables/bank-results.ts'
import { saveDebit } from '#server/tables/debits.ts'
import { type InvoiceRow, lockInvoices } from '#server/tables/invoices.ts'
import { type MoneyMovement, moneyMoved } from '#server/tables/ledger.ts'
import type { RowKey } from '#server/tables/rows.ts'
import {
  type RepaymentRow,
  lockRepayment,
  oneRepayment,
  referenceOf,
  repaymentSnapshot,
  saveRepayment,
} from '#server/tables/repayments.ts'

/** Why a return is no longer in effect: a person took it back, or the bank dishonored it by that result. */
export type Reversal = { failure: 'TAKEN_BACK' } | { failure: 'DISHONORED'; dishonor_result_id: number }

const events: Record<Reversal['failure'], string> = { TAKEN_BACK: 'Return taken back', DISHONORED: 'Return dishonored' }

/**
 * Reverses a return: its money goes back to where it was taken from. The row stays without counting. Lock the returned repayment
 * first.
 */
export async function reverseReturn(moved: MoneyMovement, of: RowKey, reversal: Reversal): Promise<void> {
  const { tx, mover, now } = moved
  const back = (await lockRepayment(tx, null, of)) as RepaymentRow
  const { organization_id } = back
  const source = (await oneRepayment(tx, null, { id: back.returns_id as number, organization_id })) as RepaymentRow
  const touched = await lockInvoices(
    tx,
    null,
    organization_id,
    back.allocations.map((share) => share.invoice_id),
  )
  const shares = new Map(source.allocations.map((share) => [share.invoice_id, share.amount]))
  for (const { invoice_id, amount } of back.allocations) shares.set(invoice_id, (shares.get(invoice_id) ?? 0) - amount)
  const restored = [...shares].map(([invoice_id, amount]) => ({ invoice_id, amount }))
  const unallocated_amount = source.unallocated_amount - back.unallocated_amount
  const settled = source.ach_state !== 'PENDING'
  await saveAllocations(tx, back, [])
  await saveAllocations(tx, source, restored)
  if (settled) {
    await postShares(tx, mover, back, 'RETURN', new Map())
    // A return before the settlement posted nothing: the payment was posted without it.
    const posting = postingOf(restored, unallocated_amount, await returnedInLedger(tx, source))
    await postShares(tx, mover, source, 'PAYMENT', posting)
  }
  const failed = { ...reversal, reconciliation_status: 'FAILED', unallocated_amount: back.amount } as const
  const after = await saveRepayment(tx, back, failed, now)
  const failure = source.failure === 'RETURNED' ? null : source.failure
  const reconciliation_status = reconciliationOf({ failed: failure !== null, ach_state: source.ach_state, unallocated_amount })
  const remaining = await answeredDebit(tx, source)
  const return_code = remaining.returns.at(-1)?.code ?? null
  await saveRepayment(tx, source, { failure, return_code, unallocated_amount, reconciliation_status }, now)
  await saveDebit(tx, source)
  const status = (invoice: InvoiceRow) => statusAfterReversal(invoice, { settled, dishonored: reversal.failure === 'DISHONORED' })
  await moneyMoved(touched, { ...moved, text: referenceOf(source.id), status })
  await recordEvent(tx, {
    actor: mover,
    intent: moved.intent,
    command: moved.command ?? null,
    entity: 'repayment',
    entityId: String(back.id),
    status: events[reversal.failure],
    text: moved.text ?? null,
    before: repaymentSnapshot(back),
    after: repaymentSnapshot(after),
    version: after.version,
    idempotencyKey: moved.key ?? null,
  })
}

/** Takes back a return recorded by hand by mistake. */
export const takeReturnBack = (moved: MoneyMovement, of: RowKey): Promise<void> =>
  reverseReturn(moved, of, { failure: 'TAKEN_BACK' })
