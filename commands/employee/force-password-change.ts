import { forcePasswordChange } from '#contract/password-changes.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employee.force-password-change',
  title: 'Force password change',
  aliases: ['reset password', 'new password'],
  icon: 'key',
  on: employee,
  does: forcePasswordChange,
  bulk: true,
  plan: (one) => [forcePasswordChange({ id: one.user?.id ?? 0 }, { version: one.user?.version ?? 0 })],
  undo: ({ after }) => (after.user ? undoing(forcePasswordChange, after.user, null) : null),
  done: (one) => `${employee.title(one)} must choose a new password at the next sign-in`,
  failed: (one) => `Failed to change password for ${employee.title(one)}`,
})
