import { z } from 'zod'
import { applyImport } from '#contract/imports.ts'
import { importedFile } from '#entities/import.ts'
import { defineCommand } from '#kernel/command.ts'
import { wholeNumber } from '#domain/text.ts'

export default defineCommand({
  id: 'import.apply',
  title: 'Import all the same',
  aliases: ['confirm import', 'approve import', 'apply file'],
  on: importedFile,
  suggestedFilter: { status: 'PAUSED' },
  does: applyImport,
  form: { schema: z.object({}), fresh: true },
  keys: [{ scope: 'row', chord: 'p' }],
  undo: { irreversible: true },
  preview: {
    warning: (one) =>
      one.absent === 0
        ? 'No employee is missing from the file any more: nobody loses access.'
        : `${wholeNumber(one.absent)} ${one.absent === 1 ? 'employee is' : 'employees are'} not in the file, and will no longer be eligible.`,
  },
  plan: (one) => [applyImport({ id: one.id }, { absent: one.absent, version: one.version })],
  done: (one) => `${one.file_name} is being imported`,
})
