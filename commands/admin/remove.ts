import { removeAdmin } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.remove',
  title: 'Remove admin',
  aliases: ['delete admin', 'revoke login'],
  icon: 'trash',
  on: admin,
  does: removeAdmin,
  bulk: false,
  irreversible: true,
  warning: () => 'They are signed out at once, and cannot sign in again.',
  plan: (one) => [removeAdmin({ id: one.id }, { version: one.version })],
  opens: () => admin.path,
  done: (one) => `Removed ${admin.title(one)}`,
  failed: () => 'Could not remove Admin',
})
