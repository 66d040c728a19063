import { cancelPasswordChange } from '#contract/password-changes.ts'
import type { User } from '#contract/users.ts'
import { canCancelPasswordChange } from '#domain/employee.ts'
import { ofEmployee } from '#entities/forms/user-change.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand<User, typeof cancelPasswordChange>({
  id: 'user.cancel-password-change',
  title: 'Cancel forced user password change',
  icon: 'key',
  on: user,
  does: cancelPasswordChange,
  unavailable: { rule: ofEmployee(canCancelPasswordChange) },
  bulk: true,
  plan: (one) => [cancelPasswordChange({ id: one.id }, { version: one.version })],
  undo: ({ after }) => undoing(cancelPasswordChange, after, null),
  done: (one) => `${user.title(one)} may keep the password`,
  failed: (one) => `Failed to change password for ${user.title(one)}`,
})
