import { z } from 'zod'
import { employeeEvents } from '#domain/employee-event.ts'
import { canDeleteNote, notedEntities } from '#domain/note.ts'
import { asEntity } from '#domain/permissions.ts'
import { action, endpoint } from '#contract/define.ts'
import { fieldMeta, idSchema, longText, required } from '#contract/fields.ts'
import { Actor } from '#contract/history.ts'
import { commaList, lek, pageQuery } from '#contract/list.ts'

/** A note about a record (ENT-107, ENT-108). Notes are never changed, only deleted, so they have no version. */
export const Note = z.object({
  id: z.int(),
  entity_type: z.enum(notedEntities),
  entity_id: z.string(),
  created_at: z.iso.datetime(),
  text: z.string(),
  user: Actor,
  /** True if the caller wrote it. */
  own: z.boolean(),
})
export type Note = z.infer<typeof Note>

const needs = asEntity()
const userId = z.string({ error: required }).min(1, required).max(100)
fieldMeta.add(userId, { kind: 'hidden', title: 'Author' })

export const listNotes = endpoint({
  method: 'GET',
  path: '/notes/entity/{id}',
  summary: 'The notes of a record, newest first; without entity_type those of every record with this id',
  tag: 'Notes',
  query: z.object({ ...pageQuery, entity_type: z.enum(notedEntities).optional() }),
  picks: {
    // Ids of two nouns may collide; if an API does not return the noun, the note is assumed to belong to the record.
    entity_type: ({ entity_type: noun }: Partial<Note>, asked) => noun === undefined || noun === asked,
  },
  answer: z.object({ notes: z.array(Note), lek }),
  needs,
})

/** Marks the rows of a list that have notes. */
export const listNoted = endpoint({
  method: 'GET',
  path: '/notes/marked',
  summary: 'Which of at most 200 records of one kind have notes, of those that are open to the person',
  tag: 'Notes',
  query: z.object({ entity_type: z.enum(notedEntities).optional(), entity_ids: commaList(idSchema).optional() }),
  answer: z.object({ entity_ids: z.array(z.int()) }),
  needs,
  extension: true,
})

const call = { tag: 'Notes', needs, answer: Note } as const

export const getNote = endpoint({
  ...call,
  method: 'GET',
  path: '/notes/{id}',
  summary: 'One note',
  extension: true,
})

/** NOTE-001, NOTE-002; `user_id` is the caller's (docs/rules/history.md). */
export const addNote = action({
  ...call,
  method: 'POST',
  path: '/notes/entity/{id}',
  summary: 'Add a note to a record, as its author',
  status: 201,
  id: 'note.add',
  body: z.object({ text: longText('Note'), user_id: userId, entity_type: z.enum(notedEntities) }),
  event: employeeEvents.noteAdded,
})

export const deleteNote = action({
  ...call,
  method: 'DELETE',
  path: '/notes/{id}',
  summary: 'Delete a note of your own; answers what it was',
  id: 'note.delete',
  body: z.object({}),
  event: employeeEvents.noteDeleted,
  refuses: canDeleteNote,
})
