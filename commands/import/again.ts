import { type Import, uploadImport } from '#contract/imports.ts'
import { canImportAgain } from '#domain/import.ts'
import { importedFile } from '#entities/import.ts'
import { type FileTaken, takeFile } from '#entities/forms/take-file.ts'
import { defineCommand } from '#kernel/command.ts'

/** The lines of failed or rejected files are not kept, so the file has to be chosen again. */
export default defineCommand<Import, typeof uploadImport, FileTaken>({
  ...takeFile,
  id: 'import.again',
  title: 'Import file again',
  aliases: ['retry import', 'upload file again', 'reprocess'],
  on: importedFile,
  suggestedFilter: { status: 'FAIL' },
  keys: [{ scope: 'row', chord: 'u' }],
  unavailable: (_, one) => one && canImportAgain(one),
  plan: ({ employer_id, organization_id }, { file }) => [
    uploadImport({}, employer_id === null ? { organization_id, file } : { employer_id, file }),
  ],
})
