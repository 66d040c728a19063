import { addNote, deleteNote, getNote, listNoted, listNotes } from '#contract/notes.ts'
import { canDeleteNote, type NotedEntity, notedEntities } from '#domain/note.ts'
import { asEntity, may } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import { requirePermission } from '#server/http/validate-intent.ts'
import { changing, route } from '#server/http/route.ts'
import { invalid, notFound, Refused } from '#server/http-error.ts'
import type { Tx } from '#server/tables/database.ts'
import {
  dropNote,
  insertNote,
  type NotedRecord,
  type NoteRow,
  noteById,
  notedAmong,
  notedRecord,
  pageOfNotes,
  toNote,
} from '#server/tables/notes.ts'
import { pageRoute } from '#server/http/reads.ts'

const mayRead = (actor: Actor, entity: NotedEntity): boolean => may(actor.held, asEntity(), { entity }) === 'yes'

/** The record of a note, if the person may read it now; the same 404 for every other reason. */
async function recordOf(tx: Tx, actor: Actor, note: NoteRow | null, how?: { lock: boolean }): Promise<NotedRecord | null> {
  if (!note || !mayRead(actor, note.entity_type)) return null
  return notedRecord(tx, actor, note.entity_type, Number(note.entity_id), how)
}

/** The audit target of a note: its record, which does not change itself. */
const target = ({ entity, id, version }: NotedRecord) => ({ entity, id: String(id), version })

interface NoteTarget extends NotedRecord {
  note: NoteRow
  own: boolean
}

export const routes = [
  pageRoute(
    listNotes,
    async ({ tx, actor, params: { id }, query: { entity_type: requestedType } }) => {
      if (requestedType) requirePermission(actor, asEntity(), { entity: requestedType })
      const entities: NotedEntity[] = []
      for (const entity of requestedType ? [requestedType] : notedEntities)
        if (mayRead(actor, entity) && (await notedRecord(tx, actor, entity, id))) entities.push(entity)
      if (entities.length === 0) throw notFound()
      return { page: (_, query, from) => pageOfNotes(tx, entities, id, query, from) }
    },
    toNote,
  ),

  route(listNoted, async ({ tx, actor, query: { entity_type: entity, entity_ids: ids } }) => {
    if (!entity || !ids) return { entity_ids: [] }
    requirePermission(actor, asEntity(), { entity })
    return { entity_ids: await notedAmong(tx, actor, entity, ids) }
  }),

  route(getNote, async ({ tx, actor, params }) => {
    const note = await noteById(tx, params.id)
    if (!note || !(await recordOf(tx, actor, note))) throw notFound()
    return toNote(note, actor)
  }),

  changing<NotedRecord>({
    subject: async ({ tx, actor, params, body }) => {
      const entity = body?.['entity_type'] as NotedEntity
      requirePermission(actor, addNote.needs, { entity })
      return notedRecord(tx, actor, entity, params.id, { lock: true })
    },
    target,
  })(addNote, async ({ tx, actor, subject, body }) => {
    if (body.user_id !== actor.id) throw invalid([{ path: 'user_id', message: 'A note is written in your own name.' }])
    const note = await insertNote(tx, actor, subject, body.text)
    return { after: subject, answer: toNote(note, actor), text: body.text }
  }),

  changing<NoteTarget>({
    subject: async ({ tx, actor, params }) => {
      const record = await recordOf(tx, actor, await noteById(tx, params.id), { lock: true })
      // The note may have been deleted before the record was locked.
      const note = record && (await noteById(tx, params.id))
      if (!note) return null
      const own = note.user_id === actor.id
      const refusal = canDeleteNote({ own })
      if (refusal) throw new Refused(403, 'permission-denied', refusal.sentence)
      return { ...record, note, own }
    },
    target,
  })(deleteNote, async ({ tx, actor, subject }) => {
    await dropNote(tx, subject.note.id)
    return { after: subject, answer: toNote(subject.note, actor), text: subject.note.text }
  }),
]
