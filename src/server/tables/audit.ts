import { type Generated, type RawBuilder, sql } from 'kysely'
import type { HistoryEvent } from '#contract/history.ts'
import { limitByUnit } from '#domain/configuration.ts'
import { exactTime } from '#server/paging/keyset.ts'
import { prepared } from '#server/postgres/prepared.ts'
import type { Tx } from '#server/tables/database.ts'

/** One event: who, with which intent, on which record, before and after. Rows are only ever added. */
export interface AuditEventTable {
  id: Generated<number>
  at: Generated<Date>
  actor_id: string
  actor_name: string
  intent: string
  /** The command that the client claims the person invoked. */
  command: string | null
  entity: string
  entity_id: string
  category: Generated<string>
  /** Title of the event in the history: `Paused`. */
  status: string
  /** Text that a person wrote: reason, details, notes. */
  text: string | null
  before: unknown
  after: unknown
  version: number
  idempotency_key: string | null
  /** Owner of the record, `employer:12`; set by the database. */
  belongs_to: Generated<string>
}

declare module '#server/tables/database.ts' {
  interface Database {
    audit_events: AuditEventTable
  }
}

export interface NewAuditEvent {
  actor: { id: string; name: string }
  intent: string
  command?: string | null | undefined
  entity: string
  entityId: string
  category?: string
  status: string
  text?: string | null | undefined
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  version: number
  idempotencyKey?: string | null | undefined
}

/** Writes an event; call it in the transaction of the change. */
export async function recordEvent(tx: Tx, event: NewAuditEvent): Promise<void> {
  await sql`${prepared} ${insertEventStatement(event)}`.execute(tx)
}

/** The statement that writes an event. */
export const insertEventStatement = (event: NewAuditEvent): RawBuilder<unknown> => sql`
  insert into audit_events
    (actor_id, actor_name, intent, command, entity, entity_id, category, status, text, before, after, version, idempotency_key)
  values (${event.actor.id}, ${event.actor.name}, ${event.intent}, ${event.command ?? null}, ${event.entity}, ${event.entityId},
    ${event.category ?? 'user'}, ${event.status}, ${event.text ?? null}, ${event.before ? JSON.stringify(event.before) : null},
    ${event.after ? JSON.stringify(event.after) : null}, ${event.version}, ${event.idempotencyKey ?? null})`

/** The command of undo in the audit. */
export const undoCommand = 'session.undo'

interface Row {
  id: number
  at: Date
  /** `at` to the microsecond. */
  place: string
  actor_id: string
  actor_name: string
  category: string
  status: string
  text: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  version: number
  undo: boolean
}

const columns = sql`e.id, e.at, ${exactTime(sql.ref('e.at'))} as place, e.actor_id, e.actor_name, e.category, e.status, e.text,
  e.before, e.after, e.version, e.command is not distinct from ${undoCommand} as undo`

const toEvent = (row: Row): HistoryEvent => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor_id, name: row.actor_name },
  category: row.category,
  status: row.status,
  text: row.text,
  changes: changesBetween(row.before && limitByUnit(row.before), row.after && limitByUnit(row.after)),
  version: row.version,
  ...(row.undo ? { undo: true } : {}),
})

/** A position in a history: the time to the microsecond, and the id of the event. */
export interface EventPlace {
  at: string
  id: number
}

/**
 * The history of these records, newest first, at most `limit` events before a position; `where` is a condition on events `e`.
 * `next` is the position to continue from, or null at the end.
 */
export async function eventsOf(
  tx: Tx,
  records: readonly { entity: string; id: string }[],
  { limit, before, where = sql`true` }: { limit: number; before: EventPlace | null; where?: RawBuilder<unknown> | undefined },
): Promise<{ events: HistoryEvent[]; next: EventPlace | null }> {
  // Comparing pairs does not prune partitions; the additional comparison of the time alone does.
  const earlier = before
    ? sql`e.at <= ${before.at}::timestamptz and (e.at, e.id) < (${before.at}::timestamptz, ${before.id}::bigint)`
    : sql`true`
  const { rows } = await sql<Row>`
    select ${columns}
    from unnest(${records.map((record) => record.entity)}::text[], ${records.map((record) => record.id)}::text[]) as thing(entity, id)
    cross join lateral (
      select * from audit_events e
      where e.entity = thing.entity and e.entity_id = thing.id and ${earlier} and ${where}
      order by e.at desc, e.id desc limit ${limit + 1}
    ) e
    order by e.at desc, e.id desc limit ${limit + 1}
  `.execute(tx)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { events: page.map(toEvent), next: rows.length > limit && last ? { at: last.place, id: last.id } : null }
}

/** The condition that selects the events `e` at these positions, pruned to the partitions of their times. */
export const eventsAre = (places: readonly EventPlace[]): RawBuilder<unknown> => {
  const times = places.map(({ at }) => at).sort()
  return sql`e.id = any(${places.map(({ id }) => id)}::bigint[]) and e.at between ${times[0]}::timestamptz and ${times.at(-1)}::timestamptz`
}

/** The events at these positions, unordered. */
export async function eventsAt(tx: Tx, places: readonly EventPlace[]): Promise<HistoryEvent[]> {
  const { rows } = await sql<Row>`select ${columns} from audit_events e where ${eventsAre(places)}`.execute(tx)
  return rows.map(toEvent)
}

/** The fields that differ, in the order of the record; an absent field counts as null. */
function changesBetween(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
): { field: string; before: unknown; after: unknown }[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...fields]
    .map((field) => ({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}
