import { withdrawAccountManagerInvitation } from '#contract/account-manager-changes.ts'
import { staffStatuses } from '#domain/staff.ts'
import { accountManager } from '#entities/account-manager.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'account-manager.withdraw-invitation',
  title: 'Withdraw invitation of account manager',
  aliases: ['cancel invitation', 'take invitation back', 'revoke set-up link'],
  on: accountManager,
  does: withdrawAccountManagerInvitation,
  preview: {
    rows: (one) => statusRow(accountManager.title(one), staffStatuses, one.status, 'WITHDRAWN'),
    warning: ({ email }) => `The link sent to ${email} stops working. They can be invited again.`,
  },
  plan: (one) => [withdrawAccountManagerInvitation({ id: one.id }, { version: one.version })],
  done: (one) => `Withdrew the invitation of ${accountManager.title(one)}`,
})
