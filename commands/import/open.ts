import { listImports } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'
import { pathOf } from '#kernel/entity.ts'

export default defineCommand({
  id: 'import.open',
  title: 'Jump to import',
  aliases: ['find import', 'open import'],
  icon: 'download',
  on: importedFile,
  reads: listImports,
  act: (desk, one) => desk.open(pathOf(importedFile, importedFile.id(one))),
})
