import { getEmsConfiguration } from '#contract/ems-configurations.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.configure-ems',
  title: 'Edit EMS configuration of an employer',
  aliases: ['partner link', 'employee management system'],
  on: employer,
  reads: getEmsConfiguration,
  needs: all('write:employers'),
  button: 'Edit EMS',
  act: (host, one) => host.open(`${employer.path}/${employer.id(one)}/ems`),
})
