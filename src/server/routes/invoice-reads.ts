import { getInvoice, getOverpayment, listInvoiceEvents } from '#contract/invoices.ts'
import { listInvoiceLedger } from '#contract/invoice-ledger.ts'
import { listInvoiceLines } from '#contract/invoice-lines.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { overpaidOf, refundCap, rolloverCap } from '#domain/overpayment.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { historyOf } from '#server/http/history.ts'
import { notFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import { withoutReferences } from '#server/tables/mask-events.ts'
import type { Tx } from '#server/tables/database.ts'
import { nextInvoiceOf } from '#server/tables/credits.ts'
import { pageOfLines } from '#server/tables/invoice-lines.ts'
import { type InvoiceRow, numberOf, oneInvoice, toInvoice } from '#server/tables/invoices.ts'
import { pageOfEntries } from '#server/tables/ledger-list.ts'

const open = async (tx: Tx, actor: Actor, id: number): Promise<InvoiceRow> => {
  const invoice = await oneInvoice(tx, actor, id)
  if (!invoice) throw notFound()
  return invoice
}

/** The next invoice as returned by the API; null also if it is not open to the person. */
async function toNextInvoice(tx: Tx, actor: Actor, invoice: InvoiceRow) {
  const next = await nextInvoiceOf(tx, actor, invoice.id)
  if (!next) return null
  const { id, status, due_date, invoice_amount, rollover_amount, outstanding_amount, version } = next
  return { id, number: numberOf(id), status, due_date, invoice_amount, rollover_amount, outstanding_amount, version }
}

export const routes = [
  route(getInvoice, async ({ tx, actor, params }) => toInvoice(await open(tx, actor, params.id))),

  route(listInvoiceLines, async ({ tx, actor, params, query, services }) => {
    const { id } = await open(tx, actor, params.id)
    const cursor = listCursor(services, `GET /invoices/${id}/lines`, actor, query)
    const { lines, next } = await pageOfLines(tx, id, query, cursor.from)
    return { lines, lek: cursor.seal(next) }
  }),

  route(listInvoiceLedger, async ({ tx, actor, params, query, services }) => {
    const { id } = await open(tx, actor, params.id)
    const cursor = listCursor(services, `GET /invoices/${id}/ledger`, actor, query)
    const { entries, next } = await pageOfEntries(tx, actor, id, query, cursor.from)
    return { entries, lek: cursor.seal(next) }
  }),

  route(listInvoiceEvents, async (context) => {
    const { tx, actor } = context
    const { id, debtor_type, debtor_id } = await open(tx, actor, context.params.id)
    const history = await historyOf(context, 'GET /invoices/{id}/history', { entity: 'invoice', id: String(id) })
    if (actor.kind === 'ADMIN' || (await isOpenDebtor(tx, actor, debtor_type, debtor_id))) return history
    return { ...history, events: history.events.map(withoutReferences) }
  }),

  route(getOverpayment, async ({ tx, actor, params }) => {
    const invoice = await open(tx, actor, params.id)
    return {
      overpaid_amount: overpaidOf(invoice),
      rollover_limit: rolloverCap(invoice),
      refund_limit: refundCap(invoice),
      next_invoice: await toNextInvoice(tx, actor, invoice),
    }
  }),
]
