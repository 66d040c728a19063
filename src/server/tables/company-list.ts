import { type RawBuilder, sql } from 'kysely'
import { type Employer, type Organization, listEmployers, listOrganizations } from '#contract/companies.ts'
import { openTo, organizationOpenTo } from '#server/access/scope.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { idIn, words } from '#server/tables/conditions.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { idOf } from '#server/tables/employee-search.ts'

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

const read = async <Row>(
  tx: Tx,
  columns: RawBuilder<unknown>,
  from: RawBuilder<unknown>,
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
) => {
  const { rows } = await sql<Row & { id: number; key: unknown }>`
    select chosen.key, found.* from (${chosen}) chosen
    join lateral (select ${columns} from ${from} where e.id = chosen.id) found on true order by ${order}`.execute(tx)
  return rows
}

/** Employers, by name unless told. */
export const employerList = defineList({
  endpoint: listEmployers,
  from: sql`employers e`,
  open: (actor) => openTo(actor, sql.ref('e.id')),
  filters: {
    status: (status) => sql`e.status = ${status}`,
    id: idIn(sql.ref('e.id')),
    'organization-id': idIn(sql.ref('e.organization_id')),
    'external-code': (code) => sql`e.external_code = ${code}`,
    'lookup-name': (name) => sql`e.lookup_name = ${name}`,
    brand: (brand) => sql`e.brand = ${brand}`,
    name: (text) => every(words(sql.ref('e.name_key'), text)),
    q: searched(sql`(e.name_key || ' ' || fold(e.external_name) || ' ' || fold(e.external_code))`),
  },
  sorts: { id: null, name: sql.ref('e.name_key') },
  read: ({ tx }, chosen, order) => read<Employer>(tx, employerColumns, employersJoined, chosen, order),
})

/** Organizations, by name unless told. */
export const organizationList = defineList({
  endpoint: listOrganizations,
  from: sql`organizations e`,
  open: (actor) => organizationOpenTo(actor, sql.ref('e.id')),
  filters: {
    status: (status) => sql`e.status = ${status}`,
    id: idIn(sql.ref('e.id')),
    'lookup-name': (name) => sql`e.lookup_name = ${name}`,
    'source-code': (code) => sql`e.source_code = ${code}`,
    name: (text) => every(words(sql.ref('e.name_key'), text)),
    q: searched(sql`(e.name_key || ' ' || fold(e.source_code))`),
  },
  sorts: { id: null, name: sql.ref('e.name_key') },
  read: ({ tx }, chosen, order) => read<Organization>(tx, organizationColumns, sql`organizations e`, chosen, order),
})

/** Every word is in the text, or it is the id. */
function searched(column: RawBuilder<unknown>) {
  return (q: string): RawBuilder<unknown> => {
    const named = words(column, q)
    const id = named.length ? idOf(q) : null
    return id === null ? every(named) : sql`(${every(named)} or e.id = ${id})`
  }
}
