import { fittedDebit } from '#domain/ach.ts'
import type { InvoiceStatus } from '#domain/invoice.ts'
import { afterMoney, type MoneyFacts, moneyFactsOf } from '#domain/invoice-life.ts'
import { invoiceStatuses } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { amountRow, statusRow } from '#entities/forms/preview-rows.ts'
import type { PreviewRow } from '#kernel/command.ts'
import type { MoneyLine } from '#kernel/money-lines.ts'

/** Input of a preview; the API's invoice has it. Amounts in cents. */
export interface Previewed {
  number: string
  status: string
  invoice_amount: number
  paid_amount: number
  writeoff_amount: number
  rollover_amount: number
  outstanding_amount: number
  in_flight_amount?: number
  unanswered_amount?: number
  /** Its last debit. */
  ach?: { state: string; amount: number; most_amount?: number | null } | null
  closed_by?: unknown
  refund?: { state: string } | null
}

/** Changes of amounts in cents; omitted ones are unchanged. */
export interface Moves {
  paid?: number
  writeoff?: number
  rollover?: number
  /** The status that the action sets. */
  status?: InvoiceStatus
  /** True if its status is recalculated although no money moves. */
  validated?: boolean
  /** Changes of the debit or the refund by the event, if the invoice does not contain them. */
  facts?: Partial<Pick<MoneyFacts, 'debit' | 'awaited' | 'refund' | 'comesBack'>>
  /** Change of the debit by the action: cents, or null if it is cancelled. */
  debit?: number | null
}

/** The scheduled debit, in words. */
const debitOf = (cents: number | null): string => (cents === null ? 'none' : formatCents(cents))

/** The invoice after the changes, by the domain's own rules: the preview shows what the server will do. Amounts in cents. */
function comesTo(invoice: Previewed, moves: Moves) {
  const { paid = 0, writeoff = 0, rollover = 0, status = invoice.status as InvoiceStatus } = moves
  const amount = invoice.invoice_amount - writeoff - rollover
  const outstanding = amount - (invoice.paid_amount + paid)
  // Its status, and the amount of a scheduled debit, are only recalculated if money moves (docs/rules/invoices.md).
  const moved = paid !== 0 || writeoff !== 0 || rollover !== 0 || moves.validated === true
  const facts = { ...moneyFactsOf({ ...invoice, status, outstanding_amount: outstanding }), ...moves.facts }
  const scheduled = invoice.ach?.state === 'SCHEDULED' ? invoice.ach.amount : null
  const fitted = moved && scheduled !== null ? fittedDebit({ ...invoice, outstanding_amount: outstanding }) : scheduled
  return {
    amount,
    outstanding,
    status: moved ? afterMoney(facts) : status,
    scheduled,
    debit: moves.debit === undefined ? fitted : moves.debit,
  }
}

/** Before and after of an invoice, figure by figure. */
export function previewOf(invoice: Previewed, moves: Moves): PreviewRow[] {
  const { paid = 0, writeoff = 0, rollover = 0 } = moves
  const { amount, outstanding, status, scheduled, debit } = comesTo(invoice, moves)
  return [
    ...amountRow(invoice.number, 'write-off', invoice.writeoff_amount, invoice.writeoff_amount + writeoff),
    ...amountRow(invoice.number, 'rollover', invoice.rollover_amount, invoice.rollover_amount + rollover),
    ...amountRow(invoice.number, 'invoice', invoice.invoice_amount, amount),
    ...amountRow(invoice.number, 'paid', invoice.paid_amount, invoice.paid_amount + paid),
    ...amountRow(invoice.number, 'outstanding', invoice.outstanding_amount, outstanding),
    ...(scheduled === debit ? [] : [{ of: invoice.number, what: 'debit', before: debitOf(scheduled), after: debitOf(debit) }]),
    ...statusRow(invoice.number, invoiceStatuses, invoice.status, status),
  ]
}

/** The status of an invoice after changes of its money. */
export const statusAfter = (invoice: Previewed, moves: Moves): string => comesTo(invoice, moves).status

/** The same as one line of a money form: what it owes before and after, and further effects. */
export function lineOf(invoice: Previewed & { id: number }, moves: Moves): MoneyLine {
  const { outstanding: after, status, scheduled, debit } = comesTo(invoice, moves)
  const { outstanding_amount: before } = invoice
  const says = [
    status === invoice.status ? null : status === 'CLOSED' ? 'closes' : `becomes ${invoiceStatuses.label(status)}`,
    scheduled === debit ? null : debit === null ? 'debit cancelled' : `debit ${formatCents(debit)}`,
    after < 0 ? 'overpaid' : null,
  ].filter((each) => each !== null)
  return {
    id: invoice.id,
    title: invoice.number,
    before,
    moves: before - after,
    after,
    says: says.join(', ') || (after === before ? 'unchanged' : ''),
  }
}

/** Headings of money forms whose lines are invoices; `moves` is the heading of the change. */
export const invoiceHeads = (moves: string) =>
  ({ one: 'invoice', many: 'invoices', heads: ['Owes now', moves, 'Owes after'] }) as const
