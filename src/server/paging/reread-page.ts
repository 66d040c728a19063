import { type RawBuilder, sql } from 'kysely'
import { type Found, type Position, type Scan, scan } from '#server/paging/keyset.ts'
import type { Tx } from '#server/tables/database.ts'
import { prepared } from '#server/postgres/prepared.ts'

/** A row that a page has, and by what its partition is found. */
type FoundRow = Found & { part?: unknown }

/** Finds rows by a statement that gives `id`, `key`, and where they are in partitions by it `part`. */
export const foundBy = async (tx: Tx, statement: RawBuilder<unknown>): Promise<FoundRow[]> =>
  (await sql<FoundRow>`${statement}`.execute(tx)).rows

/** A column that a row's partition is found by, with its type. */
export interface PartitionColumn {
  name: string
  type: 'date' | 'timestamptz'
}

/** What rows were found in. */
interface Source {
  /** Rows `e`, with what the conditions join. */
  from: RawBuilder<unknown>
  open: RawBuilder<unknown>
  /** What is listed, where it is not the rows `e`. */
  id?: RawBuilder<unknown>
  partitionedBy?: PartitionColumn | undefined
}

/**
 * The rows that a page has, as far as they are still open to the person: `id`, what their partition is found by, and as `key` where
 * each stands in the page. What finds them differs by filter and order and is planned each time; what is read of them by this is one
 * statement for all of those, whose many joins a connection plans once (D489).
 */
export function again(found: readonly FoundRow[], { from, open, id, partitionedBy }: Source): RawBuilder<unknown> {
  const ids = sql`${found.map((row) => row.id)}::${sql.raw(typeof found[0]?.id === 'string' ? 'uuid' : 'bigint')}[]`
  if (!partitionedBy)
    return sql`${prepared} select ${id ?? sql`e.id`} as id, picked.at as key
      from unnest(${ids}) with ordinality as picked (id, at), ${from} where e.id = picked.id and ${open}`
  const part = sql.ref(`e.${partitionedBy.name}`)
  const type = sql.raw(partitionedBy.type)
  const parts = found.map((row) => row.part as Date | string)
  const [first, last] = [parts.reduce((a, b) => (b < a ? b : a)), parts.reduce((a, b) => (b > a ? b : a))]
  // Partitions outside of the range are not even opened.
  return sql`${prepared} select ${id ?? sql`e.id`} as id, picked.at as key, ${part}
    from unnest(${ids}, ${parts}::${type}[]) with ordinality as picked (id, part, at), ${from}
    where e.id = picked.id and ${part} = picked.part and ${part} between ${first}::${type} and ${last}::${type} and ${open}`
}

/** How a page is found: as `scan` has it, with the statement that finds rows of a segment. */
interface Finding extends Omit<Scan<FoundRow>, 'find'> {
  choose: (...asked: Parameters<Scan<FoundRow>['find']>) => RawBuilder<unknown>
}

/** A page in a list's order, found and then read `again`, and where to go on from; null at the end. */
export async function foundAndRead<Row>(
  tx: Tx,
  { choose, ...asked }: Finding,
  source: Source,
  read: (chosen: RawBuilder<unknown>, order: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: Position | null }> {
  const { rows, next } = await scan({ ...asked, find: (...segment) => foundBy(tx, choose(...segment)) })
  return { rows: rows.length ? await read(again(rows, source), sql`chosen.key`) : [], next }
}
