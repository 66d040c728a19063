import { softDelete } from '#contract/user-changes.ts'
import { changeOfUser } from '#entities/forms/user-change.ts'

export default changeOfUser({
  id: 'user.delete',
  titles: ['Delete user', 'Delete linked user'],
  aliases: ['soft delete', 'deactivate user', 'close account', 'revoke login'],
  does: softDelete,
  irreversible: true,
  call: ({ id, version }) => softDelete({ id }, { version }),
  warning: () => 'The person can no longer sign in and cannot be linked again. The history stays.',
  done: (name) => `Deleted ${name}`,
  failed: () => 'User could not be deleted.',
})
