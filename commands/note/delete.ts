import { deleteNote } from '#contract/notes.ts'
import { note } from '#entities/note.ts'
import { shortened } from '#domain/text.ts'
import { defineCommand } from '#kernel/command.ts'

export default defineCommand({
  id: 'note.delete',
  title: 'Delete note',
  aliases: ['remove note', 'delete comment'],
  on: note,
  does: deleteNote,
  keys: [{ scope: 'row', chord: 'Backspace' }],
  preview: { warning: ({ text }) => shortened(text.replace(/\s+/g, ' ')) },
  unavailable: (_, one) => (one ? null : { sentence: 'Open the notes of a record and choose one of yours.' }),
  plan: (one) => [deleteNote({ id: one.id }, {})],
  done: () => 'Deleted the note',
})
