import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely'
import { Note } from '#contract/notes.ts'
import type { NotedEntity } from '#domain/note.ts'
import type { Actor, Reader } from '#server/access/actor.ts'
import { debtorOpenTo, openTo, organizationWholeTo } from '#server/access/scope.ts'
import { type Position, scan, type Start } from '#server/paging/keyset.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'

/** The table `notes`; rows are added and deleted, never changed. */
export interface NoteTable {
  id: Generated<number>
  entity_type: NotedEntity
  entity_id: string
  text: string
  user_id: string
  user_name: string
  created_at: Generated<Date>
}

declare module '#server/tables/database.ts' {
  interface Database {
    notes: NoteTable
  }
}

export type NoteRow = Selectable<NoteTable>

/** A record that carries notes, open to the person. */
export interface NotedRecord {
  entity: NotedEntity
  id: number
  version: number
}

interface Records {
  /** The rows `e`. */
  from: RawBuilder<unknown>
  open: (actor: Reader) => RawBuilder<boolean>
}

const byEmployer = (column: string) => (actor: Reader) => openTo(actor, sql.ref(column))
/** Records of an invoice are open with it. */
const ofInvoice = (table: string): Records => ({
  from: sql`${sql.table(table)} e
    join invoices on invoices.id = e.invoice_id and invoices.organization_id = e.organization_id`,
  open: byEmployer('invoices.employer_id'),
})

/** The kinds of records with notes, and who may see them. */
const records: Record<NotedEntity, Records> = {
  employee: { from: sql`employees e`, open: byEmployer('e.employer_id') },
  employer: { from: sql`employers e`, open: byEmployer('e.id') },
  // People granted only some of its employers see the name of the organization, and none of its notes.
  organization: { from: sql`organizations e`, open: (actor) => organizationWholeTo(actor, sql.ref('e.id')) },
  invoice: { from: sql`invoices e`, open: byEmployer('e.employer_id') },
  repayment: { from: sql`repayments e`, open: (actor) => debtorOpenTo(actor, 'e') },
  'write-off': ofInvoice('write_offs'),
  deduction: ofInvoice('deductions'),
}

/**
 * The record, if it is open to the person. Adding or deleting a note locks it, so that `has_notes` of an invoice stays consistent
 * with its notes.
 */
export async function notedRecord(
  tx: Tx,
  actor: Reader,
  entity: NotedEntity,
  id: number,
  { lock = false } = {},
): Promise<NotedRecord | null> {
  const { from, open } = records[entity]
  return selectOne<NotedRecord>(tx)`
    select ${entity}::text as entity, e.id, e.version from ${from}
    where e.id = ${id} and ${open(actor)} ${lock ? sql`for no key update of e` : sql``}`
}

/** The ids of these records that have notes, among those open to the person. */
export async function notedAmong(tx: Tx, actor: Reader, entity: NotedEntity, ids: readonly number[]): Promise<number[]> {
  const { from, open } = records[entity]
  const { rows } = await sql<{ id: number }>`
    select e.id from ${from} where e.id = any(${[...ids]}::bigint[]) and ${open(actor)}
      and exists (select 1 from notes where entity_type = ${entity} and entity_id = e.id::text)
    order by e.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A page of the notes of records with one id, newest first, and the cursor to continue from. */
export async function pageOfNotes(
  tx: Tx,
  entities: readonly NotedEntity[],
  id: number,
  query: { limit: number; direction: 'after' | 'before' },
  place: Start,
): Promise<{ rows: NoteRow[]; next: Position | null }> {
  return scan<NoteRow & { key: unknown }>({
    segments: [{ key: sql`e.created_at`, descending: true }],
    from: place,
    direction: query.direction,
    limit: query.limit,
    find: async (condition, order, limit) => {
      return selectAll<NoteRow & { key: unknown }>(tx)`
        select e.*, ${order.key} as key from notes e
        where e.entity_type in (${sql.join(entities)}) and e.entity_id = ${String(id)} and ${condition}
        order by ${order.whole} limit ${limit}`
    },
  })
}

/** One note by its id, without a check of access. */
export const noteById = async (tx: Tx, id: number): Promise<NoteRow | null> =>
  (await tx.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/** Notes by their ids, unordered. */
export const notesById = (tx: Tx, ids: readonly number[]): Promise<NoteRow[]> =>
  tx.selectFrom('notes').selectAll().where('id', 'in', ids).execute()

/** Adds a note of the person. */
export const insertNote = (tx: Tx, actor: Actor, { entity, id }: NotedRecord, text: string): Promise<NoteRow> =>
  tx
    .insertInto('notes')
    .values({ entity_type: entity, entity_id: String(id), text, user_id: actor.id, user_name: actor.name })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Deletes a note. */
export async function dropNote(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('notes').where('id', '=', id).execute()
}

/** A note as returned by the API to a person. */
export const toNote = (row: NoteRow, actor: Pick<Actor, 'id'>): Note =>
  answerOf(Note, {
    ...row,
    user: { id: row.user_id, name: row.user_name },
    own: row.user_id === actor.id,
  })
