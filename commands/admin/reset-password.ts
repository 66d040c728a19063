import { resetAdminPassword } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.reset-password',
  title: 'Reset password of admin',
  aliases: ['forgotten password', 'new password'],
  on: admin,
  does: resetAdminPassword,
  preview: {
    warning: (one) => `Their password stops working, they are signed out, and ${one.email} gets a link to choose another.`,
  },
  plan: (one) => [resetAdminPassword({ id: one.id }, { version: one.version })],
  done: (one) => `Mailed a link to ${one.email}`,
  failed: () => 'Password reset failed',
})
