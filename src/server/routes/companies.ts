import { getEmployer, getOrganization, listEmployers, listOrganizations } from '#contract/companies.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/cursor.ts'
import { notFound } from '#server/refused.ts'
import { type Actor, route } from '#server/route.ts'
import type { Services } from '#server/services.ts'
import { oneEmployer, oneOrganization, pageOfEmployers, pageOfOrganizations } from '#server/tables/company-list.ts'
import { type Position, isPosition } from '#server/tables/keyset.ts'

interface Listed {
  lek?: string
  limit: number
  direction: string
  sort: string
  'sort-order': string
}

/** A list's cursors, bound to its filter, its order and the person. */
function cursors(services: Services, endpoint: string, actor: Actor, query: Listed) {
  const { lek, limit, direction, sort, 'sort-order': order, ...filter } = query
  const binding: CursorBinding = { endpoint, filter, sort: `${sort} ${order}`, personId: actor.id }
  const opened = lek === undefined ? null : openCursor(services.cursorSecret, binding, lek)
  return {
    from: isPosition(opened) ? opened : null,
    seal: (next: Position | null) => next && sealCursor(services.cursorSecret, binding, next),
  }
}

export const routes = [
  route(listEmployers, async ({ tx, actor, query, services }) => {
    const { from, seal } = cursors(services, 'GET /employers', actor, query)
    const { rows, next } = await pageOfEmployers(tx, actor, query, from)
    return { employers: rows, lek: seal(next) }
  }),

  route(getEmployer, async ({ tx, actor, params }) => {
    const employer = await oneEmployer(tx, actor, params.id)
    if (!employer) throw notFound()
    return employer
  }),

  route(listOrganizations, async ({ tx, actor, query, services }) => {
    const { from, seal } = cursors(services, 'GET /organizations', actor, query)
    const { rows, next } = await pageOfOrganizations(tx, actor, query, from)
    return { organizations: rows, lek: seal(next) }
  }),

  route(getOrganization, async ({ tx, actor, params }) => {
    const organization = await oneOrganization(tx, actor, params.id)
    if (!organization) throw notFound()
    return organization
  }),
]
