import { type RawBuilder, sql } from 'kysely'
import { prepared } from '#server/postgres/prepared.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { selectOne } from '#server/postgres/select.ts'

/**
 * The ids of the employers that a person may see, as a subquery; null means all of them (admins). An account manager sees the
 * employers of granted organizations, present and future, and employers granted directly; without a grant, none. Every statement
 * about employers and their records goes through here and reads the current grants (PERM-003, docs/rules/access.md).
 */
export function visibleEmployers(actor: Reader): RawBuilder<{ id: number }> | null {
  if (actor.kind === 'ADMIN') return null
  return sql<{ id: number }>`(
    select employers.id from access_grants
    join employers on employers.organization_id = access_grants.organization_id
    where access_grants.person_id = ${actor.id}
    union
    select access_grants.employer_id from access_grants
    where access_grants.person_id = ${actor.id} and access_grants.employer_id is not null
  )`
}

/** Whether `employer` (a column of employer ids) is open to the person. */
export function openTo(actor: Reader, employer: RawBuilder<unknown>): RawBuilder<boolean> {
  const visible = visibleEmployers(actor)
  return visible ? sql<boolean>`${employer} in ${visible}` : sql<boolean>`true`
}

/** The ids of the organizations that were granted to an account manager as a whole, as a subquery without parentheses. */
const grantedOrganizations = ({ id }: Pick<Actor, 'id'>) =>
  sql`select organization_id from access_grants where person_id = ${id} and organization_id is not null`

/**
 * Whether an organization is open: granted itself, or with an employer that is; in that case only its name is visible, without
 * its other employers.
 */
export function organizationOpenTo(actor: Reader, organization: RawBuilder<unknown>): RawBuilder<boolean> {
  if (actor.kind === 'ADMIN') return sql<boolean>`true`
  return sql<boolean>`${organization} in (
    ${grantedOrganizations(actor)}
    union
    select employers.organization_id from access_grants join employers on employers.id = access_grants.employer_id
    where access_grants.person_id = ${actor.id}
  )`
}

/** Whether an organization was granted itself, so that all of it is open. */
export function organizationWholeTo(actor: Reader, organization: RawBuilder<unknown>): RawBuilder<boolean> {
  if (actor.kind === 'ADMIN') return sql<boolean>`true`
  return sql<boolean>`${organization} in (${grantedOrganizations(actor)})`
}

/**
 * Whether the debtor in columns `debtor_type` and `debtor_id` of `alias` is open to the person: an employer as everywhere, an
 * organization only if it was granted itself. Null is the service, which may see all.
 */
export function debtorOpenTo(actor: Reader | null, alias: string): RawBuilder<boolean> {
  if (!actor || actor.kind === 'ADMIN') return sql<boolean>`true`
  const type = sql.ref(`${alias}.debtor_type`)
  const id = sql.ref(`${alias}.debtor_id`)
  return sql<boolean>`case ${type} when 'EMPLOYER' then ${openTo(actor, id)} else ${organizationWholeTo(actor, id)} end`
}

/**
 * The companies whose own rows are open to a person, as a subquery with `company_type` and `company_id`: employers, and
 * organizations that were granted themselves. Null means all of them (admins).
 */
export function openCompanies(actor: Reader): RawBuilder<unknown> | null {
  const employers = visibleEmployers(actor)
  if (!employers) return null
  return sql`(
    select 'EMPLOYER' as company_type, id as company_id from ${employers} employer
    union all
    select 'ORGANIZATION', organization_id from (${grantedOrganizations(actor)}) whole
  )`
}

/**
 * The grants of a person in a form to be stored: while all of them are still open to the person (`isStillOpen`), they may see
 * what they saw then.
 */
export const storedGrants = ({ id, kind }: Reader): RawBuilder<string[]> =>
  kind === 'ADMIN'
    ? sql`array['all']`
    : sql`array(select coalesce('EMPLOYER' || employer_id, 'ORGANIZATION' || organization_id) from access_grants where person_id = ${id})`

/** Whether everything in `kept`, a column of `storedGrants`, is still open to a person; more may be. */
export function isStillOpen(actor: Reader, kept: RawBuilder<unknown>): RawBuilder<boolean> {
  const companies = openCompanies(actor)
  return companies
    ? sql<boolean>`${kept} <@ array(select company_type || company_id from ${companies} company)`
    : sql<boolean>`true`
}

/**
 * Like `openCompanies`, for figures that are stored per organization: `WHOLE` is an organization granted itself with all of its
 * employers, so that none of them is added twice.
 */
export function openWholes(actor: Reader): RawBuilder<unknown> | null {
  if (actor.kind === 'ADMIN') return null
  return sql`(
    select 'WHOLE' as company_type, organization_id as company_id from (${grantedOrganizations(actor)}) whole
    union all
    select 'EMPLOYER', employer.id from access_grants join employers employer on employer.id = access_grants.employer_id
    where access_grants.person_id = ${actor.id} and employer.organization_id not in (${grantedOrganizations(actor)})
  )`
}

/** A debtor: an employer with its organization, or an organization itself. */
export interface OpenDebtor {
  organization_id: number
  organization_name: string
  employer_id: number | null
  employer_name: string | null
}

/** A debtor, if it exists and is open to the person. */
export async function openDebtor(
  tx: Tx,
  actor: Reader | null,
  type: 'EMPLOYER' | 'ORGANIZATION',
  id: number,
): Promise<OpenDebtor | null> {
  const found =
    type === 'EMPLOYER'
      ? sql`select 'EMPLOYER' as debtor_type, employer.id as debtor_id, organization.id as organization_id,
          organization.name as organization_name, employer.id as employer_id, employer.internal_name as employer_name
        from employers employer join organizations organization on organization.id = employer.organization_id
        where employer.id = ${id}`
      : sql`select 'ORGANIZATION' as debtor_type, id as debtor_id, id as organization_id, name as organization_name,
          null::bigint as employer_id, null as employer_name from organizations where id = ${id}`
  return selectOne<OpenDebtor>(tx)`${prepared}
    select organization_id, organization_name, employer_id, employer_name from (${found}) d
    where ${debtorOpenTo(actor, 'd')}`
}

/** Whether a debtor exists and is open to the person. */
export const isOpenDebtor = async (...debtor: Parameters<typeof openDebtor>): Promise<boolean> =>
  (await openDebtor(...debtor)) !== null

interface Named {
  id: number
  name: string
}

/** The grants of an account manager, by name: whole organizations, and single employers; null for an admin, who sees all. */
export async function grantsOf(tx: Tx, actor: Reader): Promise<{ organizations: Named[]; employers: Named[] } | null> {
  if (actor.kind === 'ADMIN') return null
  const { rows } = await sql<Named & { whole: boolean }>`
    select coalesce(organizations.id, employers.id) as id, coalesce(organizations.name, employers.internal_name) as name,
      access_grants.organization_id is not null as whole
    from access_grants
    left join organizations on organizations.id = access_grants.organization_id
    left join employers on employers.id = access_grants.employer_id
    where person_id = ${actor.id} order by name, id
  `.execute(tx)
  const named = (whole: boolean) => rows.filter((row) => row.whole === whole).map(({ id, name }) => ({ id, name }))
  return { organizations: named(true), employers: named(false) }
}
