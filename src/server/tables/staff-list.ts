import { type RawBuilder, sql } from 'kysely'
import { listAccountManagers } from '#contract/account-managers.ts'
import { listAdmins } from '#contract/admins.ts'
import { isPermissionName, permissionId } from '#domain/permissions.ts'
import { canBeGiven, groupsFor, type StaffKind } from '#domain/staff.ts'
import type { Actor } from '#server/access/actor.ts'
import { openTo, organizationOpenTo } from '#server/access/scope.ts'
import { defineList, every } from '#server/paging/define-list.ts'
import { choice } from '#server/tables/conditions.ts'
import { patternOf, searchWords } from '#server/tables/employee-search.ts'
import { accountManagerOpenTo, adminOpenTo, staffColumns } from '#server/tables/staff.ts'

const named = sql`fold(e.name || ' ' || e.email)`

const ofKind = (kind: StaffKind, open: RawBuilder<boolean>) => sql`e.kind = ${kind} and e.status <> 'DELETED' and ${open}`

const sorts = {
  name: sql.ref('e.name'),
  email: sql.ref('e.email'),
  status: sql.ref('e.status'),
  created_at: sql.ref('e.created_at'),
  updated_at: sql.ref('e.updated_at'),
}

/**
 * Whether every word is in the name or the e-mail; a short word only at the start of a word, since `am` is in every address at
 * example.com.
 */
const matching = (text: string) => {
  return every(searchWords(text).map((word) => sql`(' ' || ${named}) like ${patternOf(word)}`))
}

/** Whether somebody holds one of these permissions, individually or by a group. */
function holdsOne(kind: StaffKind, names: readonly string[]): RawBuilder<boolean> {
  const ids = names
    .filter(isPermissionName)
    .map(permissionId)
    .filter((id) => canBeGiven(kind, id))
  const granting = groupsFor(kind).filter(({ permissions }) => permissions.some((id) => ids.includes(id)))
  return sql<boolean>`(exists (select from person_permissions where person_id = e.id and permission_id = any(${ids}::int[]))
    or exists (select from person_groups where person_id = e.id and group_id = any(${granting.map(({ id }) => id)}::int[])))`
}

const shared = (kind: StaffKind) => ({
  q: matching,
  id: (ids: readonly string[]) => sql`e.id = any(${[...ids]}::uuid[])`,
  ...choice('status', sql.ref('e.status')),
  permission: (names: readonly string[]) => holdsOne(kind, names),
  'permission-not': (names: readonly string[]) => sql<boolean>`not ${holdsOne(kind, names)}`,
})

/** The employers among these that are open to the actor: a filter must not reveal others. */
const openEmployers = (ids: readonly number[], actor: Actor) =>
  sql`(select employers.id, employers.organization_id from employers
    where employers.id = any(${[...ids]}::bigint[]) and ${openTo(actor, sql.ref('employers.id'))})`

/** Account managers, by name by default. */
export const accountManagerList = defineList({
  endpoint: listAccountManagers,
  from: sql`people e`,
  open: (actor) => ofKind('ACCOUNT_MANAGER', accountManagerOpenTo(actor)),
  filters: {
    ...shared('ACCOUNT_MANAGER'),
    ...choice('origin', sql.ref('e.origin')),
    ...choice('brand', sql.ref('e.brand')),
    'account-manager-id': (ids) => sql`e.id = any(${[...ids]}::uuid[])`,
    // Account managers with access to these employers: granted directly, or with the whole organization.
    'employer-id': (ids, { actor }) => sql`exists (select from access_grants granted join ${openEmployers(ids, actor)} asked
      on asked.id = granted.employer_id or asked.organization_id = granted.organization_id where granted.person_id = e.id)`,
    'organization-id': (ids, { actor }) => sql`exists (select from access_grants granted
      where granted.person_id = e.id and granted.organization_id = any(${[...ids]}::bigint[])
        and ${organizationOpenTo(actor, sql.ref('granted.organization_id'))})`,
  },
  sorts,
  columns: staffColumns,
})

/** Admins, by name by default. */
export const adminList = defineList({
  endpoint: listAdmins,
  from: sql`people e`,
  open: (actor) => ofKind('ADMIN', adminOpenTo(actor)),
  filters: shared('ADMIN'),
  sorts,
  columns: staffColumns,
})
