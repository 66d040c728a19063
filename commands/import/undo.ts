import { undoImport } from '#contract/imports.ts'
import { wholeNumber } from '#domain/text.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'import.undo',
  title: 'Revert import',
  aliases: ['undo import', 'roll back import', 'take back file'],
  on: importedFile,
  does: undoImport,
  keys: [{ scope: 'row', chord: 'z' }],
  form: { fresh: true },
  preview: {
    warning: ({ created, changed }) =>
      `What it changed in ${wholeNumber(changed)} ${changed === 1 ? 'employee' : 'employees'} is as before, and the ${wholeNumber(created)} that it created are no longer eligible. Employees changed since are skipped and listed.`,
  },
  plan: (one) => [undoImport({ id: one.id }, { version: one.version })],
  done: (one, _, after) => `${one.file_name}: ${after?.message ?? 'undone'}`,
})
