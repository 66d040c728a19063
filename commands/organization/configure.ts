import { configurationCalls } from '#contract/configuration-calls.ts'
import { all } from '#domain/permissions.ts'
import { configurationAliases } from '#entities/forms/configuration-words.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'organization.configure',
  title: 'Edit organization configuration',
  aliases: ['defaults of employers', ...configurationAliases],
  on: organization,
  reads: configurationCalls.read,
  needs: all('write:organizations'),
  keys: [{ scope: 'row', chord: 'c' }],
  act: (host, one) => host.open(`${organization.path}/${organization.id(one)}/configuration`),
})
