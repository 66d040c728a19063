import { z } from 'zod'
import { setAccountManagerRights } from '#contract/account-manager-changes.ts'
import { type AccountManager, getAccountManager } from '#contract/account-managers.ts'
import { rightsFields } from '#contract/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { rightsChange, rightsDone, rightsOf, rightsPreview, rightsValues } from '#entities/forms/rights.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.set-rights',
  title: 'Change permissions of account manager',
  aliases: ['groups of account manager', 'rights of account manager', 'permission groups', 'grant access', 'grant permission'],
  icon: 'key',
  on: accountManager,
  does: setAccountManagerRights,
  bulk: false,
  form: z.object(rightsFields('ACCOUNT_MANAGER')),
  facts: (one, read) => read(getAccountManager, { id: one.id }),
  start: (one) => (one ? rightsValues(one) : {}),
  preview: (_, params, now: AccountManager) => rightsPreview(now, params),
  rights: (_, params, now) => rightsChange(now, params),
  plan: (one, params) => [setAccountManagerRights({ id: one.id }, { ...params, version: one.version })],
  undo: ({ before, after }: { before: AccountManager; after: AccountManager }) => {
    const { group_ids, permission_ids } = rightsOf(before)
    const held = { group_ids: [...group_ids], permission_ids: [...permission_ids] }
    return [setAccountManagerRights({ id: after.id }, { ...held, version: after.version })]
  },
  done: (one, params) => rightsDone(accountManager.title(one), one, params),
  failed: () => 'Unable to edit Account Manager.',
})
