import { z } from 'zod'
import { all, byIntent, ownOr } from '#domain/permissions.ts'
import {
  canChangeRights,
  canInviteAgain,
  canRemoveStaff,
  canResetAuthenticator,
  canResetPassword,
  canWithdrawInvitation,
} from '#domain/staff.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byPerson, email, nothing, text, version, versionParam } from '#contract/fields.ts'
import { filterParams } from '#contract/filter.ts'
import { historyOf } from '#contract/history.ts'
import { Count, lek } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import {
  authenticatorReset,
  givenRights,
  Held,
  staffFields,
  staffQuery,
  staffSorts,
  staffStatusFilter,
  withdrawalLost,
} from '#contract/staff.ts'

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
export const adminFilters = [staffStatusFilter] as const

const filtered = { q: staffQuery.q, ...filterParams(adminFilters) }

export const listAdmins = endpoint({
  ...listings.admins,
  summary: 'Admins, by cursor',
  tag,
  params: nothing,
  query: z.object({ ...staffQuery, ...filtered, sort: z.enum(staffSorts).default('name') }),
  answer: z.object({ admins: z.array(Admin), lek }),
})

export const countAdmins = endpoint({
  method: 'GET',
  path: '/admins/count',
  summary: 'How many admins a filter has',
  tag,
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: reading,
  extension: true,
})

export const getAdmin = endpoint({
  method: 'GET',
  path: '/admins/{id}',
  summary: 'One admin',
  tag,
  params: byPerson,
  query: nothing,
  answer: Admin,
  needs: reading,
})

export const getAdminPermissions = endpoint({
  method: 'GET',
  path: '/admins/{id}/permissions',
  summary: 'The groups and permissions of an admin',
  tag,
  params: byPerson,
  query: nothing,
  answer: Held,
  needs: ownOr(reading),
})

export const listAdminEvents = historyOf('/admins/{id}/history', {
  summary: 'What happened to an admin, newest first',
  tag,
  needs: reading,
  extension: true,
  params: byPerson,
})

const writing = { tag, params: byPerson, query: nothing, answer: Admin, needs: byIntent } as const

export const postAdmin = endpoint({
  ...writing,
  method: 'POST',
  path: '/admins',
  summary: 'Create an admin with groups and permissions, and invite them by mail',
  params: nothing,
  status: 201,
})

export const createAdmin = intent(postAdmin, {
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

export const deleteAdmin = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/admins/{id}',
  summary: 'Remove an admin: their sessions end, and they sign in no more',
  query: versionParam,
  answer: z.object({}),
})

export const removeAdmin = intent(deleteAdmin, {
  id: 'admin.remove',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canRemoveStaff,
  event: 'Removed',
})

export const postAdminPermissions = endpoint({
  ...writing,
  method: 'POST',
  path: '/admins/{id}/permissions',
  summary: 'Replace the groups and permissions of an admin',
})

export const setAdminRights = intent(postAdminPermissions, {
  id: 'admin.set-rights',
  body: z.object({ ...givenRights, version: version().optional() }),
  needs,
  refuses: canChangeRights,
  event: 'Rights changed',
})

export const postAdminInvitation = endpoint({
  ...writing,
  method: 'POST',
  path: '/admins/{id}/invitations',
  summary: 'Invite an admin again: the link that was sent before is good no more',
  extension: true,
})

export const inviteAdmin = intent(postAdminInvitation, {
  id: 'admin.invite',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canInviteAgain,
  event: 'Invited again',
})

export const postAdminPasswordReset = endpoint({
  ...writing,
  method: 'POST',
  path: '/admins/{id}/password-resets',
  summary: 'Remove the password of an admin, and mail a link to choose another',
  extension: true,
})

export const resetAdminPassword = intent(postAdminPasswordReset, {
  id: 'admin.reset-password',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canResetPassword,
  event: 'Password reset',
})

export const postAdminAuthenticatorReset = endpoint({
  ...writing,
  method: 'POST',
  path: '/admins/{id}/authenticator-resets',
  summary: 'Remove the authenticator and the recovery codes of an admin, who sets up a new one at the next sign-in',
  extension: true,
})

export const resetAdminAuthenticator = intent(postAdminAuthenticatorReset, {
  id: 'admin.reset-authenticator',
  body: authenticatorReset,
  needs,
  refuses: canResetAuthenticator,
  event: 'Authenticator reset',
})

export const deleteAdminInvitation = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/admins/{id}/invitations',
  summary: 'Withdraw the invitation of an admin: the link that was mailed stops working',
  query: versionParam,
  extension: true,
})

export const withdrawAdminInvitation = intent(deleteAdminInvitation, {
  id: 'admin.withdraw-invitation',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canWithdrawInvitation,
  stale: withdrawalLost,
  event: 'Invitation withdrawn',
})
