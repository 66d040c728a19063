import { rejectImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'import.reject',
  title: 'Reject import',
  aliases: ['decline import', 'import nothing', 'stop import', 'cancel import'],
  on: importedFile,
  suggestedFilter: { status: 'PAUSED' },
  does: rejectImport,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  preview: { warning: () => 'Nothing of this file is imported. It can be sent again.' },
  plan: (one) => [rejectImport({ id: one.id }, { version: one.version })],
  done: (one) => `Rejected ${one.file_name}`,
})
