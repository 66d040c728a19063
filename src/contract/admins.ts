import { z } from 'zod'
import { all, ownOr } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { byPerson, email, text } from '#contract/fields.ts'
import { listings } from '#contract/listings.ts'
import {
  givenRights,
  Held,
  permissionFilter,
  staffActions,
  staffFields,
  staffQuery,
  staffSorts,
  staffStatusFilter,
} from '#contract/staff.ts'
import { byPersonIds, resource } from '#contract/resource.ts'

const tag = 'Admins'
const reading = listings.admins.needs
const needs = all('write:admins')

/** A staff member whose rights apply to all companies (ENT-008, ENT-009). */
export const Admin = z.object({
  ...staffFields,
  phone_number: z.string().nullable(),
  /** Whether nobody else who can sign in is a super-admin. */
  last_super_admin: z.boolean(),
})
export type Admin = z.infer<typeof Admin>

/** The filters of the admins list. */
export const adminFilters = [staffStatusFilter, permissionFilter('ADMIN')] as const

export const {
  list: listAdmins,
  count: countAdmins,
  get: getAdmin,
  history: listAdminEvents,
} = resource(listings.admins, {
  one: 'admin',
  many: 'admins',
  tag,
  row: Admin,
  rows: 'admins',
  filters: adminFilters,
  sorts: staffSorts,
  params: byPerson,
  narrowing: byPersonIds,
  arranging: staffQuery,
  getExtension: false,
})

export const getAdminPermissions = endpoint({
  method: 'GET',
  path: '/admins/{id}/permissions',
  summary: 'The groups and permissions of an admin',
  tag,
  params: byPerson,
  answer: Held,
  needs: ownOr(reading),
})

export const createAdmin = action({
  method: 'POST',
  path: '/admins',
  tag,
  summary: 'Create an admin with groups and permissions, and invite them by mail',
  answer: Admin,
  status: 201,
  id: 'admin.create',
  body: z.object({
    name: text('Name', 200),
    email: email(),
    phone_number: text('Phone', 40).nullable().optional(),
    group_ids: givenRights.group_ids.optional(),
    permission_ids: givenRights.permission_ids.optional(),
  }),
  needs,
  event: 'Created',
})

export const adminActions = staffActions({ noun: 'admin', words: 'an admin', tag, answer: Admin, needs })
export const {
  remove: removeAdmin,
  setRights: setAdminRights,
  invite: inviteAdmin,
  resetPassword: resetAdminPassword,
  resetAuthenticator: resetAdminAuthenticator,
  withdrawInvitation: withdrawAdminInvitation,
} = adminActions
