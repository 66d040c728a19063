import type { QueryOf } from '#contract/define.ts'
import { countInvoices, lastPage, listEmployerInvoices, listInvoices } from '#contract/invoices.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import { invalid, notFound, Refused } from '#server/refused.ts'
import type { Actor } from '#server/access/actor.ts'
import { route } from '#server/http/route.ts'
import { oneEmployer } from '#server/tables/employers.ts'
import { numberedPage, pageOfInvoices, totalsOfInvoices } from '#server/tables/invoice-list.ts'
import { toInvoice } from '#server/tables/invoices.ts'
import { type Position, startOf } from '#server/paging/keyset.ts'

const cursorLimit = 50

function bindingOf(actor: Actor, query: QueryOf<typeof listInvoices>): CursorBinding {
  const { limit, lek, direction, 'from-id': row, page, pageSize, sort, 'sort-order': order, ...filter } = query
  return { endpoint: 'GET /invoices', filter, sort: `${sort} ${order}`, personId: actor.id }
}

/** Refuses a page so far away that every page before it would be read to find it. */
function refuseFar(page: number): void {
  if (page <= lastPage) return
  const message = 'Pages go up to 10,000. Narrow the filter, or read on by cursor.'
  throw new Refused(422, 'page-too-far', message, { errors: [{ path: 'page', message }] })
}

const pagesOf = (count: number, pageSize: number): number => Math.ceil(count / pageSize)

export const routes = [
  route(listInvoices, async ({ tx, actor, query, services }) => {
    const { limit, lek, direction } = query
    if ([limit, lek, direction, query['from-id']].every((each) => each === undefined)) {
      const page = query.page ?? 0
      refuseFar(page)
      const { rows, count } = await numberedPage(tx, actor, query, page, query.pageSize)
      return { data: rows.map(toInvoice), page, total_pages: pagesOf(count, query.pageSize), lek: null }
    }
    if (query.page !== undefined)
      throw invalid([{ path: 'page', message: 'Ask by page or by cursor (limit, lek, direction), not by both.' }])
    const binding = bindingOf(actor, query)
    const from = lek === undefined ? null : openCursor(services.cursorSecret, binding, lek)
    const scanned = { ...query, limit: limit ?? cursorLimit, direction: direction ?? ('after' as const) }
    const { rows, next } = await pageOfInvoices(tx, actor, scanned, startOf(from, query['from-id']))
    return {
      data: rows.map(toInvoice),
      page: null,
      total_pages: null,
      lek: next && sealCursor(services.cursorSecret, binding, next as Position),
    }
  }),

  route(countInvoices, ({ tx, actor, query }) => totalsOfInvoices(tx, actor, query)),

  route(listEmployerInvoices, async ({ tx, actor, params, query: { page, pageSize } }) => {
    if (!(await oneEmployer(tx, actor, params.id))) throw notFound()
    refuseFar(page)
    const filter = { 'employer-id': [params.id], sort: 'id' as const, 'sort-order': 'desc' as const }
    const { rows, count } = await numberedPage(tx, actor, filter, page, pageSize)
    return { data: rows.map(toInvoice), page, total_pages: pagesOf(count, pageSize) }
  }),
]
