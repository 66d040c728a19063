import { listings } from '#contract/listings.ts'
import { employee } from '#entities/employee.ts'
import { user } from '#entities/user.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'user.open-employee',
  title: 'Open employee of user',
  aliases: ['linked employee'],
  icon: 'users',
  on: user,
  reads: listings.employees,
  keys: [{ scope: 'row', chord: 'e' }],
  unavailable: (_, one) => (one && one.employee_id === null ? { sentence: 'This user is not linked to an employee.' } : null),
  act: (host, one) => host.open(pathOf(employee, String(one.employee_id))),
})
