import type { z } from 'zod'
import { uploadImport } from '#contract/imports.ts'
import type { Employer } from '#contract/employers.ts'
import { importedFile } from '#entities/import.ts'
import { employer } from '#entities/employer.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = uploadImport.body.pick({ file: true })

export default defineCommand<Employer, typeof uploadImport, z.input<typeof form>>({
  id: 'employer.import-file',
  title: 'Import file of employer',
  aliases: [
    'upload',
    'upload file of employer',
    'upload employees of employer',
    'upload timekeeping of employer',
    'new hires',
    'add employees',
  ],
  icon: 'up',
  on: employer,
  does: uploadImport,
  bulk: false,
  refuses: () => null,
  form,
  plan: (one, { file }) => [uploadImport({}, { employer_id: one.id, file })],
  opens: ({ answers }) => pathOf(importedFile, importedFile.id(importedFile.schema.parse(answers[0]))),
  done: (_, { file }) => `Received ${file.name}`,
  failed: () => 'Something went wrong receiving the file',
})
