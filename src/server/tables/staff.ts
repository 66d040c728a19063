import { type RawBuilder, sql } from 'kysely'
import type { AccountManager } from '#contract/account-managers.ts'
import type { Admin } from '#contract/admins.ts'
import type { Held } from '#contract/staff.ts'
import { groups, isSuperAdmin, permissionsOf, superAdminGroup } from '#domain/permission-groups.ts'
import { permissionNames, type PermissionId } from '#domain/permissions.ts'
import type { Rights, StaffKind, StaffOrigin, StaffStatus } from '#domain/staff.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationWholeTo } from '#server/access/scope.ts'
import type { Tx } from '#server/tables/database.ts'
import { isFound, selectOne } from '#server/postgres/select.ts'
import { saveRow } from '#server/tables/rows.ts'

/** A staff member as read from the database. */
export interface StaffRow extends Rights {
  id: string
  name: string
  email: string
  phone_number: string | null
  origin: StaffOrigin
  brand: string | null
  status: StaffStatus
  invitation_until: Date | null
  authenticator: boolean
  /** Whether they are connected to a company that is not open to the actor. */
  further: boolean
  organizations: { id: number; name: string }[]
  employers: { id: number; name: string; organization_name: string }[]
  last_super_admin: boolean
  created_at: Date
  updated_at: Date
  version: number
}

/** Whether the company in the row `granted` of an access list is open to the actor; an organization only as a whole. */
const isOpenGrant = (actor: Actor): RawBuilder<boolean> => sql<boolean>`case when granted.employer_id is null
  then ${organizationWholeTo(actor, sql.ref('granted.organization_id'))} else ${openTo(actor, sql.ref('granted.employer_id'))} end`

/** Columns of people `e`; the access list contains only what is open to the actor. */
export const staffColumns = (actor: Actor) => sql<StaffRow>`
  e.id, e.name, e.email, e.phone_number, e.origin, e.brand, e.status, e.created_at, e.updated_at, e.version,
  (select max(expires_at) from invitations where person_id = e.id and used_at is null and withdrawn_at is null
    and expires_at > now()) as invitation_until, e.totp_secret is not null as authenticator,
  array(select group_id from person_groups where person_id = e.id order by group_id) as group_ids,
  array(select permission_id from person_permissions where person_id = e.id order by permission_id) as permission_ids,
  coalesce((select json_agg(json_build_object('id', organization.id, 'name', organization.name) order by organization.name_key, organization.id)
    from access_grants granted join organizations organization on organization.id = granted.organization_id
    where granted.person_id = e.id and ${organizationWholeTo(actor, sql.ref('organization.id'))}), '[]') as organizations,
  coalesce((select json_agg(json_build_object('id', employer.id, 'name', employer.internal_name,
      'organization_name', organization.name) order by employer.name_key, employer.id)
    from access_grants granted join employers employer on employer.id = granted.employer_id
    join organizations organization on organization.id = employer.organization_id
    where granted.person_id = e.id and ${openTo(actor, sql.ref('employer.id'))}), '[]') as employers,
  exists (select from access_grants granted where granted.person_id = e.id and not ${isOpenGrant(actor)}) as further,
  e.status = 'ACTIVE' and exists (select from person_groups where person_id = e.id and group_id = ${sql.lit(superAdminGroup)})
    and not exists (select from person_groups join people other on other.id = person_groups.person_id
      where group_id = ${sql.lit(superAdminGroup)} and other.status = 'ACTIVE' and other.id <> e.id) as last_super_admin`

/**
 * Account managers open to an actor: to an admin all; to an account manager those connected to something that is theirs, too, and
 * themselves (docs/rules/access.md).
 */
export const accountManagerOpenTo = (actor: Actor): RawBuilder<boolean> =>
  actor.kind === 'ADMIN'
    ? sql<boolean>`true`
    : sql<boolean>`exists (select from access_grants granted where granted.person_id = e.id and (${isOpenGrant(actor)}
        or granted.organization_id in (select organization_id from employers where ${openTo(actor, sql.ref('employers.id'))})))`

/** Only admins see admins (docs/rules/access.md). */
export const adminOpenTo = (actor: Actor): RawBuilder<boolean> =>
  actor.kind === 'ADMIN' ? sql<boolean>`true` : sql<boolean>`false`

const openOf = (actor: Actor, kind: StaffKind) => (kind === 'ADMIN' ? adminOpenTo(actor) : accountManagerOpenTo(actor))

/** One staff member of a kind, if the actor may see them. */
export async function oneOfStaff(tx: Tx, actor: Actor, kind: StaffKind, id: string): Promise<StaffRow | null> {
  return selectOne<StaffRow>(tx)`select ${staffColumns(actor)} from people e
    where e.id = ${id} and e.kind = ${kind} and e.status <> 'DELETED' and ${openOf(actor, kind)}`
}

/** Groups and single permissions of the actor, independent of their access to staff. */
export async function ownRights(tx: Tx, { id }: Actor): Promise<Rights> {
  const { rows } = await sql<Rights>`select
    array(select group_id from person_groups where person_id = ${id} order by group_id) as group_ids,
    array(select permission_id from person_permissions where person_id = ${id} order by permission_id) as permission_ids`.execute(
    tx,
  )
  return rows[0] as Rights
}

/** Serializes changes of staff until the commit: unique e-mails and the last super-admin concern all of them. */
export async function lockStaff(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(tx)
}

/** The same row, locked until the commit, under `lockStaff`; the last super-admin cannot change in that time. */
export async function lockOfStaff(tx: Tx, actor: Actor, kind: StaffKind, id: string): Promise<StaffRow | null> {
  const { rows } = await sql`select 1 from people e
    where e.id = ${id} and e.kind = ${kind} and e.status <> 'DELETED' for no key update`.execute(tx)
  return rows.length > 0 ? oneOfStaff(tx, actor, kind, id) : null
}

/** Groups and permissions by name, as the API returns them; an unknown one appears with its id. */
export const heldOf = ({ group_ids, permission_ids }: Rights): Held => ({
  groups: group_ids.map((id) => ({ id, name: groups.find((group) => group.id === id)?.name ?? `group ${id}` })),
  permissions: permission_ids.map((id) => ({ id, short_name: permissionNames[id as PermissionId] ?? `permission ${id}` })),
})

/** Whether a staff member holds a permission that the actor lacks, or is a super-admin and the actor is not. */
const isAbove = (actor: Actor, row: Rights): boolean =>
  (isSuperAdmin(row.group_ids) && !isSuperAdmin(actor.groupIds)) ||
  [...permissionsOf(row.group_ids, row.permission_ids)].some((id) => !actor.held.has(id))

const common = (row: StaffRow, actor: Actor) => ({
  id: row.id,
  name: row.name,
  email: row.email,
  status: row.status,
  invitation_until: row.invitation_until?.toISOString() ?? null,
  authenticator: row.authenticator,
  own: row.id === actor.id,
  above: isAbove(actor, row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  version: row.version,
})

/** An account manager as returned by the API, with the requested parts. */
export const toAccountManager = (
  row: StaffRow,
  actor: Actor,
  parts: readonly string[] = ['permissions', 'access-control-list'],
): AccountManager => ({
  ...common(row, actor),
  origin: row.origin,
  brand: row.brand,
  further: row.further,
  ...(actor.kind === 'ACCOUNT_MANAGER' ? { shared: true as const } : {}),
  ...(parts.includes('permissions') ? heldOf(row) : {}),
  ...(parts.includes('access-control-list') ? { organizations: row.organizations, employers: row.employers } : {}),
})

/** An admin as returned by the API. */
export const toAdmin = (row: StaffRow, actor: Actor): Admin => ({
  ...common(row, actor),
  ...heldOf(row),
  phone_number: row.phone_number,
  last_super_admin: row.last_super_admin,
})

/** The input of the rules about a staff member, for the actor. */
export const factsOf = (row: StaffRow, actor: Actor) => ({
  ...row,
  own: row.id === actor.id,
  above: isAbove(actor, row),
})

interface NewStaff {
  kind: StaffKind
  name: string
  email: string
  phone_number?: string | null
  brand?: string | null
  origin?: StaffOrigin
  /** INVITED by default. */
  status?: StaffStatus
}

/** Adds a staff member, under `lockStaff`; returns the id, or null if the e-mail is in use. */
export async function insertStaff(tx: Tx, { email, ...values }: NewStaff): Promise<string | null> {
  const made = await tx
    .insertInto('people')
    .values({ phone_number: null, brand: null, status: 'INVITED', ...values, email: email.toLowerCase() })
    .onConflict((clash) => clash.column('email').where('status', '<>', 'DELETED').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id ?? null
}

/** Whether somebody else has this e-mail; under `lockStaff` nobody takes it concurrently. */
export async function isEmailTaken(tx: Tx, email: string, but: string): Promise<boolean> {
  return isFound(tx)`select 1 from people where email = ${email.toLowerCase()} and status <> 'DELETED' and id <> ${but}`
}

/** Replaces the groups and permissions of a staff member. */
export async function setRights(tx: Tx, id: string, { group_ids, permission_ids }: Rights): Promise<void> {
  await sql`with gone as (delete from person_groups where person_id = ${id} and group_id <> all(${[...group_ids]}::int[]))
    insert into person_groups (person_id, group_id) select ${id}::uuid, held from unnest(${[...group_ids]}::int[]) held
    on conflict do nothing`.execute(tx)
  await sql`with gone as (delete from person_permissions where person_id = ${id} and permission_id <> all(${[...permission_ids]}::int[]))
    insert into person_permissions (person_id, permission_id) select ${id}::uuid, held from unnest(${[...permission_ids]}::int[]) held
    on conflict do nothing`.execute(tx)
}

/** The organizations and employers that a staff member will be connected to. */
export interface Connections {
  organization_ids: readonly number[]
  employer_ids: readonly number[]
}

/** The ids among these that do not exist, or are not open to the actor. */
export async function unknownConnections(
  tx: Tx,
  actor: Actor,
  { organization_ids, employer_ids }: Connections,
): Promise<Connections> {
  const { rows } = await sql<{ organizations: number[]; employers: number[] }>`select
    array(select id from unnest(${[...organization_ids]}::bigint[]) id except
      select id from organizations where ${organizationWholeTo(actor, sql.ref('organizations.id'))}) as organizations,
    array(select id from unnest(${[...employer_ids]}::bigint[]) id except
      select id from employers where ${openTo(actor, sql.ref('employers.id'))}) as employers`.execute(tx)
  return { organization_ids: rows[0]?.organizations ?? [], employer_ids: rows[0]?.employers ?? [] }
}

/** Replaces the connections of a staff member; those not open to the actor stay (docs/rules/access.md). */
export async function setConnections(
  tx: Tx,
  actor: Actor,
  id: string,
  { organization_ids, employer_ids }: Connections,
): Promise<void> {
  await sql`delete from access_grants where person_id = ${id} and (
    (organization_id is not null and organization_id <> all(${[...organization_ids]}::bigint[])
      and ${organizationWholeTo(actor, sql.ref('access_grants.organization_id'))})
    or (employer_id is not null and employer_id <> all(${[...employer_ids]}::bigint[])
      and ${openTo(actor, sql.ref('access_grants.employer_id'))}))`.execute(tx)
  await sql`insert into access_grants (person_id, organization_id, employer_id)
    select ${id}::uuid, given, null::bigint from unnest(${[...organization_ids]}::bigint[]) given
    union all select ${id}::uuid, null, given from unnest(${[...employer_ids]}::bigint[]) given
    on conflict do nothing`.execute(tx)
}

/** Columns written by a change of a staff member: password and authenticator are only ever removed. */
interface StaffChange extends Partial<Pick<StaffRow, 'name' | 'email'>> {
  status?: 'INVITED' | 'WITHDRAWN' | 'DELETED'
  password_hash?: null
  totp_secret?: null
  totp_last_step?: null
}

/** Saves a change of a staff member and increments the version. */
export async function saveStaff(tx: Tx, id: string, values: StaffChange, now: Date): Promise<void> {
  await saveRow(tx, 'people', id, values, now)
}

/** The employers of an organization, by id. */
export async function employersWithin(tx: Tx, organization: number): Promise<ReadonlySet<number>> {
  const rows = await tx.selectFrom('employers').select('id').where('organization_id', '=', organization).execute()
  return new Set(rows.map(({ id }) => id))
}
