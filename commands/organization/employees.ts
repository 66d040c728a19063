import { listEmployees } from '#contract/employees.ts'
import { organization } from '#entities/organization.ts'
import { notOffered } from '#kernel/availability.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.employees',
  title: 'Show employees of organization',
  icon: 'users',
  on: organization,
  reads: listEmployees,
  unavailable: ({ supports }) => (supports(listEmployees, 'organization-id') ? null : { sentence: notOffered }),
  act: (host, one) => host.open(`/employees?organization_type=is&organization_value=${organization.id(one)}`),
})
