import { getInvoice, type Invoice } from '#contract/invoices.ts'
import { listRepayments, type Repayment } from '#contract/repayments.ts'
import { shareReturn } from '#domain/allocation.ts'
import { factsAfterReturn } from '#domain/invoice-life.ts'
import { formatCents } from '#domain/money.ts'
import { refundAfterReturn, waitingAmountOf } from '#domain/overpayment.ts'
import { isKnownReturn, validateReturn } from '#domain/repayment.ts'
import { invoiceHeads, lineOf, type Moves, previewOf } from '#entities/forms/invoice-preview.ts'
import { amountRow } from '#entities/forms/preview-rows.ts'
import type { FieldMessage, PreviewRow, Read } from '#kernel/command.ts'
import { type MoneyLines, sumOf } from '#kernel/money-lines.ts'
import { readAll } from '#kernel/read-all.ts'

/** The invoices that a return of a repayment affects, and its earlier returns. */
export interface Returned {
  invoices: readonly Invoice[]
  returns: readonly Repayment[]
}

/** Reads the invoices that a return of a repayment affects, and its earlier returns. */
export async function readReturned(one: Repayment, read: Read): Promise<Returned> {
  const ids = new Set(one.allocations.map((share) => share.invoice_id))
  if (one.debited_invoice_id !== null) ids.add(one.debited_invoice_id)
  const [returns, ...invoices] = await Promise.all([
    readAll(
      (query) => read(listRepayments, {}, { ...query, 'returns-id': String(one.id) }),
      (answer) => answer.repayments,
    ),
    ...[...ids].map(async (id) => read(getInvoice, { id })),
  ])
  return { invoices, returns }
}

/** The versions of the invoices that a return affects. */
export const versionsOfReturned = ({ invoices }: Returned): Record<string, number> =>
  Object.fromEntries(invoices.map((invoice) => [invoice.id, invoice.version]))

/**
 * The effect of a return on the debits of an invoice, as input of its status; `whole` if the repayment is then fully
 * returned.
 */
export function factsOfReturn(one: Repayment, invoice: Invoice, whole: boolean): NonNullable<Moves['facts']> {
  const { id, ach, unanswered_amount } = invoice
  const own = one.debited_invoice_id === id && one.failure === null
  const unanswered = own && one.ach_state === 'PENDING' ? one.amount - one.returned_amount : 0
  const others = { stand: (ach?.standing ?? 0) > (own ? 1 : 0), underWay: unanswered_amount > unanswered }
  return factsAfterReturn(id, { ...one, first: one.returned_amount === 0, whole }, others)
}

/**
 * The debited invoice after a person has recorded a return: no result is awaited, but it is not debited again
 * (docs/decisions/2026-11-30-bank-results.md).
 */
const asReturned = (one: Repayment, amount: number, invoice: Invoice): Invoice =>
  one.ach_state === 'PENDING'
    ? { ...invoice, unanswered_amount: Math.max(0, invoice.unanswered_amount - amount) }
    : { ...invoice, in_flight_amount: invoice.in_flight_amount + amount }

/** The invoices that owe an amount of the repayment again, with the effect on each. */
function touchedBy(one: Repayment, amount: number, known: readonly Invoice[]) {
  const parts = shareReturn(amount, one.allocations, one.unallocated_amount)
  const touched = known.flatMap((each) => {
    const back = parts.allocations.find((part) => part.invoice_id === each.id)?.amount ?? 0
    const debited = each.id === one.debited_invoice_id
    if (back === 0 && !debited) return []
    const invoice = debited ? asReturned(one, amount, each) : each
    return [{ invoice, back, ...movesOf(one, { back, whole: one.returned_amount + amount === one.amount }, each) }]
  })
  return { touched, unallocated: parts.unallocated_amount }
}

/** Before and after of a repayment with a return of an amount, and of every invoice that owes it again. */
export function previewReturn(one: Repayment, typed: Typed, known: Returned): PreviewRow[] {
  const { amount } = typed
  if (amount === undefined || validateReturned(one, typed, known).length > 0) return []
  const { touched, unallocated } = touchedBy(one, amount, known.invoices)
  return [
    ...amountRow(one.reference_id, 'returned', one.returned_amount, one.returned_amount + amount),
    ...amountRow(one.reference_id, 'unallocated', one.unallocated_amount, one.unallocated_amount - unallocated),
    ...touched.flatMap(({ invoice, moves, refunded }) => [...previewOf(invoice, moves), ...refunded]),
  ]
}

/** The same as lines of a money form; an amount that cannot be returned affects nothing. */
export function linesOfReturn(one: Repayment, typed: Typed, known: Returned): MoneyLines {
  const { amount } = typed
  const max = one.amount - one.returned_amount
  const { touched, unallocated } =
    amount === undefined || validateReturned(one, typed, known).length > 0
      ? { touched: [], unallocated: 0 }
      : touchedBy(one, amount, known.invoices)
  return {
    ...invoiceHeads('Comes back'),
    lines: touched.map(({ invoice, moves, back }) => ({ ...lineOf(invoice, moves), moves: back })),
    sums: [
      { title: 'Returned', cents: amount ?? 0 },
      { title: 'Of invoices', cents: sumOf(touched.map(({ back }) => back)) },
      { title: 'Of what is unallocated', cents: unallocated },
    ],
    max,
  }
}

/** Message after a return is recorded. Recording the same return twice is idempotent. */
export const returnRecorded = (what: 'return' | 'late return', one: Repayment, amount: number, after?: Repayment): string =>
  after?.version === one.version
    ? `This return of ${formatCents(amount)} of ${one.reference_id} was recorded before. Nothing changed.`
    : `Recorded a ${what} of ${formatCents(amount)} of ${one.reference_id}`

/** Input of a return form. */
interface Typed {
  return_code?: string | undefined
  amount?: number | undefined
  addenda?: string | undefined
}

/** Errors in a return: in its amount, or that it was recorded before and would change nothing. */
export function validateReturned(one: Repayment, typed: Typed, { returns }: Returned): FieldMessage[] {
  const { amount, return_code = '', addenda } = typed
  if (amount === undefined) return []
  if (isKnownReturn(returns, { return_code, amount, addenda }))
    return [{ path: 'amount', message: 'This return was recorded before: with this code, amount and addenda, or by the bank.' }]
  const refusal = validateReturn(one, amount)
  return refusal ? [{ path: 'amount', message: refusal.sentence }] : []
}

/** The effect of a return on one invoice of the repayment, and on its waiting refund. */
function movesOf(one: Repayment, { back, whole }: { back: number; whole: boolean }, invoice: Invoice) {
  const counted = one.allocations.some((share) => share.invoice_id === invoice.id && share.counted)
  const taken = counted ? back : 0
  const waiting = invoice.refund?.state === 'WAITING' ? invoice.refund : null
  const refund = waiting ? refundAfterReturn(waiting, invoice.outstanding_amount + taken) : null
  const paid = (refund?.taken ?? 0) - taken
  const moves: Moves = {
    paid,
    validated: true,
    facts: {
      ...factsOfReturn(one, invoice, whole),
      ...(refund?.ended ? { refund: refund.ended === 'ABSORBED' ? 'ABSORBED' : null } : {}),
    },
  }
  const pending = waitingAmountOf(invoice.refund)
  const refunded = refund?.taken ? amountRow(invoice.number, 'pending refund', pending, pending - refund.taken) : []
  return { moves, refunded }
}
