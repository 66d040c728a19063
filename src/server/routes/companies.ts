import { getEmployer, getOrganization, listEmployers, listOrganizations } from '#contract/companies.ts'
import { listCursor } from '#server/list-cursor.ts'
import { notFound } from '#server/refused.ts'
import { route } from '#server/route.ts'
import { oneEmployer, oneOrganization, pageOfEmployers, pageOfOrganizations } from '#server/tables/company-list.ts'

export const routes = [
  route(listEmployers, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /employers', actor, query)
    const { rows, next } = await pageOfEmployers(tx, actor, query, from)
    return { employers: rows, lek: seal(next) }
  }),

  route(getEmployer, async ({ tx, actor, params }) => {
    const employer = await oneEmployer(tx, actor, params.id)
    if (!employer) throw notFound()
    return employer
  }),

  route(listOrganizations, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /organizations', actor, query)
    const { rows, next } = await pageOfOrganizations(tx, actor, query, from)
    return { organizations: rows, lek: seal(next) }
  }),

  route(getOrganization, async ({ tx, actor, params }) => {
    const organization = await oneOrganization(tx, actor, params.id)
    if (!organization) throw notFound()
    return organization
  }),
]
