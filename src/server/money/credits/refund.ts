import {
  validateRefund,
  validateRefundCancelled,
  refundAfterReturn as judgeReturned,
  waitingAmountOf,
} from '#domain/overpayment.ts'
import { Refused } from '#server/http-error.ts'
import { type CreditRow, makeCredit, saveCredit, waitingRefundOf } from '#server/tables/credits.ts'
import type { InvoiceRow } from '#server/tables/invoices.ts'
import { type MoneyMovement, moneyMoved, post, postAndUpdate, reversalOf, effectiveEntries } from '#server/tables/ledger.ts'

/**
 * Moves overpaid money of a locked invoice into a refund that waits for the debtor's next invoice (INV-021, docs/rules/money.md);
 * an existing waiting refund grows.
 */
export async function requestRefund(moved: MoneyMovement, invoice: InvoiceRow, amount: number): Promise<InvoiceRow> {
  const refusal = validateRefund(invoice, amount)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  const waiting = await waitingRefundOf(moved.tx, invoice)
  if (waiting) await saveCredit(moved.tx, waiting, { amount: waiting.amount + amount, absorbed: waiting.absorbed_amount })
  const credit_id = waiting?.id ?? (await makeCredit(moved.tx, 'REFUND', invoice, amount))
  const [after] = await postAndUpdate(
    [invoice],
    { ...moved, own: invoice.id, status: () => 'REFUND_IN_PROGRESS' },
    invoice.organization_id,
    [{ invoice_id: invoice.id, kind: 'ROLLOVER_OUT', amount, credit_id }],
  )
  return after as InvoiceRow
}

/**
 * Puts the unabsorbed part of a refund, or `amount` of it, back into its locked invoice, which is CLOSED again once nothing
 * waits. The absorbed part stays; this ends a refund whose debtor gets no further invoice.
 */
export async function takeRefundBack(
  moved: MoneyMovement,
  invoice: InvoiceRow,
  amount: number = waitingAmountOf(invoice.refund),
): Promise<InvoiceRow> {
  const refusal = validateRefundCancelled(invoice, amount)
  if (refusal) throw new Refused(409, refusal.code, refusal.sentence)
  const credit = await waitingRefundOf(moved.tx, invoice)
  if (!credit) throw new Error(`No refund of INV-${invoice.id} waits.`)
  await shrinkRefund(moved, credit, { amount: credit.amount - amount, absorbed: credit.absorbed_amount })
  const [after] = await moneyMoved([invoice], { ...moved, own: invoice.id })
  return after as InvoiceRow
}

/**
 * After money of a locked invoice came back, reduces its waiting refund by what the invoice now owes, since that part is no
 * longer overpaid.
 */
export async function refundAfterReturn(moved: Pick<MoneyMovement, 'tx' | 'mover'>, invoice: InvoiceRow): Promise<void> {
  const credit = await waitingRefundOf(moved.tx, invoice)
  if (!credit) return
  const { taken, left } = judgeReturned(credit, invoice.outstanding_amount)
  if (taken > 0) await shrinkRefund(moved, credit, { amount: left, absorbed: credit.absorbed_amount })
}

async function shrinkRefund(
  { tx, mover }: Pick<MoneyMovement, 'tx' | 'mover'>,
  credit: Pick<CreditRow, 'id' | 'organization_id'>,
  left: { amount: number; absorbed: number },
): Promise<void> {
  const out = (await effectiveEntries(tx, credit.organization_id, { credit_id: credit.id })).filter(
    (entry) => entry.kind === 'ROLLOVER_OUT',
  )
  await saveCredit(tx, credit, left)
  await post(tx, mover, credit.organization_id, [
    ...out.map((entry) => reversalOf(entry, { credit_id: credit.id })),
    ...out.slice(0, 1).map(({ invoice_id }) => ({
      invoice_id,
      kind: 'ROLLOVER_OUT' as const,
      amount: left.amount,
      credit_id: credit.id,
    })),
  ])
}
