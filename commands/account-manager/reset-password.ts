import { resetAccountManagerPassword } from '#contract/account-manager-changes.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.reset-password',
  title: 'Reset password of account manager',
  aliases: ['forgotten password', 'new password'],
  on: accountManager,
  does: resetAccountManagerPassword,
  preview: {
    warning: (one) => `Their password stops working, they are signed out, and ${one.email} gets a link to choose another.`,
  },
  plan: (one) => [resetAccountManagerPassword({ id: one.id }, { version: one.version })],
  done: (one) => `Mailed a link to ${one.email}`,
  failed: () => 'Password reset failed',
})
