import { getEmployer, getOrganization, listEmployers, listOrganizations } from '#contract/companies.ts'
import { listCursor } from '#server/paging/list-cursor.ts'
import { notFound } from '#server/refused.ts'
import { route } from '#server/http/route.ts'
import { employerList, oneEmployer, oneOrganization, organizationList } from '#server/tables/company-list.ts'

export const routes = [
  route(listEmployers, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /employers', actor, query)
    const { rows, next } = await employerList.page({ tx, actor }, query, from)
    return { employers: rows.map(({ key: _, ...employer }) => employer), lek: seal(next) }
  }),

  route(getEmployer, async ({ tx, actor, params }) => {
    const employer = await oneEmployer(tx, actor, params.id)
    if (!employer) throw notFound()
    return employer
  }),

  route(listOrganizations, async ({ tx, actor, query, services }) => {
    const { from, seal } = listCursor(services, 'GET /organizations', actor, query)
    const { rows, next } = await organizationList.page({ tx, actor }, query, from)
    return { organizations: rows.map(({ key: _, ...organization }) => organization), lek: seal(next) }
  }),

  route(getOrganization, async ({ tx, actor, params }) => {
    const organization = await oneOrganization(tx, actor, params.id)
    if (!organization) throw notFound()
    return organization
  }),
]
