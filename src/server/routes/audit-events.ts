import { countAuditEvents, getAuditEvent, listAuditEvents } from '#contract/audit-events.ts'
import { route } from '#server/http/route.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/http-error.ts'
import { countOfAudit, oneOfAudit, pageOfAudit, toAuditEvent } from '#server/tables/audit-list.ts'

export const routes = [
  route(listAuditEvents, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /audit-events', actor, query)
    const { events, next } = await pageOfAudit({ tx, actor }, query, from)
    return { audit_events: events.map(toAuditEvent), lek: seal(next) }
  }),

  route(countAuditEvents, ({ tx, actor, query }) => countOfAudit({ tx, actor }, query)),

  route(getAuditEvent, async ({ tx, actor, params }) => {
    const found = await oneOfAudit({ tx, actor }, params.id)
    if (!found) throw notFound()
    return toAuditEvent(found)
  }),
]
