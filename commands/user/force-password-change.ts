import { forcePasswordChange } from '#contract/password-changes.ts'
import type { User } from '#contract/users.ts'
import { canForcePasswordChange } from '#domain/employee.ts'
import { ofEmployee } from '#entities/forms/user-change.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'
import { undoing } from '#kernel/plan.ts'

export default defineCommand<User, typeof forcePasswordChange>({
  id: 'user.force-password-change',
  title: 'Force user password change',
  aliases: ['reset password', 'new password'],
  icon: 'key',
  on: user,
  does: forcePasswordChange,
  unavailable: { rule: ofEmployee(canForcePasswordChange) },
  bulk: true,
  plan: (one) => [forcePasswordChange({ id: one.id }, { version: one.version })],
  undo: ({ after }) => undoing(forcePasswordChange, after, null),
  done: (one) => `${user.title(one)} must choose a new password at the next sign-in`,
  failed: (one) => `Failed to change password for ${user.title(one)}`,
})
