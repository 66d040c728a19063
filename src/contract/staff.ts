import { z } from 'zod'
import { groupWords, hasNoEffect, isSuperAdmin, permissionsOf, permissionWords } from '#domain/permission-groups.ts'
import { any, permissionIds, permissionNames } from '#domain/permissions.ts'
import {
  canBeGiven,
  canWithdrawInvitation,
  groupsFor,
  type StaffFacts,
  type StaffKind,
  staffKinds,
  staffStatuses,
} from '#domain/staff.ts'
import { endpoint } from '#contract/define.ts'
import {
  decimal,
  idChoices,
  type ListedBy,
  nothing,
  type Options,
  permissionChoices,
  personIdSchema,
  text,
  version,
} from '#contract/fields.ts'
import { choiceFilter } from '#contract/filter.ts'
import { listQuery } from '#contract/list.ts'
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
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int(),
}

/** Common parameters of staff lists besides filters; their rows have UUIDs. */
export const staffQuery = { ...listQuery, 'from-id': personIdSchema.optional() }

export const staffSorts = ['name', 'email', 'status', 'created_at', 'updated_at'] as const

export const staffStatusFilter = choiceFilter({
  id: 'status',
  title: 'Status',
  values: staffStatuses.values,
  labels: staffStatuses.labels,
})

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
  params: nothing,
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

/** Message for a withdrawal that is too late: the state of the invitation. */
export const withdrawalLost = (one: StaffFacts): string => canWithdrawInvitation(one)?.sentence ?? changedMeanwhile

/** Groups as options. Super-admin comes last, so that nobody selects it with the first key (D530). */
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
