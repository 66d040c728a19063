import { uploadImport } from '#contract/imports.ts'
import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { type FileTaken, takeFile } from '#entities/forms/take-file.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand<Organization, typeof uploadImport, FileTaken>({
  ...takeFile,
  id: 'organization.import-file',
  title: 'Import file of organization',
  aliases: ['upload file of organization', 'upload employees of organization', 'upload timekeeping of organization'],
  on: organization,
  plan: (one, { file }) => [uploadImport({}, { organization_id: one.id, file })],
})
