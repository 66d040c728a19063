import type { Employer } from '#contract/employers.ts'
import { mappingCalls } from '#contract/mapping-calls.ts'
import { all } from '#domain/permissions.ts'
import { employer } from '#entities/employer.ts'
import { newMappingPath } from '#entities/pages/new-mapping.ts'
import { defineCommand } from '#kernel/command.ts'

/** If the kind of files is known, as on the checklist, it is preselected. */
export default defineCommand<Employer, { kind?: string }>({
  id: 'employer.add-mapping',
  title: 'Add file mapping',
  aliases: ['new mapping', 'map a file', 'eligible employee file', 'timekeeping file'],
  on: employer,
  reads: mappingCalls.list,
  needs: all('write:integrations'),
  keys: [{ scope: 'row', chord: 'i', tab: 'employer.file-mapping', toggles: 'employer.tab' }],
  act: (host, one, { kind }) => host.open(newMappingPath(one.id, kind)),
})
