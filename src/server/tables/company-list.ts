import { type RawBuilder, sql } from 'kysely'
import type { QueryOf } from '#contract/define.ts'
import type { Employer, Organization, listEmployers, listOrganizations } from '#contract/companies.ts'
import { openTo, organizationOpenTo } from '#server/access.ts'
import type { Actor, Tx } from '#server/route.ts'
import { fold, idOf, literally } from '#server/tables/employee-search.ts'
import { type Found, type Position, type Stretch, type Walk, walk } from '#server/tables/keyset.ts'

const employerColumns = sql`
  e.id, e.internal_name, e.external_name, e.external_code, e.brand, e.status, e.organization_id,
  organization.name as organization_name, e.version`
const employersJoined = sql`employers e join organizations organization on organization.id = e.organization_id`

const organizationColumns = sql`e.id, e.name, e.lookup_name, e.brand, e.source_code, e.status, e.version`

/** One employer, if the person may see it. */
export async function oneEmployer(tx: Tx, actor: Actor, id: number): Promise<Employer | null> {
  const { rows } = await sql<Employer>`
    select ${employerColumns} from ${employersJoined} where e.id = ${id} and ${openTo(actor, sql.ref('e.id'))}`.execute(tx)
  return rows[0] ?? null
}

/** One organization, if the person may see it or one of its employers. */
export async function oneOrganization(tx: Tx, actor: Actor, id: number): Promise<Organization | null> {
  const { rows } = await sql<Organization>`
    select ${organizationColumns} from organizations e
    where e.id = ${id} and ${organizationOpenTo(actor, sql.ref('e.id'))}`.execute(tx)
  return rows[0] ?? null
}

/** A page of employers in the list's order. */
export async function pageOfEmployers(tx: Tx, actor: Actor, query: QueryOf<typeof listEmployers>, from: Position | null) {
  const filter = both([
    openTo(actor, sql.ref('e.id')),
    query.status && sql`e.status = ${query.status}`,
    query.id && sql`e.id = any(${query.id}::bigint[])`,
    query['organization-id'] && sql`e.organization_id = any(${query['organization-id']}::bigint[])`,
    query['external-code'] && sql`e.external_code = ${query['external-code']}`,
    query['lookup-name'] && sql`e.lookup_name = ${query['lookup-name']}`,
    query.brand && sql`e.brand = ${query.brand}`,
    ...named(query.name, sql`e.name_key`),
    searched(query.q, sql`(e.name_key || ' ' || fold(e.external_name) || ' ' || fold(e.external_code))`),
  ])
  const { rows: found, next } = await page(tx, sql`employers e`, filter, query, from)
  const ids = found.map((row) => row.id)
  const { rows } =
    await sql<Employer>`select ${employerColumns} from ${employersJoined} where e.id = any(${ids}::bigint[])`.execute(tx)
  return { rows: inOrder(ids, rows), next }
}

/** A page of organizations in the list's order. */
export async function pageOfOrganizations(tx: Tx, actor: Actor, query: QueryOf<typeof listOrganizations>, from: Position | null) {
  const filter = both([
    organizationOpenTo(actor, sql.ref('e.id')),
    query.status && sql`e.status = ${query.status}`,
    query.id && sql`e.id = any(${query.id}::bigint[])`,
    query['lookup-name'] && sql`e.lookup_name = ${query['lookup-name']}`,
    query['source-code'] && sql`e.source_code = ${query['source-code']}`,
    ...named(query.name, sql`e.name_key`),
    searched(query.q, sql`(e.name_key || ' ' || fold(e.source_code))`),
  ])
  const { rows: found, next } = await page(tx, sql`organizations e`, filter, query, from)
  const ids = found.map((row) => row.id)
  const { rows } = await sql<Organization>`
    select ${organizationColumns} from organizations e where e.id = any(${ids}::bigint[])`.execute(tx)
  return { rows: inOrder(ids, rows), next }
}

interface Paged {
  sort: 'id' | 'name'
  'sort-order': 'asc' | 'desc'
  direction: 'after' | 'before'
  limit: number
}

function page(tx: Tx, table: RawBuilder<unknown>, filter: RawBuilder<boolean>, query: Paged, from: Position | null) {
  const stretch: Stretch = {
    where: filter,
    key: query.sort === 'name' ? sql.ref('e.name_key') : undefined,
    descending: query['sort-order'] === 'desc',
  }
  const find: Walk<Found>['find'] = async (condition, order, limit) =>
    (
      await sql<Found>`select e.id, ${order.key} as key from ${table} where ${condition} order by ${order.whole} limit ${limit}`.execute(
        tx,
      )
    ).rows
  return walk({ stretches: [stretch], from, direction: query.direction, limit: query.limit, find })
}

/** Every word is in the text, in any order. */
const named = (text: string | undefined, column: RawBuilder<unknown>) =>
  fold(text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => sql`${column} like ${`%${literally(word)}%`}`)

/** Every word is in the text, or it is the id. */
function searched(q: string | undefined, column: RawBuilder<unknown>): RawBuilder<unknown> | undefined {
  const words = named(q, column)
  if (words.length === 0) return undefined
  const id = idOf(q ?? '')
  return id === null ? both(words) : sql`(${both(words)} or e.id = ${id})`
}

const both = (conditions: (RawBuilder<unknown> | '' | undefined)[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    conditions.filter((condition) => condition),
    sql` and `,
  )})`

function inOrder<T extends { id: number }>(ids: readonly number[], rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
