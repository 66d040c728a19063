import type { z } from 'zod'
import { deductionFilters } from '#contract/deductions.ts'
import { firstViewOf } from '#contract/first-view.ts'
import { invoiceFilters } from '#contract/invoices.ts'
import { newestFirst, type SearchKind, search, searchable } from '#contract/search.ts'
import { writeOffFilters } from '#contract/write-offs.ts'
import { may } from '#domain/permissions.ts'
import { parse } from '#server/http/input.ts'
import { nameOf } from '#server/http/route-table.ts'
import { route } from '#server/http/route.ts'
import { Refused } from '#server/http-error.ts'
import { correctedTexts, hasNames } from '#server/tables/similar-names.ts'

type ListAnswer = Record<string, unknown>

/** The first views of lists: records with pending work. */
const views: Partial<Record<SearchKind, Record<string, string>>> = {
  invoices: firstViewOf(searchable.invoices[0].path, invoiceFilters),
  'write-offs': firstViewOf(searchable['write-offs'][0].path, writeOffFilters),
  deductions: firstViewOf(searchable.deductions[0].path, deductionFilters),
}

/** Maximum number of rows with pending work that come first: matches by company name are scanned from the start. */
const maxPerKind = 8

/** Similar names are searched if fewer than this many records with names were found in total. */
const fewFound = 3
/** Maximum number of similar records per kind. */
const maxSimilar = 5

/** A number matches exactly one record, with or without pending work. */
const isNumber = (q: string): boolean => /^(inv-?|#)?\d+$/i.test(q)

const nameOfRows = (list: ListAnswer): string => Object.keys(list).find((name) => Array.isArray(list[name])) as string
const rowsOf = (list: ListAnswer): { id: unknown }[] => list[nameOfRows(list)] as { id: unknown }[]

/** The rows of one list, then those of the other without duplicates, at most `limit`. */
function appendRows(first: ListAnswer, others: ListAnswer, limit: number): ListAnswer {
  const ids = new Set(rowsOf(first).map(({ id }) => id))
  const rows = [...rowsOf(first), ...rowsOf(others).filter(({ id }) => !ids.has(id))]
  return { ...others, [nameOfRows(others)]: rows.slice(0, limit) }
}

export const routes = [
  route(search, async ({ query, ...context }) => {
    const { q, kinds, ids, include, limit } = query
    const { actor, services } = context
    /** The answer of another call with the permissions of the same person; undefined if it refuses. */
    const answerOf = async (kind: SearchKind, part: 0 | 1, at: object, asked: object): Promise<unknown> => {
      const read = services.routes.byEndpoint.get(nameOf(searchable[kind][part]))
      if (!read?.plain || may(actor.held, read.endpoint.needs) === 'no') return undefined
      const params = read.params.safeParse(at)
      // No record has an id of another format.
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
    const records: Record<string, unknown> = {}
    // Sequentially, since they share a connection.
    for (const each of ids ?? []) {
      const kind = each.slice(0, each.indexOf(':')) as SearchKind
      const found = await answerOf(kind, 1, { id: each.slice(kind.length + 1) }, {})
      if (found !== undefined) records[kind] = found
    }
    const asked = q ? [...new Set(kinds)] : []
    // An `include` for one kind may not exist for another.
    const takes = (kind: SearchKind): boolean => {
      const { include: has } = searchable[kind][0].query.shape as { include?: z.ZodType }
      return include !== undefined && has?.safeParse(include).success === true
    }
    const listOf = (kind: SearchKind, text: string, more: object) => {
      const known = 'include' in searchable[kind][0].query.shape
      const includeParam = include !== undefined && known && (takes(kind) || !asked.some(takes)) ? { include } : {}
      return answerOf(kind, 0, {}, { q: text, limit: String(limit), ...includeParam, ...more }) as Promise<ListAnswer | undefined>
    }
    for (const kind of asked) {
      const listed = (more: object) => listOf(kind, q, more)
      const found = await listed(newestFirst.has(kind) ? { 'sort-order': 'desc' } : {})
      const view = views[kind]
      const asksView = view && found && !isNumber(q) && rowsOf(found).length > 0
      const first = asksView && (await listed({ ...view, limit: String(Math.min(limit, maxPerKind)) }))
      if (found !== undefined) lists[kind] = first ? appendRows(first, found, limit) : found
    }
    const named = asked.filter((kind) => hasNames(kind) && lists[kind] !== undefined)
    const foundByName = named.reduce((sum, kind) => sum + rowsOf(lists[kind] as ListAnswer).length, 0)
    if (foundByName >= fewFound) return { lists, records }
    const similar: Record<string, ListAnswer> = {}
    for (const kind of named) {
      const guesses = await similarTo(kind, lists[kind] as ListAnswer)
      if (guesses) similar[kind] = guesses
    }
    return Object.keys(similar).length ? { lists, records, similar } : { lists, records }

    /** The records whose name is similar to the text, as a list without those already found; null if there are none. */
    async function similarTo(kind: SearchKind, found: ListAnswer): Promise<ListAnswer | null> {
      const none = { ...found, [nameOfRows(found)]: [], lek: null }
      const max = Math.min(limit, maxSimilar)
      let guesses: ListAnswer = none
      for (const text of await correctedTexts(context.tx, actor, kind, q)) {
        const ids = new Set(rowsOf(found).map(({ id }) => id))
        const more = await listOf(kind, text, { limit: String(max + ids.size) })
        if (!more) continue
        const others = rowsOf(more).filter(({ id }) => !ids.has(id))
        guesses = appendRows(guesses, { ...none, [nameOfRows(found)]: others }, max)
        if (rowsOf(guesses).length === max) break
      }
      return rowsOf(guesses).length ? guesses : null
    }
  }),
]
