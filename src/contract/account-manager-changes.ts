import { z } from 'zod'
import { all, byIntent } from '#domain/permissions.ts'
import {
  canChangeRights,
  canChangeStaff,
  canConnect,
  canInviteAgain,
  canRemoveStaff,
  canResetAuthenticator,
  canResetPassword,
  canWithdrawInvitation,
} from '#domain/staff.ts'
import { AccountManager, accessList } from '#contract/account-managers.ts'
import { endpoint, intent } from '#contract/define.ts'
import { byPerson, email, nothing, text, version, versionParam } from '#contract/fields.ts'
import { brandField } from '#contract/organization-changes.ts'
import { authenticatorReset, givenRights, withdrawalLost } from '#contract/staff.ts'

const tag = 'Account managers'
const needs = all('write:account-managers')

const writing = {
  tag,
  params: byPerson,
  query: nothing,
  answer: AccountManager,
  needs: byIntent,
} as const

export const postAccountManager = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers',
  summary: 'Create an account manager with connections and rights, and invite them by mail',
  params: nothing,
  status: 201,
})

/** The request of the completed wizard (SCR-012): everything in one transaction. */
export const createAccountManager = intent(postAccountManager, {
  id: 'account-manager.create',
  body: z.object({
    full_name: text('Full name', 200),
    email: email(),
    brand: brandField().nullable().optional(),
    organization_ids: accessList.organization_ids.optional(),
    employer_ids: accessList.employer_ids.optional(),
    group_ids: givenRights.group_ids.optional(),
    permission_ids: givenRights.permission_ids.optional(),
  }),
  needs,
  event: 'Created',
})

export const patchAccountManager = endpoint({
  ...writing,
  method: 'PATCH',
  path: '/account-managers/{id}',
  summary: 'Change the name or the e-mail of an account manager',
})

export const editAccountManager = intent(patchAccountManager, {
  id: 'account-manager.edit',
  body: z.object({ full_name: text('Full name', 200).optional(), email: email().optional(), version: version().optional() }),
  needs,
  refuses: canChangeStaff,
  event: 'Changed',
})

export const deleteAccountManager = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/account-managers/{id}',
  summary: 'Remove an account manager: their sessions end, and they sign in no more',
  query: versionParam,
  answer: z.object({}),
})

export const removeAccountManager = intent(deleteAccountManager, {
  id: 'account-manager.remove',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canRemoveStaff,
  event: 'Removed',
})

export const postAccountManagerPermissions = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/permissions',
  summary: 'Replace the groups and permissions of an account manager',
})

export const setAccountManagerRights = intent(postAccountManagerPermissions, {
  id: 'account-manager.set-rights',
  body: z.object({ ...givenRights, version: version().optional() }),
  needs,
  refuses: canChangeRights,
  event: 'Rights changed',
})

export const postAccessControlList = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/access-control-list',
  summary: 'Replace what an account manager is connected to',
})

export const connectAccountManager = intent(postAccessControlList, {
  id: 'account-manager.connect',
  body: z.object({ ...accessList, version: version().optional() }),
  needs,
  refuses: canConnect,
  event: 'Connections changed',
})

export const postAccountManagerInvitation = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/invitations',
  summary: 'Invite an account manager again: the link that was sent before is good no more',
  extension: true,
})

export const inviteAccountManager = intent(postAccountManagerInvitation, {
  id: 'account-manager.invite',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canInviteAgain,
  event: 'Invited again',
})

export const postAccountManagerPasswordReset = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/password-resets',
  summary: 'Take the password of an account manager away, and mail a link to choose a new one',
  extension: true,
})

export const resetAccountManagerPassword = intent(postAccountManagerPasswordReset, {
  id: 'account-manager.reset-password',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canResetPassword,
  event: 'Password reset',
})

export const postAccountManagerAuthenticatorReset = endpoint({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/authenticator-resets',
  summary: 'Remove the authenticator and the recovery codes of an account manager, who sets up a new one at the next sign-in',
  extension: true,
})

export const resetAccountManagerAuthenticator = intent(postAccountManagerAuthenticatorReset, {
  id: 'account-manager.reset-authenticator',
  body: authenticatorReset,
  needs,
  refuses: canResetAuthenticator,
  event: 'Authenticator reset',
})

export const deleteAccountManagerInvitation = endpoint({
  ...writing,
  method: 'DELETE',
  path: '/account-managers/{id}/invitations',
  summary: 'Withdraw the invitation of an account manager: the link that was mailed stops working',
  query: versionParam,
  extension: true,
})

export const withdrawAccountManagerInvitation = intent(deleteAccountManagerInvitation, {
  id: 'account-manager.withdraw-invitation',
  body: z.object({ version: version().optional() }),
  needs,
  refuses: canWithdrawInvitation,
  stale: withdrawalLost,
  event: 'Invitation withdrawn',
})
