import { z } from 'zod'
import { reference } from '#contract/fields.ts'
import { type Import, uploadImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = z.object({
  organization_id: reference('Organization', 'organization'),
  file: uploadImport.body.shape.file,
})

export default defineCommand<Import, typeof uploadImport, z.input<typeof form>>({
  id: 'import.upload',
  title: 'Import file',
  aliases: ['upload file', 'upload employees', 'upload timekeeping', 'upload confirmations'],
  does: uploadImport,
  form,
  plan: (_, params) => [uploadImport({}, params)],
  done: { message: (_, { file }) => `Received ${file.name}`, opens: ({ after }) => pathOf(importedFile, importedFile.id(after)) },
})
