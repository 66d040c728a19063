import { listEmployees } from '#contract/employees.ts'
import { employer } from '#entities/employer.ts'
import { notOffered } from '#kernel/availability.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.employees',
  title: 'Show employees of employer',
  icon: 'users',
  on: employer,
  reads: listEmployees,
  unavailable: ({ supports }) => (supports(listEmployees, 'employer-id') ? null : { sentence: notOffered }),
  act: (host, one) => host.open(`/employees?employer_type=is&employer_value=${employer.id(one)}`),
})
