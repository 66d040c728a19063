import type { z } from 'zod'
import { newestFirst, type SearchKind, search, searchable } from '#contract/search.ts'
import { may } from '#domain/permissions.ts'
import { parse } from '#server/http/input.ts'
import { nameOf } from '#server/http/route-table.ts'
import { route } from '#server/http/route.ts'
import { Refused } from '#server/refused.ts'

export const routes = [
  route(search, async ({ query, ...context }) => {
    const { q, kinds, ids, include, limit } = query
    const { actor, services } = context
    /** What another call answers, with the rights of the same person; undefined where it refuses. */
    const answerOf = async (kind: SearchKind, part: 0 | 1, at: object, asked: object): Promise<unknown> => {
      const read = services.routes.byEndpoint.get(nameOf(searchable[kind][part]))
      if (!read?.plain || may(actor.held, read.endpoint.needs) === 'no') return undefined
      const params = read.params.safeParse(at)
      // An id of another shape is one that nobody has.
      if (!params.success) return undefined
      const full = parse(read.query, asked)
      try {
        return await read.plain({ ...context, params: params.data, query: full, body: undefined } as never)
      } catch (error) {
        if (error instanceof Refused && error.status < 500) return undefined
        throw error
      }
    }
    const lists: Record<string, unknown> = {}
    const things: Record<string, unknown> = {}
    // One after the other: they share a connection.
    for (const each of ids ?? []) {
      const kind = each.slice(0, each.indexOf(':')) as SearchKind
      const found = await answerOf(kind, 1, { id: each.slice(kind.length + 1) }, {})
      if (found !== undefined) things[kind] = found
    }
    const asked = q ? [...new Set(kinds)] : []
    // What is named for one kind may be nothing that another has.
    const takes = (kind: SearchKind): boolean => {
      const { include: has } = searchable[kind][0].query.shape as { include?: z.ZodType }
      return include !== undefined && has?.safeParse(include).success === true
    }
    for (const kind of asked) {
      const known = 'include' in searchable[kind][0].query.shape
      const also = include !== undefined && known && (takes(kind) || !asked.some(takes)) ? { include } : {}
      const order = newestFirst.has(kind) ? { 'sort-order': 'desc' } : {}
      const found = await answerOf(kind, 0, {}, { q, limit: String(limit), ...order, ...also })
      if (found !== undefined) lists[kind] = found
    }
    return { lists, things }
  }),
]
