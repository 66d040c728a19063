import { type Refusal, refuse } from '#domain/refusal.ts'

/** What carries notes, by the names that `entity_type` has in the API. */
export const notedEntities = ['employee', 'employer', 'organization', 'invoice', 'repayment', 'write-off', 'deduction'] as const
export type NotedEntity = (typeof notedEntities)[number]

/** Whether a name is that of something that carries notes. */
export const isNoted = (name: string | null): name is NotedEntity => (notedEntities as readonly (string | null)[]).includes(name)

/** Which notes belong to a row: its own, of a user those of the linked employee; null for none. */
export function notesOf(entity: string, id: string, row: unknown): { entity: NotedEntity; id: string } | null {
  if (isNoted(entity)) return { entity, id }
  const employee = entity === 'user' ? (row as { employee_id?: number | null } | undefined)?.employee_id : null
  return employee ? { entity: 'employee', id: String(employee) } : null
}

/** Milliseconds between two reads of the notes that are shown (CONST-014). */
export const notesRefresh = 5000

/** Whether the person who was told this note may delete it: its author, and nobody else (PERM-039). */
export const canDeleteNote = ({ own }: { own?: boolean }): Refusal | null =>
  own === false ? refuse('not-author', 'Only its author can delete a note.') : null
