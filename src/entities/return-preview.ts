import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { shareReturn } from '#domain/allocation.ts'
import { refundAfterReturn } from '#domain/overpayment.ts'
import { amountRow, previewOf } from '#entities/invoice-preview.ts'
import type { PreviewRow, Read } from '#kernel/command.ts'
import { readAll } from '#kernel/read-all.ts'

/** An invoice of a repayment that came back, with everything else that was paid for it. */
export interface ReturnedInvoice {
  invoice: Invoice
  repayments: readonly Repayment[]
}

/** Reads the invoices of a repayment, and everything else that was paid for them. */
export const readReturned = (one: Repayment, read: Read): Promise<ReturnedInvoice[]> =>
  Promise.all(
    one.allocations.map(async ({ invoice_id: id }) => {
      const [invoice, repayments] = await Promise.all([
        read(getInvoice, { id }),
        readAll<Repayment>(
          (query) => read(listRepayments, {}, { ...query, 'invoice-id': String(id) }),
          (answer) => (answer as { repayments: Repayment[] }).repayments,
        ),
      ])
      return { invoice: invoice as Invoice, repayments }
    }),
  )

const shareOf = (one: Repayment, invoiceId: number): number =>
  one.allocations.find((share) => share.invoice_id === invoiceId)?.amount ?? 0

/** Before and after of a repayment of which so many cents come back, and of every invoice that owes them again. */
export function previewReturn(one: Repayment, amount: number, touched: readonly ReturnedInvoice[]): PreviewRow[] {
  const parts = shareReturn(amount, one.allocations, one.unallocated_amount)
  return [
    ...amountRow(one.reference_id, 'returned', one.returned_amount, one.returned_amount + amount),
    ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, one.unallocated_amount - parts.unallocated_amount),
    ...parts.allocations.flatMap((part) => {
      const of = touched.find((each) => each.invoice.id === part.invoice_id)
      return of && part.amount > 0 ? previewInvoice(one, part.amount, of) : []
    }),
  ]
}

function previewInvoice(one: Repayment, back: number, { invoice, repayments }: ReturnedInvoice): PreviewRow[] {
  const counted = one.allocations.some((share) => share.invoice_id === invoice.id && share.counted)
  const taken = counted ? back : 0
  const waiting = invoice.refund?.state === 'WAITING' ? invoice.refund : null
  const refund = waiting ? refundAfterReturn(waiting, invoice.outstanding_amount + taken) : null
  const paid = (refund?.taken ?? 0) - taken
  const left = repayments.some(
    (each) =>
      each.failure === null &&
      each.origin === 'ACH_ENTRY' &&
      (each.id === one.id ? shareOf(one, invoice.id) - back : shareOf(each, invoice.id)) > 0,
  )
  const ownDebit = one.origin === 'ACH_ENTRY' && one.ach_state === 'PENDING'
  const underWay = invoice.in_flight_amount > (ownDebit ? shareOf(one, invoice.id) : 0)
  return [
    ...previewOf(invoice, {
      paid,
      judged: true,
      facts: {
        // Money that was no ACH leaves the last debit what it was.
        ...(one.origin === 'ACH_ENTRY' && !underWay ? { debit: left ? 'PARTLY_BACK' : 'BACK', awaited: false } : {}),
        ...(refund?.ended ? { refund: refund.ended === 'ABSORBED' ? 'ABSORBED' : null } : {}),
      },
    }),
    ...(refund?.taken ? amountRow(invoice.number, 'refund', waiting?.amount ?? 0, refund.left) : []),
  ]
}
