import { removeAccountManager } from '#contract/account-manager-changes.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.remove',
  title: 'Remove account manager',
  aliases: ['delete account manager', 'revoke login'],
  icon: 'trash',
  on: accountManager,
  does: removeAccountManager,
  bulk: false,
  irreversible: true,
  warning: () => 'They are signed out at once, and cannot sign in again.',
  plan: (one) => [removeAccountManager({ id: one.id }, { version: one.version })],
  opens: () => accountManager.path,
  done: (one) => `Removed ${accountManager.title(one)}`,
  failed: () => 'Could not remove Account Manager',
})
