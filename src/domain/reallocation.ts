import { type Allocation, type InvoiceId, type OpenInvoice, oldestFirst } from '#domain/allocation.ts'
import { canAddRepayment, type InvoiceFacts } from '#domain/invoice.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'

/** An invoice whose share of a repayment changes; amounts in cents. */
export interface ReallocatedInvoice extends InvoiceFacts {
  /** Credit that rolled over from it to another invoice. */
  rollover_out_amount: number
}

/** Whether the change only takes what is overpaid beyond a waiting refund (docs/rules/money.md). */
const takesOverpaid = ({ status, outstanding_amount }: InvoiceFacts, change: number): boolean =>
  status === 'REFUND_IN_PROGRESS' && change < 0 && outstanding_amount - change <= 0

/**
 * Refuses to change an invoice's share of a repayment by `change` cents: in a status that takes no repayment, and if it would
 * take money that already rolled over as credit.
 */
export const validateShareChange = (invoice: ReallocatedInvoice, change: number): Refusal | null =>
  (takesOverpaid(invoice, change) ? null : canAddRepayment(invoice)) ??
  (change < 0 && invoice.rollover_out_amount > 0 && invoice.outstanding_amount - change > 0
    ? refuse('credit-used', 'Credit of this invoice went to another one, so the payment that made it has to stay.')
    : null)

/** Reduces shares to a smaller amount: the excess is cut from the newest invoices; shares that become 0 are removed. */
export function fitShares<Id extends InvoiceId>(
  amount: number,
  shares: readonly (Allocation<Id> & Pick<OpenInvoice, 'due_date' | 'issue_date'>)[],
): Allocation<Id>[] {
  let left = amount
  return [...shares]
    .sort((a, b) => oldestFirst({ ...a, id: a.invoice_id }, { ...b, id: b.invoice_id }))
    .flatMap(({ invoice_id, amount: share }) => {
      const kept = Math.min(share, left)
      left -= Math.max(0, kept)
      return kept > 0 ? [{ invoice_id, amount: kept }] : []
    })
}
