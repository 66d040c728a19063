import { withdrawAdminInvitation } from '#contract/admins.ts'
import { staffStatuses } from '#domain/staff.ts'
import { admin } from '#entities/admin.ts'
import { statusRow } from '#entities/forms/preview-rows.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'admin.withdraw-invitation',
  title: 'Withdraw invitation of admin',
  aliases: ['cancel invitation', 'take invitation back', 'revoke set-up link'],
  on: admin,
  does: withdrawAdminInvitation,
  preview: {
    rows: (one) => statusRow(admin.title(one), staffStatuses, one.status, 'WITHDRAWN'),
    warning: ({ email }) => `The link sent to ${email} stops working. They can be invited again.`,
  },
  plan: (one) => [withdrawAdminInvitation({ id: one.id }, { version: one.version })],
  done: (one) => `Withdrew the invitation of ${admin.title(one)}`,
})
