import { removeAdmin } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { noLogin } from '#entities/forms/login-words.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.remove',
  title: 'Remove admin',
  aliases: ['delete admin', 'revoke login'],
  sentence: { phrases: { 'revoke login': noLogin, 'remove admin': ['disable admin', 'deactivate admin'] } },
  on: admin,
  does: removeAdmin,
  undo: { irreversible: true },
  preview: { warning: () => 'They are signed out at once, and cannot sign in again.' },
  plan: (one) => [removeAdmin({ id: one.id }, { version: one.version })],
  done: { message: (one) => `Removed ${admin.title(one)}`, opens: () => admin.path },
  failed: () => 'Could not remove Admin',
})
