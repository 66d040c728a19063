import { inviteAdmin } from '#contract/admins.ts'
import { admin } from '#entities/admin.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.invite',
  title: 'Send the invitation of admin again',
  aliases: ['resend invitation', 'resend invite', 'set-up link'],
  on: admin,
  does: inviteAdmin,
  preview: { warning: () => 'The link in the earlier e-mail stops working.' },
  plan: (one) => [inviteAdmin({ id: one.id }, { version: one.version })],
  done: (one) => `Mailed an invitation to ${one.email}`,
})
