import { listings } from '#contract/listings.ts'
import { employee } from '#entities/employee.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'employee.open-user',
  title: 'Open user of employee',
  aliases: ['linked user'],
  icon: 'user',
  on: employee,
  reads: listings.users,
  keys: [{ scope: 'row', chord: 'u' }],
  unavailable: (_, one) => (one && one.user_id === null ? { sentence: 'This employee is not linked to a user.' } : null),
  act: (host, one) => host.open(pathOf(user, String(one.user_id))),
})
