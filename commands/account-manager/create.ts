import { z } from 'zod'
import { createAccountManager } from '#contract/account-manager-changes.ts'
import type { AccountManager } from '#contract/account-managers.ts'
import { brandField } from '#contract/organization-changes.ts'
import { accountManager } from '#entities/account-manager.ts'
import { accountManagerFields } from '#entities/forms/account-manager-wizard.ts'
import { rightsChange } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = z.object(accountManagerFields({ brand: brandField({ step: 'Create' }) }))

export default defineCommand({
  id: 'account-manager.create',
  title: 'Create account manager',
  aliases: ['add account manager', 'new account manager', 'invite', 'invite account manager'],
  does: createAccountManager,
  form,
  preview: { rights: (_, params) => rightsChange({}, params) },
  plan: (_, params) => [createAccountManager({}, params)],
  done: {
    message: (_, { full_name }) => `Created ${full_name}. The invitation is on its way`,
    opens: ({ after }: { after: AccountManager }) => pathOf(accountManager, accountManager.id(after)),
  },
  failed: () => 'Creation failed, please try again.',
})
