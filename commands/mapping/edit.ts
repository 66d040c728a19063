import { mappingCalls } from '#contract/mapping-calls.ts'
import { all } from '#domain/permissions.ts'
import { mapping } from '#entities/mapping.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'mapping.edit',
  title: 'Edit file mapping',
  aliases: ['change columns'],
  on: mapping,
  reads: mappingCalls.read,
  needs: all('write:integrations'),
  keys: [{ scope: 'row', chord: 'e' }],
  act: (host, one) => host.open(`${mapping.path}/${mapping.id(one)}/edit`),
})
