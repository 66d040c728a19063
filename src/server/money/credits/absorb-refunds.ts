import type { Tx } from '#server/tables/database.ts'
import { type CreditRow, saveCredit, waitingRefunds } from '#server/tables/credits.ts'
import { type InvoiceRow, lockInvoices, oneInvoice } from '#server/tables/invoices.ts'
import { moneyMoved, post, service } from '#server/tables/ledger.ts'
import type { RowOrId } from '#server/tables/rows.ts'

/**
 * Absorbs the refunds waiting for a DRAFT invoice, oldest first, up to its outstanding amount; the source invoice of a fully
 * absorbed refund becomes REFUNDED, or CLOSED while something is still overpaid (INV-021). Call it when an invoice leaves DRAFT,
 * before anything else in the transaction locks an invoice: it locks all of them. Returns the locked invoice; null when it is not
 * a DRAFT any more.
 */
export async function absorbRefunds(tx: Tx, of: RowOrId, now: Date): Promise<InvoiceRow | null> {
  const seen = await oneInvoice(tx, null, of)
  if (!seen) return null
  const { id: invoiceId, organization_id } = seen
  const sources = new Set((await waitingRefunds(tx, seen)).map((credit) => credit.invoice_id))
  const locked = await lockInvoices(tx, null, organization_id, [...sources, invoiceId])
  const invoice = locked.find((row) => row.id === invoiceId) as InvoiceRow
  if (invoice.status !== 'DRAFT') return null
  // Read again under the locks: a refund may have been cancelled or absorbed during the wait.
  const waiting = (await waitingRefunds(tx, invoice)).filter((credit) => sources.has(credit.invoice_id))
  const absorptions = shareOut(waiting, invoice.outstanding_amount)
  if (absorptions.length === 0) return invoice
  for (const { credit, amount } of absorptions)
    await saveCredit(tx, credit, { amount: credit.amount, absorbed: credit.absorbed_amount + amount })
  await post(
    tx,
    service,
    invoice.organization_id,
    absorptions.map(({ credit, amount }) => ({
      invoice_id: invoiceId,
      kind: 'ROLLOVER_IN' as const,
      amount,
      credit_id: credit.id,
      counter_invoice_id: credit.invoice_id,
    })),
  )
  const touched = locked.filter((row) => row.id === invoiceId || absorptions.some((part) => part.credit.invoice_id === row.id))
  const after = await moneyMoved(touched, {
    tx,
    mover: service,
    intent: 'invoice.absorb-refund',
    event: 'Refund absorbed',
    now,
  })
  return after.find((row) => row.id === invoiceId) ?? null
}

interface AbsorbedRefund {
  credit: CreditRow
  amount: number
}

function shareOut(waiting: readonly CreditRow[], outstanding: number): AbsorbedRefund[] {
  let remaining = outstanding
  const absorptions: AbsorbedRefund[] = []
  for (const credit of waiting) {
    const amount = Math.min(remaining, credit.amount - credit.absorbed_amount)
    if (amount <= 0) break
    absorptions.push({ credit, amount })
    remaining -= amount
  }
  return absorptions
}
