import { type RawBuilder, sql } from 'kysely'
import type { AnyEndpoint, QueryOf } from '#contract/define.ts'
import type { arrangingParameters, Count } from '#contract/list.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { foundAndRead, type PartitionColumn } from '#server/paging/reread-page.ts'
import type { Position, Segment, Start } from '#server/paging/keyset.ts'

/** The filters that an endpoint declares: its query without order and page. */
export type FilterOf<E extends AnyEndpoint> = Omit<QueryOf<E>, (typeof arrangingParameters)[number]>

/** Who asks, and in which transaction. */
export interface Asking {
  tx: Tx
  actor: Actor
}

type Condition = RawBuilder<unknown>

/** The condition of each filter that a contract declares: a filter that nobody applies does not compile. */
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

/** All of them; true where there are none. */
export const every = (conditions: readonly Condition[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`

interface ListOf<E extends AnyEndpoint, Row> {
  /** The endpoint whose filters and sorts it serves; for its type. */
  endpoint: E
  /** Rows `e`, with what the conditions join. */
  from: Condition
  /** The id of what is listed, where rows `e` are another table in whose order it is scanned. */
  id?: Condition
  /** Which of the rows are open to a person. */
  open: (actor: Asking['actor']) => Condition
  filters: Conditions<FilterOf<E>>
  /** What each order sorts by before the id; null for the id alone. */
  sorts: { readonly [Sort in SortOf<E>]: Condition | null }
  /** What its table is in partitions by: in its order only those from a page's place on are looked at. `chosen` has it, too. */
  partitionedBy?: PartitionColumn & { name: SortOf<E> }
  /** Reads the chosen rows: `chosen` gives their `id` and `key` (see `again`), `order` puts them in order. */
  read: (asking: Asking, chosen: Condition, order: Condition) => Promise<Row[]>
}

type SortOf<E extends AnyEndpoint> = QueryOf<E> extends { sort: infer Sort extends string } ? Sort : never

/** How a page is asked for. */
interface Paged<Sort extends string> {
  limit: number
  direction: 'after' | 'before'
  sort: Sort
  'sort-order': 'asc' | 'desc'
}

/** A list of the API: its pages by cursor and its count, which obey access and filters in one place. */
export interface List<E extends AnyEndpoint, Row> {
  /** A page in the list's order, and where to go on from; null at the end. */
  page: (asking: Asking, query: FilterOf<E> & Paged<SortOf<E>>, from: Start) => Promise<{ rows: Row[]; next: Position | null }>
  /** How many rows a filter has. */
  count: (asking: Asking, filter: FilterOf<E>) => Promise<Count>
}

/** Declares a list whose rows are found by one statement, in the order of an index. */
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
      return foundAndRead(
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
