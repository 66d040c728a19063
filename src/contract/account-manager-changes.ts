import { z } from 'zod'
import { all } from '#domain/permissions.ts'
import { canChangeStaff, canConnect } from '#domain/staff.ts'
import { AccountManager, accessList } from '#contract/account-managers.ts'
import { action } from '#contract/define.ts'
import { byPerson, email, nothing, text, version } from '#contract/fields.ts'
import { brandField } from '#contract/organization-changes.ts'
import { givenRights, staffActions } from '#contract/staff.ts'

const tag = 'Account managers'
const needs = all('write:account-managers')

const writing = { tag, params: byPerson, answer: AccountManager } as const

/** The request of the completed wizard (SCR-012): everything in one transaction. */
export const createAccountManager = action({
  ...writing,
  method: 'POST',
  path: '/account-managers',
  summary: 'Create an account manager with connections and rights, and invite them by mail',
  params: nothing,
  status: 201,
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

export const editAccountManager = action({
  ...writing,
  method: 'PATCH',
  path: '/account-managers/{id}',
  summary: 'Change the name or the e-mail of an account manager',
  id: 'account-manager.edit',
  body: z.object({ full_name: text('Full name', 200).optional(), email: email().optional(), version: version().optional() }),
  needs,
  refuses: canChangeStaff,
  event: 'Changed',
})

export const connectAccountManager = action({
  ...writing,
  method: 'POST',
  path: '/account-managers/{id}/access-control-list',
  summary: 'Replace what an account manager is connected to',
  id: 'account-manager.connect',
  body: z.object({ ...accessList, version: version().optional() }),
  needs,
  refuses: canConnect,
  event: 'Connections changed',
})

export const accountManagerActions = staffActions({
  noun: 'account-manager',
  words: 'an account manager',
  tag,
  answer: AccountManager,
  needs,
})
export const {
  remove: removeAccountManager,
  setRights: setAccountManagerRights,
  invite: inviteAccountManager,
  resetPassword: resetAccountManagerPassword,
  resetAuthenticator: resetAccountManagerAuthenticator,
  withdrawInvitation: withdrawAccountManagerInvitation,
} = accountManagerActions
