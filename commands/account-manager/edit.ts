import { z } from 'zod'
import { editAccountManager } from '#contract/account-manager-changes.ts'
import type { AccountManager } from '#contract/account-managers.ts'
import { email, text } from '#contract/fields.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

const form = z.object({ full_name: text('Full name', 200), email: email() })
const valuesOf = ({ name, email: address }: AccountManager) => ({ full_name: name, email: address })

export default defineCommand({
  id: 'account-manager.edit',
  title: 'Edit account manager',
  aliases: ['rename account manager', 'change e-mail of account manager'],
  icon: 'edit',
  on: accountManager,
  does: editAccountManager,
  bulk: false,
  keys: [{ scope: 'row', chord: 'e' }],
  form,
  start: (one) => (one ? valuesOf(one) : {}),
  warning: () => 'Another e-mail ends their sessions and all links that were mailed before.',
  plan: (one, params) => [editAccountManager({ id: one.id }, { ...params, version: one.version })],
  undo: ({ before, after }: { before: AccountManager; after: AccountManager }) => [
    editAccountManager({ id: after.id }, { ...valuesOf(before), version: after.version }),
  ],
  done: (one) => `Changed ${accountManager.title(one)}`,
  failed: () => 'Unable to edit Account Manager.',
})
