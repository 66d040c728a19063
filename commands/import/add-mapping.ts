import type { Import } from '#contract/imports.ts'
import { mappingCalls } from '#contract/mapping-calls.ts'
import { lacksMapping } from '#domain/import.ts'
import { all } from '#domain/permissions.ts'
import { importedFile } from '#entities/import.ts'
import { newMappingPath } from '#entities/pages/new-mapping.ts'
import { defineCommand } from '#kernel/command.ts'

/** Opens the page of a new mapping for a file that has none. */
export default defineCommand<Import>({
  id: 'import.add-mapping',
  title: 'Add file mapping for import',
  aliases: ['map this file', 'file mapping not found'],
  on: importedFile,
  suggestedFilter: { status: 'FAIL' },
  reads: mappingCalls.list,
  needs: all('write:integrations'),
  keys: [{ scope: 'row', chord: 'i' }],
  unavailable: (_, one) => {
    if (one && !lacksMapping(one)) return { sentence: 'It did not fail for want of a file mapping.' }
    return one?.employer_id === null ? { sentence: 'It is not known of which employer it is: add the mapping there.' } : null
  },
  act: (host, one) => {
    if (one.employer_id !== null) host.open(newMappingPath(one.employer_id, one.kind))
  },
})
