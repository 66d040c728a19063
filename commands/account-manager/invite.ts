import { inviteAccountManager } from '#contract/account-manager-changes.ts'
import { accountManager } from '#entities/account-manager.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.invite',
  title: 'Send the invitation of account manager again',
  aliases: ['resend invitation', 'resend invite', 'set-up link'],
  on: accountManager,
  does: inviteAccountManager,
  preview: { warning: () => 'The link in the earlier e-mail stops working.' },
  plan: (one) => [inviteAccountManager({ id: one.id }, { version: one.version })],
  done: (one) => `Mailed an invitation to ${one.email}`,
})
