import { z } from 'zod'
import { createAccountManager } from '#contract/account-manager-changes.ts'
import type { AccountManager } from '#contract/account-managers.ts'
import { anyReferences, email, text } from '#contract/fields.ts'
import { brandField } from '#contract/organization-changes.ts'
import { rightsFields } from '#contract/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { rightsChange } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const create = { step: 'Create' }
const connections = { step: 'Connections' }

const form = z.object({
  full_name: text('Full name', 200, create),
  email: email('E-mail', create),
  brand: brandField(create),
  organization_ids: anyReferences('Organizations', 'organization', {
    ...connections,
    help: 'All its employers, future ones included',
  }).default([]),
  employer_ids: anyReferences('Employers', 'employer', connections).default([]),
  ...rightsFields('ACCOUNT_MANAGER', { groups: 'Groups', permissions: 'Permissions' }),
})

export default defineCommand({
  id: 'account-manager.create',
  title: 'Create account manager',
  aliases: ['add account manager', 'new account manager', 'invite account manager'],
  icon: 'plus',
  group: 'Access',
  does: createAccountManager,
  form,
  rights: (_, params) => rightsChange({}, params),
  plan: (_, params) => [createAccountManager({}, params)],
  opens: ({ after }: { after: AccountManager }) => pathOf(accountManager, accountManager.id(after)),
  done: (_, { full_name }) => `Created ${full_name}. The invitation is on its way`,
  failed: () => 'Creation failed, please try again.',
})
