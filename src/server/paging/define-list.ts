import { type RawBuilder, sql } from 'kysely'
import type { AnyEndpoint, QueryOf } from '#contract/define.ts'
import type { arrangingParameters, Count } from '#contract/list.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { findAndRead, type PartitionColumn } from '#server/paging/reread-page.ts'
import type { Position, Segment, Start } from '#server/paging/keyset.ts'

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

interface ListOf<E extends AnyEndpoint, Row> {
  /** The endpoint whose filters and sorts it serves; used for its type only. */
  endpoint: E
  /** Rows `e`, with the tables that the conditions join. */
  from: Condition
  /** The id of the listed record, if the rows `e` belong to another table that is scanned for its order. */
  id?: Condition
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
  /** Reads the chosen rows: `chosen` gives their `id` and `key` (see `again`), `order` sorts them. */
  read: (asking: Asking, chosen: Condition, order: Condition) => Promise<Row[]>
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

/** Declares a list whose rows are found by one statement, in index order. */
export function defineList<const E extends AnyEndpoint, Row>(list: ListOf<E, Row>): List<E, Row> {
  const { from, id, open, filters, sorts, partitionedBy, read } = list
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
            sql`select e.id, ${order.key} as key ${part} from ${from} where ${filter} and ${where} order by ${order.whole} limit ${limit}`,
        },
        { from, open: open(asking.actor), ...(id ? { id } : {}), partitionedBy },
        (chosen, order) => read(asking, chosen, order),
      )
    },
    async count(asking, filter) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from ${from} where ${await condition(asking, filter)}`.execute(asking.tx)
      return { count: rows[0]?.count ?? 0, exact: true }
    },
  }
}
