import type { z } from 'zod'
import { type Import, uploadImport } from '#contract/imports.ts'
import { canImportAgain } from '#domain/import.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = uploadImport.body.pick({ file: true })

/** The lines of what failed or was rejected are not kept, so that the file is chosen anew. */
export default defineCommand<Import, typeof uploadImport, z.input<typeof form>>({
  id: 'import.again',
  title: 'Import file again',
  aliases: ['retry import', 'upload file again', 'reprocess'],
  icon: 'up',
  on: importedFile,
  likely: { status: 'FAIL' },
  does: uploadImport,
  bulk: false,
  keys: [{ scope: 'row', chord: 'u' }],
  refuses: canImportAgain,
  form,
  plan: ({ employer_id, organization_id }, { file }) => [
    uploadImport({}, employer_id === null ? { organization_id, file } : { employer_id, file }),
  ],
  opens: ({ answers }) => pathOf(importedFile, importedFile.id(importedFile.schema.parse(answers[0]))),
  done: (_, { file }) => `Received ${file.name}`,
  failed: () => 'Something went wrong receiving the file',
})
