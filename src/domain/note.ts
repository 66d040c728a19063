import { type Refusal, refuse } from '#domain/refusal.ts'

/** What carries notes, by the names that `entity_type` has on the wire. */
export const notedEntities = ['employee', 'invoice'] as const
export type NotedEntity = (typeof notedEntities)[number]

/** Milliseconds between two reads of the notes that are shown (CONST-014). */
export const notesRefresh = 5000

/** Whether the person who was told this note may delete it: its author, and nobody else (PERM-039). */
export const canDeleteNote = ({ own }: { own?: boolean }): Refusal | null =>
  own === false ? refuse('not-author', 'Only its author can delete a note.') : null
