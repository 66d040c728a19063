import { groups, permissionsOf, superAdminGroup } from '#domain/permission-groups.ts'
import type { PermissionId } from '#domain/permissions.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/**
 * Account status: invited until a password is chosen, unless the invitation was withdrawn. Account managers from a file are not
 * invited yet.
 */
export const staffStatuses = states({
  NOT_INVITED: ['Not invited', 'idle'],
  INVITED: ['Invited', 'wait'],
  WITHDRAWN: ['Invitation withdrawn', 'idle'],
  ACTIVE: ['Active', 'good'],
})
export type StaffStatus = StateOf<typeof staffStatuses>

/** Origins of an account manager (ENT-003, ENT-004). */
export const staffOrigins = ['INGESTION', 'ADMIN_PORTAL'] as const
export type StaffOrigin = (typeof staffOrigins)[number]
export const staffOriginLabels: Readonly<Record<StaffOrigin, string>> = { INGESTION: 'Automated', ADMIN_PORTAL: 'Manual' }

/** Kinds of staff that permissions can be granted to (docs/rules/access.md). */
export const staffKinds = ['ADMIN', 'ACCOUNT_MANAGER'] as const
export type StaffKind = (typeof staffKinds)[number]

/** Permissions about admins, which only admins can be given. */
const ofAdmins: readonly PermissionId[] = [1017, 1018]

/** Whether a staff member of this kind can be given a permission. */
export const canBeGiven = (kind: StaffKind, permission: number): boolean =>
  kind === 'ADMIN' || !(ofAdmins as readonly number[]).includes(permission)

/** Groups that a staff member of this kind can be given. */
export const groupsFor = (kind: StaffKind) => groups.filter((group) => kind === 'ADMIN' || group.id !== superAdminGroup)

/** What a staff member holds: groups and single permissions, by id. */
export interface Rights {
  group_ids: readonly number[]
  permission_ids: readonly number[]
}

/**
 * The groups and permissions that take effect for a staff member of this kind. What an account manager cannot be given (super-admin,
 * everything about admins) has no effect, even if it is in the database.
 */
export function effectiveRights(kind: StaffKind, { group_ids, permission_ids }: Rights) {
  const allowed = new Set(groupsFor(kind).map(({ id }) => id))
  const groupIds = group_ids.filter((id) => allowed.has(id))
  const held = [...permissionsOf(groupIds, permission_ids)].filter((id) => canBeGiven(kind, id))
  return { groupIds, held: new Set(held) }
}

/** The permissions that differ between `from` and `to`, including those of groups. */
export function difference(from: Rights, to: Rights): number[] {
  const before = permissionsOf(from.group_ids, from.permission_ids)
  const after = permissionsOf(to.group_ids, to.permission_ids)
  return [...new Set([...before, ...after])].filter((id) => before.has(id) !== after.has(id))
}

/** Input of the rules below; both the API and the server's row have it. */
export interface StaffFacts {
  status: string
  /** Expiry of the link mailed last; null if none is valid. */
  invitation_until?: string | Date | null
  /** Whether it is the caller. */
  own: boolean
  /** Whether they hold something that the caller lacks: a permission, or super-admin. */
  above: boolean
  /** Whether they are connected to a company that the caller has no access to. */
  further?: boolean
  /** Whether nobody else who can sign in is a super-admin. */
  last_super_admin?: boolean
  /** Whether an authenticator is set up. */
  authenticator?: boolean | undefined
}

const setUpAlready = refuse('already-active', 'This person has set up their account already.')
const holdsMore = refuse('holds-more', 'This person holds rights that you do not hold.')
const reachesFurther = refuse('reaches-further', 'This person is connected to companies that are not open to you.')
const ownRights = refuse('own-account', 'Somebody else has to change your own rights.')

/**
 * Why a staff member's name or e-mail cannot be changed: with a changed e-mail one could sign in as them, with all their rights
 * and connections.
 */
export const canChangeStaff = ({ above, further }: StaffFacts): Refusal | null =>
  above ? holdsMore : further ? reachesFurther : null

/** Why a staff member's rights cannot be changed: they apply in every company that the staff member is connected to. */
export const canChangeRights = (one: StaffFacts): Refusal | null => (one.own ? ownRights : canChangeStaff(one))

/**
 * Why a staff member's connections cannot be changed; those that the caller has no access to stay as they are
 * (docs/rules/access.md).
 */
export const canConnect = ({ own, above }: StaffFacts): Refusal | null => (own ? ownRights : above ? holdsMore : null)

/** Why a staff member cannot be removed. */
export function canRemoveStaff(one: StaffFacts): Refusal | null {
  if (one.own) return refuse('own-account', 'Somebody else has to remove your own account.')
  if (one.last_super_admin) return refuse('last-super-admin', 'The last super-admin cannot be removed.')
  return canChangeStaff(one)
}

/** Why a staff member cannot be invited again: they chose a password, or may not be changed. */
export const canInviteAgain = (one: StaffFacts): Refusal | null => (one.status === 'ACTIVE' ? setUpAlready : canChangeStaff(one))

/** Why an invitation cannot be withdrawn: it was accepted, withdrawn, or has expired. */
export function canWithdrawInvitation(one: StaffFacts): Refusal | null {
  if (one.status === 'ACTIVE') return setUpAlready
  if (one.status === 'NOT_INVITED') return refuse('nothing-to-withdraw', 'This person has not been invited yet.')
  if (one.status === 'WITHDRAWN') return refuse('already-withdrawn', 'The invitation was withdrawn already.')
  if (one.invitation_until === null)
    return refuse('nothing-to-withdraw', 'There is nothing to withdraw: the link has run out by itself.')
  return canChangeStaff(one)
}

const notSetUp = refuse('not-set-up', 'This person has not set up their account. Invite them again.')

/** Why a staff member's password cannot be reset. */
export function canResetPassword(one: StaffFacts): Refusal | null {
  if (one.own) return refuse('own-account', 'Somebody else has to reset your own password.')
  return one.status === 'ACTIVE' ? canChangeStaff(one) : notSetUp
}

/** Why a staff member's authenticator cannot be reset. */
export function canResetAuthenticator(one: StaffFacts): Refusal | null {
  if (one.own) return refuse('own-account', 'Somebody else has to reset your own authenticator.')
  if (one.status !== 'ACTIVE') return notSetUp
  if (one.authenticator === false)
    return refuse('no-authenticator', 'No authenticator is set up: this person sets one up at the next sign-in.')
  return canChangeStaff(one)
}
