import { type RawBuilder, sql } from 'kysely'
import { type Found, type Position, type Scan, scan } from '#server/paging/keyset.ts'
import type { Tx } from '#server/tables/database.ts'
import { prepared } from '#server/postgres/prepared.ts'

/** A row of a page, with its organization, if its table carries it, and the value that locates its partition by time. */
type FoundRow = Found & { organization_id?: number; part?: unknown }

/** Finds rows with a statement that returns `id`, `key`, and where the table has them `organization_id` and `part`. */
export const foundBy = async (tx: Tx, statement: RawBuilder<unknown>): Promise<FoundRow[]> =>
  (await sql<FoundRow>`${statement}`.execute(tx)).rows

/** The partition column of a table, with its type. */
export interface PartitionColumn {
  name: string
  type: 'date' | 'timestamptz'
}

/** The source of the rows. */
interface Source {
  /** Rows `e`, with the tables that the conditions join. */
  from: RawBuilder<unknown>
  open: RawBuilder<unknown>
  /** The id of the listed record, if it is not that of the rows `e`. */
  id?: RawBuilder<unknown>
  partitionedBy?: PartitionColumn | undefined
}

/**
 * The rows of a page that are still open to the person: `id`, the columns of their partition, and their position in the page as `key`.
 * The statement that finds them differs by filter and order and is planned each time; reading them by id is one statement for all,
 * whose many joins each connection plans once.
 */
export function again(found: readonly FoundRow[], { from, open, id, partitionedBy }: Source): RawBuilder<unknown> {
  const ids = sql`${found.map((row) => row.id)}::${sql.raw(typeof found[0]?.id === 'string' ? 'uuid' : 'bigint')}[]`
  const organizations = found.flatMap((row) => row.organization_id ?? [])
  const [ofOrganization, names, column, same] =
    organizations.length > 0
      ? [
          sql`, ${organizations}::bigint[]`,
          sql`id, organization_id`,
          sql`, e.organization_id`,
          sql`e.id = picked.id and e.organization_id = picked.organization_id`,
        ]
      : [sql``, sql`id`, sql``, sql`e.id = picked.id`]
  if (!partitionedBy)
    return sql`${prepared} select ${id ?? sql`e.id`} as id, picked.at as key ${column}
      from unnest(${ids} ${ofOrganization}) with ordinality as picked (${names}, at), ${from} where ${same} and ${open}`
  const part = sql.ref(`e.${partitionedBy.name}`)
  const type = sql.raw(partitionedBy.type)
  const parts = found.map((row) => row.part as Date | string)
  const [first, last] = [parts.reduce((a, b) => (b < a ? b : a)), parts.reduce((a, b) => (b > a ? b : a))]
  // Partitions outside of the range are not even opened.
  return sql`${prepared} select ${id ?? sql`e.id`} as id, picked.at as key, ${part} ${column}
    from unnest(${ids} ${ofOrganization}, ${parts}::${type}[]) with ordinality as picked (${names}, part, at), ${from}
    where ${same} and ${part} = picked.part and ${part} between ${first}::${type} and ${last}::${type} and ${open}`
}

/** Finds a page as `scan` does, with the statement that finds rows of a segment. */
interface PageFinder extends Omit<Scan<FoundRow>, 'find'> {
  choose: (...options: Parameters<Scan<FoundRow>['find']>) => RawBuilder<unknown>
}

/** A page in a list's order, found and then read by `again`, and the position to continue from; null at the end. */
export async function findAndRead<Row>(
  tx: Tx,
  { choose, ...options }: PageFinder,
  source: Source,
  read: (chosen: RawBuilder<unknown>, order: RawBuilder<unknown>) => Promise<Row[]>,
): Promise<{ rows: Row[]; next: Position | null }> {
  const { rows, next } = await scan({ ...options, find: (...segment) => foundBy(tx, choose(...segment)) })
  return { rows: rows.length ? await read(again(rows, source), sql`chosen.key`) : [], next }
}
