import type { HistoryEvent } from '#contract/history.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Services } from '#server/http/route.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import { eventsOf } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'

/** A page of what happened to one thing, and to what belongs to it, newest first, as the wire tells it. */
export async function historyOf(
  { tx, actor, services, query }: { tx: Tx; actor: Actor; services: Services; query: { limit: number; lek?: string } },
  endpoint: string,
  thing: { entity: string; id: string },
  ...belonging: readonly { entity: string; id: string }[]
): Promise<{ events: HistoryEvent[]; lek: string | null }> {
  const binding: CursorBinding = { endpoint, filter: { id: thing.id }, sort: 'id desc', personId: actor.id }
  const before = query.lek === undefined ? null : Number(openCursor(services.cursorSecret, binding, query.lek)[0])
  const { events, next } = await eventsOf(tx, [thing, ...belonging], query.limit, before)
  return { events, lek: next === null ? null : sealCursor(services.cursorSecret, binding, [next]) }
}
