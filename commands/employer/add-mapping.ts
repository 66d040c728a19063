import { mappingCalls } from '#contract/mapping-calls.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'employer.add-mapping',
  title: 'Add file mapping',
  aliases: ['new mapping', 'map a file', 'eligible employee file', 'timekeeping file'],
  icon: 'plus',
  on: employer,
  reads: mappingCalls.list,
  also: all('write:integrations'),
  keys: [{ scope: 'row', chord: 'i', tab: 'employer.file-mapping', toggles: 'employer.tab' }],
  act: (desk, one) => desk.open(`${employer.path}/${employer.id(one)}/new-mapping`),
})
