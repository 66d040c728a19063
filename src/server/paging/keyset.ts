import { type RawBuilder, sql } from 'kysely'

type Value = string | number | null
/** Companies have numeric ids, people have UUIDs. */
type Id = number | string

/**
 * A part of a list with one order: rows that match `where`, by `key` and then by id. A list is a sequence of segments, so that
 * rows without a value come last in both directions, and better matches before worse ones.
 */
export interface Segment {
  where?: RawBuilder<boolean>
  /** Sort key before the id. */
  key?: RawBuilder<unknown>
  descending?: boolean
  /** True if `key` is the same for all rows of one employer, so that within an employer the id alone gives the order. */
  sameInEmployer?: boolean
  /** True if the table is partitioned by `key`. */
  partitions?: boolean
}

/** The position of a row in a list: index of the segment, value of its key, id. */
export type Position = readonly [segment: number, key: Value, id: Id]

/** The start of a page: after or before a position, at the row with an id, or null for the end that the direction starts from. */
export type Start = Position | { id: Id } | null

/** Whether the values of an opened cursor are a position. */
const isPosition = (values: readonly unknown[] | null): values is Position =>
  values?.length === 3 && typeof values[0] === 'number' && ['number', 'string'].includes(typeof values[2])

/** The start of a page, from an opened cursor or from the id of its first row. */
export const startOf = (values: readonly unknown[] | null, row: Id | undefined): Start =>
  isPosition(values) ? values : row === undefined ? null : { id: row }

/** A row found in a segment. */
export interface Found {
  id: Id
  key: unknown
}

export interface Scan<Row extends Found> {
  segments: readonly Segment[]
  from: Start
  /** The condition for the row with an id, if that is not the id of rows `e`. */
  is?: (id: Id) => RawBuilder<boolean>
  direction: 'after' | 'before'
  limit: number
  /** Finds at most `limit` rows of one segment, nearest first. */
  find: (condition: RawBuilder<boolean>, order: Order, limit: number) => Promise<Row[]>
}

/** The order of a segment: `whole` over all employers, `inner` within one employer. */
export interface Order {
  key: RawBuilder<unknown>
  whole: RawBuilder<unknown>
  inner: RawBuilder<unknown>
  /** The same over the columns `key` and `id` of a subquery `chosen`. */
  merged: RawBuilder<unknown>
}

/** A page of rows in the list's order, and the position to continue from, null at the end. */
export async function scan<Row extends Found>(options: Scan<Row>): Promise<{ rows: Row[]; next: Position | null }> {
  const { from } = options
  if (from === null || !('id' in from)) return scanFrom(options, from)
  const first = await placeOf(options, from.id)
  if (!first) return { rows: [], next: null }
  if (options.limit === 1) return { rows: [first.row], next: first.place }
  const { rows, next } = await scanFrom({ ...options, limit: options.limit - 1 }, first.place)
  return { rows: options.direction === 'after' ? [first.row, ...rows] : [...rows, first.row], next }
}

/** The row with an id and its position, if it is in the list. */
async function placeOf<Row extends Found>({ segments, is, find }: Scan<Row>, id: Id) {
  const same = is?.(id) ?? sql<boolean>`e.id = ${id}`
  for (const [at, segment] of segments.entries()) {
    const condition = sql<boolean>`${conditionOf(segment, null, false)} and ${same}`
    const [row] = await find(condition, orderOf(segment, Boolean(segment.descending)), 1)
    if (row) return { row, place: [at, cursorValue(row.key), row.id] as const satisfies Position }
  }
  return null
}

async function scanFrom<Row extends Found>(
  { segments, direction, limit, find }: Scan<Row>,
  from: Position | null,
): Promise<{ rows: Row[]; next: Position | null }> {
  const forward = direction === 'after'
  const found: Row[] = []
  const places: Position[] = []
  const step = forward ? 1 : -1
  const start = from ? from[0] : forward ? 0 : segments.length - 1
  for (let at = start; at >= 0 && at < segments.length && found.length <= limit; at += step) {
    const segment = segments[at] as Segment
    const descending = Boolean(segment.descending) === forward
    const here = from && from[0] === at ? from : null
    for (const row of await find(
      conditionOf(segment, here, descending),
      orderOf(segment, descending),
      limit + 1 - found.length,
    )) {
      found.push(row)
      places.push([at, cursorValue(row.key), row.id])
    }
  }
  const rows = found.slice(0, limit)
  const next = found.length > limit ? (places[limit - 1] ?? null) : null
  return { rows: forward ? rows : rows.reverse(), next }
}

/** A time to the microsecond, as text for a cursor. */
export const exactTime = (time: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** A time is stored in a cursor as text; its columns have milliseconds, so nothing is lost. */
const cursorValue = (key: unknown): Value => (key instanceof Date ? key.toISOString() : (key as Value))

function conditionOf({ where, key, partitions }: Segment, from: Position | null, descending: boolean): RawBuilder<boolean> {
  const base = where ?? sql<boolean>`true`
  if (!from) return base
  const comparison = descending ? sql`<` : sql`>`
  const [, value, id] = from
  // A null key is the segment of rows without a value, ordered by id.
  if (!key || value === null) return sql<boolean>`${base} and e.id ${comparison} ${id}`
  const after = sql<boolean>`${base} and (${key}, e.id) ${comparison} (${value}, ${id})`
  // Comparing pairs does not prune partitions; the additional comparison of the key alone does.
  return partitions ? sql<boolean>`${after} and ${key} ${comparison}= ${value}` : after
}

function orderOf({ key, sameInEmployer }: Segment, descending: boolean): Order {
  const sortDirection = descending ? sql`desc` : sql`asc`
  const byKey = key ? sql`${key} ${sortDirection}, ` : sql``
  return {
    key: key ?? sql`null::text`,
    whole: sql`${byKey}e.id ${sortDirection}`,
    inner: sameInEmployer ? sql`e.id ${sortDirection}` : sql`${byKey}e.id ${sortDirection}`,
    merged: key ? sql`chosen.key ${sortDirection}, chosen.id ${sortDirection}` : sql`chosen.id ${sortDirection}`,
  }
}
