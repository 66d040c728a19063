import { sql } from 'kysely'
import { type CustomerSuccessManager, Organization } from '#contract/organizations.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationOpenTo, organizationWholeTo } from '#server/access/scope.ts'
import type { OrganizationTable } from '#server/tables/companies.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import { insertRow, saveRow } from '#server/tables/rows.ts'

/** An organization as read from the database for a person. */
export type OrganizationRow = Omit<Organization, 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }

/** A time in the format of the API. */
const inJson = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Columns over `organizationsCounted`. Notes and manager are visible to people granted the organization itself, not only
 * employers of it.
 */
export const organizationColumns = (actor: Actor) => sql<OrganizationRow>`
  e.id, e.name, e.lookup_name, e.brand, e.source_code, e.status,
  case when ${organizationWholeTo(actor, sql.ref('e.id'))} then (select json_build_object('id', csm.id, 'name', csm.name)
    from customer_success_managers csm where csm.id = e.csm_id) end as csm,
  case when ${organizationWholeTo(actor, sql.ref('e.id'))} then e.notes end as notes,
  case when ${organizationWholeTo(actor, sql.ref('e.id'))} then (select json_build_object('fingerprint', key.fingerprint,
      'user_ids', key.user_ids, 'algorithm', key.algorithm, 'created_at', ${inJson('key.created_at')},
      'expires_at', ${inJson('key.expires_at')}, 'added_at', ${inJson('key.added_at')})
    from encryption_keys key where key.organization_id = e.id) end as encryption,
  counted.employer_count, counted.active_employer_count,
  e.created_at, e.updated_at, e.version`

/** Organizations `e`, each with the number of its employers that are open to the person. */
export const organizationsCounted = (actor: Actor) => sql`organizations e cross join lateral (
  select count(*)::int as employer_count, (count(*) filter (where employers.status = 'ACTIVE'))::int as active_employer_count
  from employers where employers.organization_id = e.id and ${openTo(actor, sql.ref('employers.id'))}) counted`

/** An organization as returned by the API. */
export const toOrganization = (row: OrganizationRow): Organization => answerOf(Organization, row)

/** One organization, if the person may see it or one of its employers. */
export async function oneOrganization(tx: Tx, actor: Actor, id: number): Promise<OrganizationRow | null> {
  return selectOne<OrganizationRow>(tx)`
    select ${organizationColumns(actor)} from ${organizationsCounted(actor)}
    where e.id = ${id} and ${organizationOpenTo(actor, sql.ref('e.id'))}`
}

/** One organization granted to the person itself, locked until the commit; changes of its records take this lock first. */
export async function lockOrganization(tx: Tx, actor: Actor, id: number): Promise<OrganizationRow | null> {
  const { rows } = await sql`select 1 from organizations e
    where id = ${id} and ${organizationWholeTo(actor, sql.ref('e.id'))} for no key update`.execute(tx)
  return rows.length > 0 ? oneOrganization(tx, actor, id) : null
}

/** The values of an organization that a person sets. */
export type OrganizationValues = Pick<
  OrganizationTable,
  'name' | 'lookup_name' | 'brand' | 'source_code' | 'csm_id' | 'notes' | 'status'
>

/** Adds an organization; an account manager who adds one is granted it, or could not see it. Returns its id. */
export async function insertOrganization(tx: Tx, actor: Actor, values: OrganizationValues): Promise<number> {
  const id = await insertRow(tx, 'organizations', values)
  if (actor.kind !== 'ADMIN')
    await tx.insertInto('access_grants').values({ person_id: actor.id, organization_id: id, employer_id: null }).execute()
  return id
}

/** Changes a locked organization and increments its version. */
export async function saveOrganization(tx: Tx, id: number, values: OrganizationValues, now: Date): Promise<void> {
  await saveRow(tx, 'organizations', id, values, now)
}

/** The names among these that another organization has; concurrent additions and renames wait. */
export async function takenNames(
  tx: Tx,
  { lookup_name, source_code }: Pick<OrganizationValues, 'lookup_name' | 'source_code'>,
  but: number | null,
): Promise<('lookup_name' | 'source_code')[]> {
  await sql`select pg_advisory_xact_lock(hashtext('organizations'))`.execute(tx)
  const { rows } = await sql<{ name: boolean; code: boolean }>`
    select coalesce(bool_or(lookup_name = ${lookup_name}), false) as name,
      coalesce(bool_or(source_code = ${source_code}), false) as code
    from organizations where (lookup_name = ${lookup_name} or source_code = ${source_code})
      and id is distinct from ${but}::bigint`.execute(tx)
  return [...(rows[0]?.name ? (['lookup_name'] as const) : []), ...(rows[0]?.code ? (['source_code'] as const) : [])]
}

/** Facts about an organization's employers that forbid changes of it. */
export async function employersOf(tx: Tx, id: number): Promise<{ some: boolean; active: boolean }> {
  const { rows } = await sql<{ some: boolean; active: boolean }>`
    select count(*) > 0 as some, coalesce(bool_or(status = 'ACTIVE'), false) as active
    from employers where organization_id = ${id}`.execute(tx)
  return rows[0] as { some: boolean; active: boolean }
}

/** Customer success managers by name: those whose name contains the text, or those with these ids. */
export async function customerSuccessManagers(
  tx: Tx,
  { q, ids, limit }: { q?: string | undefined; ids?: readonly number[] | undefined; limit: number },
): Promise<CustomerSuccessManager[]> {
  return selectAll<CustomerSuccessManager>(tx)`
    select id, name from customer_success_managers
    where ${ids ? sql`id = any(${[...ids]}::bigint[])` : sql`true`}
      and ${q ? sql`position(fold(${q}) in name_key) > 0` : sql`true`}
    order by name_key, id limit ${limit}`
}
