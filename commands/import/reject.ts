import { rejectImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'import.reject',
  title: 'Reject import',
  aliases: ['decline import', 'import nothing', 'stop import', 'cancel import'],
  icon: 'cancel',
  on: importedFile,
  suggestedFilter: { status: 'PAUSED' },
  does: rejectImport,
  bulk: false,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  warning: () => 'Nothing of this file is imported. It can be sent again.',
  plan: (one) => [rejectImport({ id: one.id }, { version: one.version })],
  done: (one) => `Rejected ${one.file_name}`,
  failed: (one) => `Something went wrong rejecting ${one.file_name}`,
})
