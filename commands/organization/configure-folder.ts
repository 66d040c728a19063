import { configurationCalls } from '#contract/configuration-calls.ts'
import { all } from '#domain/permissions.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.configure-folder',
  title: 'Edit integrations folder',
  aliases: ['SFTP folder'],
  on: organization,
  reads: configurationCalls.read,
  needs: all('write:organizations'),
  act: (host, one) => host.open(`${organization.path}/${organization.id(one)}/configuration#integrations_folder`),
})
