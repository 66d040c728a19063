import { type CursorBinding, openCursor, sealCursor } from '#server/paging/cursor.ts'
import type { Actor } from '#server/access/actor.ts'
import { type Position, startOf } from '#server/paging/keyset.ts'

interface ListQuery {
  lek?: string
  limit: number
  direction: string
  'from-id'?: number | string
  /** Missing if the list has a single order. */
  sort?: string
  'sort-order'?: string
  include?: unknown
}

/**
 * The cursors of a list, bound to its filter, its order and the person: the start of this page, and the sealed cursor of the
 * next.
 */
export function listCursor(services: { cursorSecret: string }, endpoint: string, actor: Actor, query: ListQuery) {
  const { lek, limit, direction, 'from-id': row, include, sort, 'sort-order': order, ...filter } = query
  const binding: CursorBinding = { endpoint, filter, sort: `${sort} ${order}`, personId: actor.id }
  const opened = lek === undefined ? null : openCursor(services.cursorSecret, binding, lek)
  return {
    from: startOf(opened, row),
    seal: (next: Position | null) => next && sealCursor(services.cursorSecret, binding, next),
  }
}
