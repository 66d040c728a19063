import { formatCents } from '#domain/money.ts'
import { afterMoney, type InvoiceStatus } from '#domain/invoice.ts'
import { labelOf } from '#domain/status.ts'
import type { PreviewRow } from '#kernel/command.ts'

/** What a preview reads of an invoice; the wire's invoice has it. Amounts in cents. */
export interface Previewed {
  number: string
  status: string
  invoice_amount: number
  paid_amount: number
  writeoff_amount: number
  rollover_amount: number
  outstanding_amount: number
}

/** What moves, in cents; what is left out stays. */
export interface Moves {
  paid?: number
  writeoff?: number
  rollover?: number
  /** A status that the action sets itself; otherwise an invoice may close by itself. */
  status?: InvoiceStatus
}

/** Before and after of an invoice by the domain's own identity: what a person sees is what the server will do. */
export function previewOf(invoice: Previewed, { paid = 0, writeoff = 0, rollover = 0, status }: Moves): PreviewRow[] {
  const amount = invoice.invoice_amount - writeoff - rollover
  const outstanding = amount - (invoice.paid_amount + paid)
  const next = status ?? afterMoney(invoice.status as InvoiceStatus, outstanding)
  const lines: [what: string, before: number, after: number][] = [
    ['write-off', invoice.writeoff_amount, invoice.writeoff_amount + writeoff],
    ['rollover', invoice.rollover_amount, invoice.rollover_amount + rollover],
    ['invoice', invoice.invoice_amount, amount],
    ['paid', invoice.paid_amount, invoice.paid_amount + paid],
    ['outstanding', invoice.outstanding_amount, outstanding],
  ]
  const rows = lines
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => ({ of: invoice.number, what, before: formatCents(before), after: formatCents(after) }))
  if (next === invoice.status) return rows
  return [...rows, { of: invoice.number, what: 'status', before: labelOf(invoice.status), after: labelOf(next) }]
}
