import { downloadRejectedLines, type Import } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Import>({
  id: 'import.download',
  title: 'Download rejected lines',
  aliases: ['offending lines', 'lines with errors', 'save rejected lines'],
  on: importedFile,
  reads: downloadRejectedLines,
  keys: [{ scope: 'row', chord: 'd' }],
  unavailable: (_, one) => (one && one.rejected === 0 ? { sentence: 'No line was rejected.' } : null),
  act: (host, one) => host.save(downloadRejectedLines, { id: one.id }),
  done: (one) => `Downloaded the rejected lines of ${one.file_name}`,
})
