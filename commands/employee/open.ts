import { listEmployees } from '#contract/employees.ts'
import { employee } from '#entities/employee.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'employee.open',
  title: 'Jump to employee',
  aliases: ['go to employee', 'find employee', 'open employee'],
  icon: 'user',
  on: employee,
  reads: listEmployees,
  act: (desk, one) => desk.open(pathOf(employee, employee.id(one))),
})
