import {
  deleteConfirmationMapping,
  deleteDeductionMapping,
  deleteEmployeeMapping,
  deleteTimekeepingMapping,
  mappingChanges,
} from '#contract/mappings.ts'
import { isWritten } from '#domain/mapping-fields.ts'
import { mapping } from '#entities/mapping.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'mapping.delete',
  title: 'Delete file mapping',
  aliases: ['remove mapping'],
  on: mapping,
  does: [deleteEmployeeMapping, deleteTimekeepingMapping, deleteDeductionMapping, deleteConfirmationMapping],
  keys: [{ scope: 'row', chord: 'Backspace' }],
  unavailable: { rule: () => null },
  plan: ({ kind, id, version }) => [mappingChanges[kind].drop({ id }, { version })],
  undo: { irreversible: true },
  preview: {
    warning: ({ kind }) =>
      isWritten(kind)
        ? 'EWA files are written without it, in the general form.'
        : 'Files that it reads are refused from then on.',
  },
  done: (one) => `Deleted the file mapping ${mapping.title(one)}`,
})
