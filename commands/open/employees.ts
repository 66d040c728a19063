import { listEmployees } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'open.employees',
  title: 'Open employees',
  aliases: ['go to employees', 'people'],
  icon: 'users',
  group: 'Navigation',
  reads: listEmployees,
  keys: [{ scope: 'workspace', chord: 'g e' }],
  act: (desk) => desk.open(employee.path),
})
