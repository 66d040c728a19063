import { removeAccountManager } from '#contract/account-manager-changes.ts'
import { accountManager } from '#entities/account-manager.ts'
import { noLogin } from '#entities/forms/login-words.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.remove',
  title: 'Remove account manager',
  aliases: ['delete account manager', 'revoke login'],
  sentence: {
    phrases: {
      'revoke login': noLogin,
      'remove account manager': ['disable account manager', 'deactivate account manager'],
    },
  },
  on: accountManager,
  does: removeAccountManager,
  undo: { irreversible: true },
  preview: { warning: () => 'They are signed out at once, and cannot sign in again.' },
  plan: (one) => [removeAccountManager({ id: one.id }, { version: one.version })],
  done: { message: (one) => `Removed ${accountManager.title(one)}`, opens: () => accountManager.path },
  failed: () => 'Could not remove Account Manager',
})
