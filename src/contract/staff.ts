import { z } from 'zod'
import { groupWords, hasNoEffect, isSuperAdmin, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { any, type Need, permissionIds, permissionNames } from '#domain/permissions.ts'
import {
  canBeGiven,
  canChangeRights,
  canInviteAgain,
  canRemoveStaff,
  canResetAuthenticator,
  canResetPassword,
  canWithdrawInvitation,
  groupsFor,
  type StaffFacts,
  type StaffKind,
  staffKinds,
  staffStatuses,
} from '#domain/staff.ts'
import { action, endpoint } from '#contract/define.ts'
import {
  byPerson,
  decimal,
  idChoices,
  type ListedBy,
  type Options,
  permissionChoices,
  personIdSchema,
  stamps,
  text,
  version,
} from '#contract/fields.ts'
import { choiceFilter, inactive } from '#contract/filter.ts'
import { changedMeanwhile } from '#contract/problem.ts'

/** A group of a staff member (ENT-029). */
export const HeldGroup = z.object({ id: z.int(), name: z.string() })

/** A permission granted to a staff member individually (ENT-030). */
export const HeldPermission = z.object({ id: z.int(), short_name: z.string() })

/** Groups and single permissions. */
export const Held = z.object({ groups: z.array(HeldGroup), permissions: z.array(HeldPermission) })
export type Held = z.infer<typeof Held>

/** Common fields of all staff. */
export const staffFields = {
  id: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.enum(staffStatuses.values),
  /** Expiry of the link mailed last; null if none is valid. */
  invitation_until: z.iso.datetime().nullable(),
  /** Whether an authenticator is set up. */
  authenticator: z.boolean().optional(),
  groups: z.array(HeldGroup),
  permissions: z.array(HeldPermission),
  /** Whether it is the caller. */
  own: z.boolean(),
  /** Whether they hold something that the caller lacks, so that they cannot be changed. */
  above: z.boolean(),
  ...stamps,
}

/** The rows of staff lists have UUIDs. */
export const staffQuery = { 'from-id': personIdSchema.optional() }

export const staffSorts = ['name', 'email', 'status', 'created_at', 'updated_at'] as const

export const staffStatusFilter = choiceFilter({ id: 'status', title: 'Status', of: staffStatuses, synonyms: inactive })

/** By a permission, held individually or by a group, with its short name; by any of several. */
export function permissionFilter(kind: StaffKind) {
  const ids = permissionIds.filter((id) => canBeGiven(kind, id))
  return choiceFilter({
    id: 'permission',
    title: 'Permission',
    values: ids.map((id) => permissionNames[id]),
    labels: Object.fromEntries(ids.map((id) => [permissionNames[id], permissionWords(id)])),
  })
}

/** The groups and permissions that can be granted. */
export const Catalogue = z.object({
  /** The permissions of each group are an extension. */
  groups: z.array(HeldGroup.extend({ permission_ids: z.array(z.int()).optional() })),
  permissions: z.array(HeldPermission),
})
export type Catalogue = z.infer<typeof Catalogue>

export const listPermissions = endpoint({
  method: 'GET',
  path: '/permissions',
  summary: 'The groups and permissions that can be given to admins, or to account managers',
  tag: 'Admins',
  specified: ['entity'],
  query: z.object({ entity: z.enum(staffKinds).optional() }),
  answer: Catalogue,
  needs: any('read:admins', 'write:admins', 'write:account-managers'),
})

/** New groups and permissions, by id: they replace the current ones (PERM-001). */
export const givenRights = {
  group_ids: z.array(decimal('This is not an id.', 1)).max(100),
  permission_ids: z.array(decimal('This is not an id.', 1)).max(200),
}

/** The body of a call that resets an authenticator. */
export const authenticatorReset = z.object({ reason: text('Reason', 500), version: version().optional() })

/** The changes that admins and account managers share, below the path of their kind. */
export function staffActions<const Noun extends string, Answer extends z.ZodType>({
  noun,
  words,
  ...call
}: {
  noun: Noun
  /** `an admin` */
  words: string
  tag: string
  answer: Answer
  needs: Need
}) {
  const person = { ...call, params: byPerson, path: `/${noun}s/{id}` }
  const extension = { ...call, params: byPerson, extension: true }
  const versioned = z.object({ version: version().optional() })
  return {
    remove: action({
      ...person,
      method: 'DELETE',
      summary: `Remove ${words}: their sessions end, and they sign in no more`,
      answer: z.object({}),
      id: `${noun}.remove`,
      body: versioned,
      refuses: canRemoveStaff,
      event: 'Removed',
    }),
    setRights: action({
      ...person,
      method: 'POST',
      path: `/${noun}s/{id}/permissions`,
      summary: `Replace the groups and permissions of ${words}`,
      id: `${noun}.set-rights`,
      body: z.object({ ...givenRights, version: version().optional() }),
      refuses: canChangeRights,
      event: 'Rights changed',
    }),
    invite: action({
      ...extension,
      method: 'POST',
      path: `/${noun}s/{id}/invitations`,
      summary: `Invite ${words} again: the link that was sent before is good no more`,
      id: `${noun}.invite`,
      body: versioned,
      refuses: canInviteAgain,
      event: 'Invited again',
    }),
    resetPassword: action({
      ...extension,
      method: 'POST',
      path: `/${noun}s/{id}/password-resets`,
      summary: `Remove the password of ${words}, and mail a link to choose another`,
      id: `${noun}.reset-password`,
      body: versioned,
      refuses: canResetPassword,
      event: 'Password reset',
    }),
    resetAuthenticator: action({
      ...extension,
      method: 'POST',
      path: `/${noun}s/{id}/authenticator-resets`,
      summary: `Remove the authenticator and the recovery codes of ${words}, who sets up a new one at the next sign-in`,
      id: `${noun}.reset-authenticator`,
      body: authenticatorReset,
      refuses: canResetAuthenticator,
      event: 'Authenticator reset',
    }),
    withdrawInvitation: action({
      ...extension,
      method: 'DELETE',
      path: `/${noun}s/{id}/invitations`,
      summary: `Withdraw the invitation of ${words}: the link that was mailed stops working`,
      id: `${noun}.withdraw-invitation`,
      body: versioned,
      refuses: canWithdrawInvitation,
      stale: (one: StaffFacts): string => canWithdrawInvitation(one)?.sentence ?? changedMeanwhile,
      event: 'Invitation withdrawn',
    }),
  }
}
export type StaffActions<Answer extends z.ZodType> = ReturnType<typeof staffActions<string, Answer>>

/** Groups as options. Super-admin comes last, so that nobody selects it with the first key. */
const groupOptions = (groups: Catalogue['groups']): Options =>
  [false, true]
    .flatMap((everything) => groups.filter(({ id }) => isSuperAdmin([id]) === everything))
    .map(({ id, name, permission_ids = permissionsOf([id], []) }) => ({
      value: String(id),
      label: groupWords(name),
      gives: [...permission_ids],
    }))

/** Permissions as options: with the portal's own label, or the short name for a permission of the API that the portal does not know. */
const permissionOptions = (permissions: Catalogue['permissions']): Options =>
  permissions.map(({ id, short_name }) => ({
    value: String(id),
    label: permissionWords(short_name),
    ...(hasNoEffect(short_name) ? { note: 'unused' } : {}),
  }))

/** The groups and permissions that can be granted to a staff member of a kind, as far as this portal knows them. */
export const catalogueOf = (kind: StaffKind): Catalogue => ({
  groups: groupsFor(kind).map(({ id, name, permissions }) => ({ id, name, permission_ids: [...permissions] })),
  permissions: permissionIds.filter((id) => canBeGiven(kind, id)).map((id) => ({ id, short_name: permissionNames[id] })),
})

/** The form fields that grant rights to a staff member of a kind: groups, then permissions. */
export function rightsFields(kind: StaffKind, steps: { groups?: string; permissions?: string } = {}) {
  const { groups, permissions } = catalogueOf(kind)
  const listedBy = (options: (answer: Catalogue) => Options): ListedBy => ({
    call: listPermissions,
    query: { entity: kind },
    options,
  })
  return {
    group_ids: idChoices('Groups', groupOptions(groups), {
      listedBy: listedBy((answer) => groupOptions(answer.groups)),
      ...(steps.groups ? { step: steps.groups } : {}),
    }).default([]),
    permission_ids: permissionChoices('Permissions', permissionOptions(permissions), {
      listedBy: listedBy((answer) => permissionOptions(answer.permissions)),
      beside: 'group_ids',
      ...(steps.permissions ? { step: steps.permissions } : {}),
    }).default([]),
  }
}
