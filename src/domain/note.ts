import { type Refusal, refuse } from '#domain/refusal.ts'

/** Entities with notes, by the names in `entity_type` of the API. */
export const notedEntities = ['employee', 'employer', 'organization', 'invoice', 'repayment', 'write-off', 'deduction'] as const
export type NotedEntity = (typeof notedEntities)[number]

/** Whether an entity of this name has notes. */
export const isNoted = (name: string | null): name is NotedEntity => (notedEntities as readonly (string | null)[]).includes(name)

/** The notes of a row: its own, or for a user those of the linked employee; null for none. */
export function notesOf(entity: string, id: string, row: unknown): { entity: NotedEntity; id: string } | null {
  if (isNoted(entity)) return { entity, id }
  const employee = entity === 'user' ? (row as { employee_id?: number | null } | undefined)?.employee_id : null
  return employee ? { entity: 'employee', id: String(employee) } : null
}

/** Interval in milliseconds between refreshes of visible notes (CONST-014). */
export const notesRefresh = 5000

/** Refuses to delete a note except by its author (PERM-039). */
export const canDeleteNote = ({ own }: { own?: boolean }): Refusal | null =>
  own === false ? refuse('not-author', 'Only its author can delete a note.') : null
