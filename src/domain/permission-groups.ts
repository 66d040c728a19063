import { capitalize } from '#domain/text.ts'
import {
  isPermissionName,
  type PermissionId,
  type PermissionName,
  permissionIds,
  permissionNames,
  rightTo,
} from '#domain/permissions.ts'

/** A row of the permission editor: one permission to see, one to edit (PERM-004 to PERM-025). */
export interface PermissionRow {
  title: string
  see: PermissionId
  edit: PermissionId
}

/** Pairs of See and Edit of the specification (section 6). */
export const permissionRows: readonly PermissionRow[] = [
  { title: 'Employee transactions', see: 7, edit: 1004 },
  { title: 'Employee wage', see: 8, edit: 1005 },
  { title: 'Employee basic data', see: 2, edit: 9 },
  { title: 'Billing', see: 1, edit: 1001 },
  { title: 'Employers', see: 3, edit: 1002 },
  { title: 'Off-cycle payments', see: 17, edit: 18 },
  { title: 'Organizations', see: 4, edit: 1003 },
  { title: 'Pay details', see: 98, edit: 1006 },
  { title: 'Reports', see: 5, edit: 1007 },
  { title: 'Timekeeping', see: 6, edit: 10 },
  { title: 'Work period balances', see: 15, edit: 16 },
]

/** Permissions of the specification that no call of this API requires. They can be granted, since another API may require them. */
const withoutEffect: ReadonlySet<string> = new Set<PermissionName>([
  'read:reports',
  'write:reports',
  'write:transactions',
  'write:wages',
])

/** Whether no call requires a permission, by its id or its short name. */
export const hasNoEffect = (permission: number | string): boolean =>
  withoutEffect.has(typeof permission === 'string' ? permission : (permissionNames[permission as PermissionId] ?? ''))

/** Label of a permission, by its id or its short name: 'See billing', 'Resume employees'. */
export function permissionWords(permission: number | string): string {
  const name = typeof permission === 'string' ? permission : permissionNames[permission as PermissionId]
  if (!isPermissionName(name)) return typeof permission === 'string' ? permission : `Permission ${permission}`
  const words = rightTo([name]).replace('the right to ', '')
  return capitalize(words)
}

export interface Group {
  id: number
  name: string
  permissions: readonly PermissionId[]
}

/** Label of a group: 'Human resources' for human-resources. */
export const groupWords = (name: string): string =>
  name === 'super-admin' ? 'Super-admin' : capitalize(name).replaceAll('-', ' ')

/** The group with all permissions, whose members may approve their own suggestions (docs/rules/deductions.md). */
export const superAdminGroup = 1

/** Whether these groups include super-admin, who may do what no permission covers. */
export const isSuperAdmin = (groupIds: readonly number[]): boolean => groupIds.includes(superAdminGroup)

/** The permission groups (PERM-001, docs/rules/access.md). */
export const groups: readonly Group[] = [
  { id: superAdminGroup, name: 'super-admin', permissions: permissionIds },
  { id: 2, name: 'timekeeping-approvers', permissions: [2, 3, 6, 10] },
  { id: 3, name: 'human-resources', permissions: [2, 3, 4, 6, 9, 15] },
  { id: 4, name: 'payroll', permissions: [1, 2, 3, 5, 6, 7, 8, 15, 16, 17, 18] },
]

/** The permissions of groups and single grants combined. */
export const permissionsOf = (groupIds: readonly number[], single: readonly number[]): Set<number> =>
  new Set([...groups.filter((group) => groupIds.includes(group.id)).flatMap((group) => group.permissions), ...single])
