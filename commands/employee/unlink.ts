import { unlink } from '#contract/employee-changes.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employee.unlink',
  title: 'Unlink employee from user',
  aliases: ['disconnect user'],
  icon: 'unlink',
  on: employee,
  does: unlink,
  undo: { irreversible: true },
  preview: { warning: () => 'The history stays. Only the person can link the account again, in the app.' },
  done: (one) => `Unlinked ${employee.title(one)}`,
  failed: () => 'Employee could not be unlinked from their user.',
})
