import { type RawBuilder, sql } from 'kysely'
import type { AnyEndpoint, QueryOf } from '#contract/define.ts'
import type { arrangingParameters, Count } from '#contract/list.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { findAndRead, type PartitionColumn } from '#server/paging/reread-page.ts'
import type { Position, Segment, Start } from '#server/paging/keyset.ts'
import { selectAll } from '#server/postgres/select.ts'

/** The filters that an endpoint declares: its query without order and page parameters. */
export type FilterOf<E extends AnyEndpoint> = Omit<QueryOf<E>, (typeof arrangingParameters)[number]>

/** The actor and transaction of a read. */
export interface Asking {
  tx: Tx
  actor: Actor
}

type Condition = RawBuilder<unknown>

/** The condition of each filter declared in the contract: omitting one does not compile. */
export type Conditions<Filter> = {
  readonly [Name in keyof Filter]-?: (value: NonNullable<Filter[Name]>, asking: Asking) => Condition | Promise<Condition>
}

/** The conditions of the filters that are set. */
export async function conditionsOf<Filter extends object>(
  conditions: Conditions<Filter>,
  filter: Filter,
  asking: Asking,
): Promise<Condition[]> {
  const set = Object.entries(conditions).filter(([name]) => {
    const value = filter[name as keyof Filter]
    return value !== undefined && value !== ''
  }) as [keyof Filter, (value: unknown, asking: Asking) => Condition | Promise<Condition>][]
  return Promise.all(set.map(async ([name, make]) => make(filter[name], asking)))
}

/** All conditions joined with `and`; true if there are none. */
export const every = (conditions: readonly Condition[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`

type Sums = Readonly<Record<string, Condition>>

interface ListOf<E extends AnyEndpoint, Row, Totals> {
  /** The endpoint whose filters and sorts it serves; used for its type only. */
  endpoint: E
  /** Rows `e`, with the tables that the conditions join. */
  from: Condition
  /** The id of the listed record, if the rows `e` belong to another table that is scanned for its order. */
  id?: Condition
  /** Whether the rows `e` are of a big table, which carries the organization: then `chosen` has it, too. */
  ofOrganization?: true
  /** Whether a row is open to a person. */
  open: (actor: Asking['actor']) => Condition
  filters: Conditions<FilterOf<E>>
  /** The sort key of each order, before the id; null for the id alone. */
  sorts: { readonly [Sort in SortOf<E>]: Condition | null }
  /**
   * The partition column of its table: sorted by it, only partitions from the page's position on are scanned. `chosen` has it,
   * too.
   */
  partitionedBy?: PartitionColumn & { name: SortOf<E> }
  /** The columns of the rows `e`; from the tables of `reads`, if they need more than the conditions. */
  columns?: RawBuilder<Row> | ((actor: Actor) => RawBuilder<Row>)
  reads?: (actor: Actor) => Condition
  /** Reads the chosen rows, if not by `columns`: `chosen` gives their `id` and `key` (see `again`), `order` sorts them. */
  read?: (asking: Asking, chosen: Condition, order: Condition) => Promise<Row[]>
  /** Locks the row with an id. */
  lock?: (id: number | string) => Condition
  /** Sums over all rows of a filter, which its count has, too. */
  totals?: Totals
}

type SortOf<E extends AnyEndpoint> = QueryOf<E> extends { sort: infer Sort extends string } ? Sort : never

/** The page parameters. */
interface Paged<Sort extends string> {
  limit: number
  direction: 'after' | 'before'
  sort: Sort
  'sort-order': 'asc' | 'desc'
}

/** A list of the API: pages by cursor and a count, with access and filters applied in one place. */
export interface List<E extends AnyEndpoint, Row> {
  /** A page in the list's order, and the position to continue from; null at the end. */
  page: (asking: Asking, query: FilterOf<E> & Paged<SortOf<E>>, from: Start) => Promise<{ rows: Row[]; next: Position | null }>
  /** The number of rows that match a filter. */
  count: (asking: Asking, filter: FilterOf<E>) => Promise<Count>
}

/** A list whose rows can be read by id. */
interface DefinedList<E extends AnyEndpoint, Row, Totals> extends List<E, Row> {
  count: (asking: Asking, filter: FilterOf<E>) => Promise<Count & { totals: { [Name in keyof Totals]: number } }>
  /** One row, if the person may see it. With `lock` nobody else changes it before the commit. */
  one: (tx: Tx, actor: Actor, id: number | string, how?: { lock: boolean }) => Promise<Row | null>
}

/** Declares a list whose rows are found by one statement, in index order. */
export function defineList<const E extends AnyEndpoint, Row, Totals extends Sums = Record<never, never>>(
  list: ListOf<E, Row, Totals>,
): DefinedList<E, Row, Totals> {
  const { from, id, ofOrganization, open, filters, sorts, partitionedBy, columns, reads, lock, totals } = list
  const ofColumns = ({ tx, actor }: Asking, chosen: Condition, order: Condition) => selectAll<Row>(tx)`
    select chosen.key, found.* from (${chosen}) chosen join lateral (
      select ${typeof columns === 'function' ? columns(actor) : columns} from ${reads?.(actor) ?? from} where e.id = chosen.id
    ) found on true order by ${order}`
  const { read = ofColumns } = list
  const condition = async (asking: Asking, filter: FilterOf<E>) =>
    every([open(asking.actor), ...(await conditionsOf<FilterOf<E>>(filters, filter, asking))])
  return {
    async page(asking, query, place) {
      const filter = await condition(asking, query)
      const segment: Segment = {
        key: sorts[query.sort] ?? undefined,
        descending: query['sort-order'] === 'desc',
        partitions: query.sort === partitionedBy?.name,
      }
      const organization = ofOrganization ? sql`, e.organization_id` : sql``
      const part = partitionedBy ? sql`, ${sql.ref(`e.${partitionedBy.name}`)} as part` : sql``
      return findAndRead(
        asking.tx,
        {
          segments: [segment],
          from: place,
          ...(id ? { is: (row: number | string) => sql<boolean>`${id} = ${row}` } : {}),
          direction: query.direction,
          limit: query.limit,
          choose: (where, order, limit) =>
            sql`select e.id, ${order.key} as key ${organization} ${part} from ${from} where ${filter} and ${where} order by ${order.whole} limit ${limit}`,
        },
        { from, open: open(asking.actor), ...(id ? { id } : {}), partitionedBy },
        (chosen, order) => read(asking, chosen, order),
      )
    },
    async count(asking, filter) {
      const sums = Object.entries(totals ?? {}).map(([name, sum]) => sql`, coalesce(${sum}, 0)::bigint as ${sql.ref(name)}`)
      const [row] = await selectAll<{ count: number }>(asking.tx)`
        select count(*)::int as count ${sql.join(sums, sql``)} from ${from} where ${await condition(asking, filter)}`
      const { count, ...rest } = row as { count: number }
      return { count, exact: true, ...(totals && { totals: rest }) } as never
    },
    async one(tx, actor, row, { lock: locked } = { lock: false }) {
      if (locked && lock) await sql`${lock(row)}`.execute(tx)
      const which = id ?? sql.ref('e.id')
      const chosen = sql`select ${which} as id, null as key from ${from} where ${which} = ${row} and ${open(actor)}`
      return (await read({ tx, actor }, chosen, sql`chosen.id`))[0] ?? null
    },
  }
}
