import { cancelPasswordChange } from '#contract/password-changes.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand({
  id: 'employee.cancel-password-change',
  title: 'Cancel forced password change',
  icon: 'key',
  on: employee,
  does: cancelPasswordChange,
  bulk: true,
  plan: (one) => [cancelPasswordChange({ id: one.user?.id ?? 0 }, { version: one.user?.version ?? 0 })],
  undo: ({ after }) => (after.user ? undoing(cancelPasswordChange, after.user, null) : null),
  done: (one) => `${employee.title(one)} may keep the password`,
  failed: (one) => `Failed to change password for ${employee.title(one)}`,
})
