import { getNote, listNotes, Note } from '#contract/notes.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A note about a record; only found in the notes of that record. */
export const note = defineEntity<Note>({
  name: 'note',
  one: 'note',
  many: 'notes',
  icon: 'note',
  ids: numbers({ prefix: 'NOTE' }),
  path: '/notes',
  schema: Note,
  get: getNote,
  list: listNotes,
  query: {},
  rows: (answer: { notes: Note[] }) => answer.notes,
  filters: [],
  pane: false,
  id: (one) => String(one.id),
  title: (one) => `Note by ${isolated(one.user.name)}`,
  subtitle: (one) => one.text,
  version: () => 1,
  keywords: () => [],
  confirmWith: (one) => `NOTE-${one.id}`,
})
