import { listEmsConfigurations } from '#contract/ems-configurations.ts'
import { all } from '#domain/permissions.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.configure-ems',
  title: 'Edit EMS configuration of an organization',
  aliases: ['partner link', 'employee management system'],
  on: organization,
  reads: listEmsConfigurations,
  needs: all('write:organizations'),
  button: 'Edit EMS',
  act: (host, one) => host.open(`${organization.path}/${organization.id(one)}/ems`),
})
