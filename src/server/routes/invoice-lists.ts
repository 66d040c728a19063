import type { AnyEndpoint, QueryOf } from '#contract/define.ts'
import { countInvoices, lastPage, listEmployerInvoices, listInvoices } from '#contract/invoices.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Context, route } from '#server/http/route.ts'
import { nameOf } from '#server/http/route-table.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { numberedPage, pageOfInvoices, totalsOfInvoices } from '#server/tables/invoice-list.ts'
import { toInvoice } from '#server/tables/invoices.ts'
import { type Position, startOf } from '#server/paging/keyset.ts'

const cursorLimit = 50

type InvoiceQuery = QueryOf<typeof listInvoices>

function bindingOf(endpoint: string, actor: Actor, query: InvoiceQuery): CursorBinding {
  const { limit, lek, direction, 'from-id': row, page, pageSize, sort, 'sort-order': order, ...filter } = query
  return { endpoint, filter, sort: `${sort} ${order}`, personId: actor.id }
}

/** Refuses page numbers so high that finding the page would read all pages before it. */
function refuseFar(page: number): void {
  if (page <= lastPage) return
  const message = 'Pages go up to 10,000. Narrow the filter, or read on by cursor.'
  throw new Refused(422, 'page-too-far', message, { errors: [{ path: 'page', message }] })
}

const pagesOf = (count: number, pageSize: number): number => Math.ceil(count / pageSize)

type ListContext = Pick<Context<typeof listInvoices>, 'tx' | 'actor' | 'services'>

/** A page of invoices, by number or, if the query has a cursor parameter, by cursor. */
async function pageOf({ tx, actor, services }: ListContext, endpoint: AnyEndpoint, query: InvoiceQuery) {
  const { limit, lek, direction } = query
  if ([limit, lek, direction, query['from-id']].every((each) => each === undefined)) {
    const page = query.page ?? 0
    refuseFar(page)
    const { rows, count } = await numberedPage(tx, actor, query, page, query.pageSize)
    return { data: rows.map(toInvoice), page, total_pages: pagesOf(count, query.pageSize), lek: null }
  }
  if (query.page !== undefined)
    throw invalid([{ path: 'page', message: 'Ask by page or by cursor (limit, lek, direction), not by both.' }])
  const binding = bindingOf(nameOf(endpoint), actor, query)
  const from = lek === undefined ? null : openCursor(services.cursorSecret, binding, lek)
  const scanned = { ...query, limit: limit ?? cursorLimit, direction: direction ?? ('after' as const) }
  const { rows, next } = await pageOfInvoices(tx, actor, scanned, startOf(from, query['from-id']))
  return {
    data: rows.map(toInvoice),
    page: null,
    total_pages: null,
    lek: next && sealCursor(services.cursorSecret, binding, next as Position),
  }
}

export const routes = [
  route(listInvoices, (context) => pageOf(context, listInvoices, context.query)),

  route(countInvoices, ({ tx, actor, query }) => totalsOfInvoices(tx, actor, query)),

  route(listEmployerInvoices, async (context) => {
    const { tx, actor, params, query } = context
    if (!(await oneEmployer(tx, actor, params.id))) throw notFound()
    return pageOf(context, listEmployerInvoices, { ...query, 'employer-id': [params.id] })
  }),
]
