import { uploadImport } from '#contract/imports.ts'
import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { type FileTaken, takeFile } from '#entities/forms/take-file.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Employer, typeof uploadImport, FileTaken>({
  ...takeFile,
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
  on: employer,
  plan: (one, { file }) => [uploadImport({}, { employer_id: one.id, file })],
})
