import { getInvoice, getOverpayment, listInvoiceEvents } from '#contract/invoices.ts'
import { listInvoiceLedger } from '#contract/invoice-ledger.ts'
import { listInvoiceLines } from '#contract/invoice-lines.ts'
import { isOpenDebtor } from '#server/access/scope.ts'
import { overpaidOf, refundCap, rolloverCap } from '#domain/overpayment.ts'
import { historyOf } from '#server/http/history.ts'
import { orNotFound } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import { withoutReferences } from '#server/tables/mask-events.ts'
import type { Tx } from '#server/tables/database.ts'
import { nextInvoiceOf } from '#server/tables/credits.ts'
import { pageOfLines } from '#server/tables/invoice-lines.ts'
import { type InvoiceRow, numberOf, oneInvoice, toInvoice } from '#server/tables/invoices.ts'
import { pageOfEntries } from '#server/tables/ledger-list.ts'
import { pageRoute } from '#server/http/reads.ts'

const open = orNotFound(oneInvoice)

/** The next invoice as returned by the API; null also if it is not open to the person. */
async function toNextInvoice(tx: Tx, actor: Actor, invoice: InvoiceRow) {
  const next = await nextInvoiceOf(tx, actor, invoice)
  if (!next) return null
  const { id, status, due_date, invoice_amount, rollover_amount, outstanding_amount, version } = next
  return { id, number: numberOf(id), status, due_date, invoice_amount, rollover_amount, outstanding_amount, version }
}

export const routes = [
  route(getInvoice, async ({ tx, actor, params }) => toInvoice(await open(tx, actor, params.id))),

  pageRoute(listInvoiceLines, async ({ tx, actor, params }) => {
    const invoice = await open(tx, actor, params.id)
    return { page: (_, query, from) => pageOfLines(tx, invoice, query, from) }
  }),

  pageRoute(listInvoiceLedger, async ({ tx, actor, params }) => {
    const invoice = await open(tx, actor, params.id)
    return { page: (_, query, from) => pageOfEntries(tx, actor, invoice, query, from) }
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
