import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { shareReturn } from '#domain/allocation.ts'
import { refundAfterReturn, waitingAmountOf } from '#domain/overpayment.ts'
import { judgeReturn } from '#domain/repayment.ts'
import { invoiceHeads, lineOf, type Moves, previewOf } from '#entities/invoice-preview.ts'
import { amountRow } from '#entities/preview-rows.ts'
import type { FieldMessage, PreviewRow, Read } from '#kernel/command.ts'
import { type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { readAll } from '#kernel/read-all.ts'

/** An invoice of a repayment that came back, with everything else that was paid for it. */
export interface ReturnedInvoice {
  invoice: Invoice
  repayments: readonly Repayment[]
}

/** Reads the invoices that a return of a repayment touches, and everything else that was paid for them. */
export const readReturned = (one: Repayment, read: Read): Promise<ReturnedInvoice[]> => {
  const ids = new Set(one.allocations.map((share) => share.invoice_id))
  if (one.debited_invoice_id !== null) ids.add(one.debited_invoice_id)
  return Promise.all(
    [...ids].map(async (id) => {
      const [invoice, repayments] = await Promise.all([
        read(getInvoice, { id }),
        readAll(
          (query) => read(listRepayments, {}, { ...query, 'invoice-id': String(id) }),
          (answer) => answer.repayments,
        ),
      ])
      return { invoice, repayments }
    }),
  )
}

/** The versions of the invoices that a return touches. */
export const versionsOfReturned = (touched: readonly ReturnedInvoice[]): Record<string, number> =>
  Object.fromEntries(touched.map(({ invoice }) => [invoice.id, invoice.version]))

const shareOf = (one: Repayment, invoiceId: number): number =>
  one.allocations.find((share) => share.invoice_id === invoiceId)?.amount ?? 0

/** The invoice that was debited, once a person has recorded a return: nothing waits for it, but it is not debited again (D94). */
const asReturned = (one: Repayment, amount: number, invoice: Invoice): Invoice =>
  one.ach_state === 'PENDING'
    ? { ...invoice, unanswered_amount: Math.max(0, invoice.unanswered_amount - amount) }
    : { ...invoice, in_flight_amount: invoice.in_flight_amount + amount }

/** The invoices that owe so many cents of a repayment again, and what that does to each. */
function touchedBy(one: Repayment, amount: number, known: readonly ReturnedInvoice[]) {
  const parts = shareReturn(amount, one.allocations, one.unallocated_amount)
  const touched = known.flatMap((each) => {
    const back = parts.allocations.find((part) => part.invoice_id === each.invoice.id)?.amount ?? 0
    const debited = each.invoice.id === one.debited_invoice_id
    if (back === 0 && !debited) return []
    const invoice = debited ? asReturned(one, amount, each.invoice) : each.invoice
    return [{ ...each, invoice, back, ...movesOf(one, { back, whole: one.returned_amount + amount === one.amount }, each) }]
  })
  return { touched, unallocated: parts.unallocated_amount }
}

/** Before and after of a repayment of which so many cents come back, and of every invoice that owes them again. */
export function previewReturn(one: Repayment, amount: number, known: readonly ReturnedInvoice[]): PreviewRow[] {
  const { touched, unallocated } = touchedBy(one, amount, known)
  return [
    ...amountRow(one.reference_id, 'returned', one.returned_amount, one.returned_amount + amount),
    ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, one.unallocated_amount - unallocated),
    ...touched.flatMap(({ invoice, moves, refunded }) => [...previewOf(invoice, moves), ...refunded]),
  ]
}

/** The same line by line; an amount that cannot come back touches nothing. */
export function linesOfReturn(one: Repayment, amount: number | undefined, known: readonly ReturnedInvoice[]): MoneyLines {
  const most = one.amount - one.returned_amount
  const { touched, unallocated } =
    amount === undefined || judgeReturn(one, amount) ? { touched: [], unallocated: 0 } : touchedBy(one, amount, known)
  return {
    ...invoiceHeads('Comes back'),
    lines: touched.map(({ invoice, moves, back }) => ({ ...lineOf(invoice, moves), moves: back })),
    sums: [
      { title: 'Returned', cents: amount ?? 0 },
      { title: 'Of invoices', cents: sumOf(touched.map(({ back }) => back)) },
      { title: 'Of what is unallocated', cents: unallocated },
    ],
    most,
  }
}

/** What is wrong with the amount of a return. */
export function judgeReturned(one: Repayment, amount: number | undefined): FieldMessage[] {
  const refusal = amount === undefined ? null : judgeReturn(one, amount)
  return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
}

/** What a return does to one invoice of the repayment, and to a refund of it that waits. */
function movesOf(one: Repayment, { back, whole }: { back: number; whole: boolean }, { invoice, repayments }: ReturnedInvoice) {
  const counted = one.allocations.some((share) => share.invoice_id === invoice.id && share.counted)
  const taken = counted ? back : 0
  const waiting = invoice.refund?.state === 'WAITING' ? invoice.refund : null
  const refund = waiting ? refundAfterReturn(waiting, invoice.outstanding_amount + taken) : null
  const paid = (refund?.taken ?? 0) - taken
  const left =
    !whole || repayments.some((each) => each.id !== one.id && each.failure === null && each.debited_invoice_id === invoice.id)
  const ownDebit = one.origin === 'ACH_ENTRY' && one.ach_state === 'PENDING'
  const underWay = invoice.unanswered_amount > (ownDebit ? shareOf(one, invoice.id) : 0)
  // Money that was no ACH, or the debit of another invoice, leaves the last debit what it was.
  const ofDebit = one.origin === 'ACH_ENTRY' && (one.debited_invoice_id ?? invoice.id) === invoice.id && !underWay
  const moves: Moves = {
    paid,
    judged: true,
    facts: {
      ...(ofDebit ? { debit: left ? 'PARTLY_BACK' : 'BACK', awaited: false, comesBack: true } : {}),
      ...(refund?.ended ? { refund: refund.ended === 'ABSORBED' ? 'ABSORBED' : null } : {}),
    },
  }
  const pending = waitingAmountOf(invoice.refund)
  const refunded = refund?.taken ? amountRow(invoice.number, 'pending refund', pending, pending - refund.taken) : []
  return { moves, refunded }
}
