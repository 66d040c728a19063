import type { RawBuilder } from 'kysely'
import type { HistoryEvent } from '#contract/history.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Services } from '#server/http/route.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import { eventsOf } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'

interface Asking {
  tx: Tx
  actor: Actor
  services: Services
  query: { limit: number; lek?: string } & Readonly<Record<string, unknown>>
  /** Extra filter condition over events `e`. */
  where?: RawBuilder<boolean>
}

/** A page of the history of a record and its parts, newest first, as returned by the API. */
export async function historyOf(
  { tx, actor, services, query: { limit, lek, ...filter }, where }: Asking,
  endpoint: string,
  record: { entity: string; id: string },
  ...belonging: readonly { entity: string; id: string }[]
): Promise<{ events: HistoryEvent[]; lek: string | null }> {
  const binding: CursorBinding = { endpoint, filter: { ...filter, id: record.id }, sort: 'at desc', personId: actor.id }
  const [at, id] = lek === undefined ? [] : openCursor(services.cursorSecret, binding, lek)
  const before = at === undefined ? null : { at: String(at), id: Number(id) }
  const { events, next } = await eventsOf(tx, [record, ...belonging], { limit, before, where })
  return { events, lek: next && sealCursor(services.cursorSecret, binding, [next.at, next.id]) }
}
