import type { HistoryEvent } from '#contract/history.ts'
import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import type { Services } from '#server/http/route.ts'
import { eventsOf } from '#server/tables/audit.ts'
import { type Position, isPosition } from '#server/paging/keyset.ts'

interface Listed {
  lek?: string
  limit: number
  direction: string
  /** Left out where the list has one order only. */
  sort?: string
  'sort-order'?: string
}

/** The cursors of a list, bound to its filter, its order and the person: where this page begins, and how the next one is told. */
export function listCursor(services: Services, endpoint: string, actor: Actor, query: Listed) {
  const { lek, limit, direction, sort, 'sort-order': order, ...filter } = query
  const binding: CursorBinding = { endpoint, filter, sort: `${sort} ${order}`, personId: actor.id }
  const opened = lek === undefined ? null : openCursor(services.cursorSecret, binding, lek)
  return {
    from: isPosition(opened) ? opened : null,
    seal: (next: Position | null) => next && sealCursor(services.cursorSecret, binding, next),
  }
}

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
