import { z } from 'zod'
import type { Need } from '#domain/permissions.ts'
import { capitalize } from '#domain/text.ts'
import { type CallHead, endpoint } from '#contract/define.ts'
import { byId, type byPerson, idSchema, nothing, personIdSchema } from '#contract/fields.ts'
import { type Filter, filterParams } from '#contract/filter.ts'
import { historyOf } from '#contract/history.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'

/** The parameter of a list that names its rows by id. */
export const byIds = { id: commaList(idSchema).optional() }

/** The same for a list of staff members. */
export const byPersonIds = { id: commaList(personIdSchema).optional() }

/** For a list that starts with the newest row. */
export const newestFirst = { 'sort-order': z.enum(['asc', 'desc']).default('desc') }

type FilterShape<Filters extends readonly Filter[]> = ReturnType<typeof filterParams<Filters>>

type NarrowingShape<Filters extends readonly Filter[], Narrowing> = { q: typeof listQuery.q } & Narrowing & FilterShape<Filters>

type ListShape<Filters extends readonly Filter[], Sorts extends readonly string[], Narrowing, Arranging> = Omit<
  typeof listQuery & { sort: z.ZodDefault<z.ZodEnum<{ [Sort in Sorts[number]]: Sort }>> },
  keyof Arranging
> &
  NarrowingShape<Filters, Narrowing> &
  Arranging

type HistoryInput<Filters extends z.ZodRawShape> = {
  /** The last part of its path; `history` by default. */
  at?: 'events'
  filters?: Filters
  /** Who may read it, if that differs from the list. */
  needs?: Need
  extension?: boolean
}

interface ResourceInput<
  Row extends z.ZodType,
  Rows extends string,
  Filters extends readonly Filter[],
  Sorts extends readonly [string, ...string[]],
  Narrowing extends z.ZodRawShape,
  Arranging extends z.ZodRawShape,
  Totals extends z.ZodRawShape,
> {
  /** A row in words, and several. */
  one: string
  many: string
  tag: string
  row: Row
  /** The property of an answer that has the rows. */
  rows: Rows
  filters: Filters
  sorts: Sorts
  /** The default order; the first one if omitted. */
  sort?: Sorts[number]
  /** Parameters that narrow the list besides its filters. */
  narrowing?: Narrowing
  /** Further parameters of the list alone, which do not decide which rows it has, and other defaults for those of every list. */
  arranging?: Arranging
  specified?: readonly (keyof NoInfer<ListShape<Filters, Sorts, Narrowing, Arranging>> & string)[]
  /** What the list is, if not just its rows by cursor. */
  summary?: string
  /** Totals of all rows of a filter, in its count. */
  totals?: Totals
  /** Whether the call for one row is an addition to the specification; true by default. */
  getExtension?: boolean
}

/**
 * The reads of a noun: a list by cursor with its filters and sort orders, the number of rows of a filter, one row, and the
 * history of a row. All need the permission of the list; count and history are additions to the specification
 * (docs/rules/api.md).
 */
export function resource<
  Row extends z.ZodType,
  const Rows extends string,
  const Filters extends readonly Filter[],
  const Sorts extends readonly [string, ...string[]],
  Narrowing extends z.ZodRawShape = Record<never, never>,
  Arranging extends z.ZodRawShape = Record<never, never>,
  Totals extends z.ZodRawShape = Record<never, never>,
  Params extends typeof byId | typeof byPerson = typeof byId,
  HistoryFilters extends z.ZodRawShape = Record<never, never>,
>(
  head: Pick<CallHead, 'path' | 'needs' | 'extension'>,
  input: ResourceInput<Row, Rows, Filters, Sorts, Narrowing, Arranging, Totals> & {
    /** The path parameter of a row; its id as a number by default. */
    params?: Params
    history?: HistoryInput<HistoryFilters>
  },
) {
  const { one, many, tag, row, rows, filters, sorts, sort = sorts[0], narrowing, arranging, totals, history = {} } = input
  const { path, needs, extension } = head
  const params = (input.params ?? byId) as Params
  const narrowed = { q: listQuery.q, ...narrowing, ...filterParams(filters) } as NarrowingShape<Filters, Narrowing>
  const listed = { ...listQuery, ...narrowed, sort: z.enum(sorts).default(sort), ...arranging } as unknown as ListShape<
    Filters,
    Sorts,
    Narrowing,
    Arranging
  >
  const common = { method: 'GET', tag, needs } as const
  return {
    list: endpoint({
      ...common,
      path,
      extension,
      summary: input.summary ?? `${capitalize(many)}, by cursor`,
      params: nothing,
      specified: (input.specified ?? []) as never,
      query: z.object(listed),
      answer: z.object({ [rows]: z.array(row), lek } as { [Name in Rows]: z.ZodArray<Row> } & { lek: typeof lek }),
    }),
    count: endpoint({
      ...common,
      path: `${path}/count`,
      summary: `How many ${many} a filter has`,
      params: nothing,
      query: z.object(narrowed),
      answer: (totals ? Count.extend({ totals: z.object(totals) }) : Count) as keyof Totals extends never
        ? typeof Count
        : z.ZodObject<typeof Count.shape & { totals: z.ZodObject<Totals> }>,
      extension: true,
    }),
    get: endpoint({
      ...common,
      path: `${path}/{id}`,
      summary: `One ${one}`,
      params,
      query: nothing,
      answer: row,
      extension: input.getExtension ?? true,
    }),
    history: historyOf<HistoryFilters, Params>(`${path}/{id}/${history.at ?? 'history'}`, {
      summary: `What happened to one ${one}, newest first`,
      tag,
      needs: (history.needs ?? needs) as Need,
      extension: history.extension ?? true,
      params,
      ...(history.filters ? { filters: history.filters } : {}),
    }),
  }
}
