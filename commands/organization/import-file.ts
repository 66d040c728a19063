import type { z } from 'zod'
import { uploadImport } from '#contract/imports.ts'
import type { Organization } from '#contract/organizations.ts'
import { importedFile } from '#entities/import.ts'
import { organization } from '#entities/organization.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

const form = uploadImport.body.pick({ file: true })

export default defineCommand<Organization, typeof uploadImport, z.input<typeof form>>({
  id: 'organization.import-file',
  title: 'Import file of organization',
  aliases: ['upload file of organization', 'upload employees of organization', 'upload timekeeping of organization'],
  icon: 'up',
  on: organization,
  does: uploadImport,
  bulk: false,
  refuses: () => null,
  form,
  plan: (one, { file }) => [uploadImport({}, { organization_id: one.id, file })],
  opens: ({ answers }) => pathOf(importedFile, importedFile.id(importedFile.schema.parse(answers[0]))),
  done: (_, { file }) => `Received ${file.name}`,
  failed: () => 'Something went wrong receiving the file',
})
