import { type Insertable, type RawBuilder, sql, type Updateable } from 'kysely'
import { prepared } from '#server/postgres/prepared.ts'
import { selectAll, selectOne } from '#server/postgres/select.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import type { distributedTables } from '#server/tables/placement.ts'

type Named<Name extends keyof Database> = Database[Name] & object

/**
 * The big tables, whose rows carry their organization and may be partitioned or distributed by it: a row is locked and changed by
 * its id and its organization, so that nothing else is looked at.
 */
export type BigTable = (typeof distributedTables)[number]

/** A row of a big table. */
export interface RowKey {
  id: number
  organization_id: number
}

/** A row of a big table as its reader knows it: by its id alone, or with its organization. */
export type RowOrId = number | RowKey

/**
 * The key of a row that is known by its id alone, or of an employer, if it exists: looked up in all partitions, without a lock. A
 * row never changes its organization, but it may be gone before it is locked. Where statements are pipelined behind a lock, look
 * the key up first.
 */
export const keyOf = (tx: Tx, table: BigTable | 'employers', id: number): Promise<RowKey | null> =>
  selectOne<RowKey>(tx)`${prepared} select id, organization_id from ${sql.table(table)} where id = ${id}`

/** Whether rows `alias` are the one with a key. */
export const isRow = (alias: string, { id, organization_id }: RowKey): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.id`)} = ${id} and ${sql.ref(`${alias}.organization_id`)} = ${organization_id}`

/** The organizations of rows. */
export const organizationsOf = (rows: readonly RowKey[]): number[] => [...new Set(rows.map((row) => row.organization_id))]

const given = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined)

/** Adds a row to a table; returns its id. */
export async function insertRow<Name extends keyof Database>(
  tx: Tx,
  table: Name,
  values: Insertable<Named<Name>>,
): Promise<number> {
  const columns = given(values)
  const [row] = await selectAll<{ id: number }>(tx)`
    insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))})
    values (${sql.join(columns.map(([, value]) => value))}) returning id`
  return (row as { id: number }).id
}

/** Changes a locked row of a table and increments its version. */
export async function saveRow<Name extends keyof Database>(
  tx: Tx,
  table: Name,
  row: Name extends BigTable ? RowKey : number | string,
  values: Updateable<Named<Name>>,
  now: Date,
): Promise<void> {
  const set = given(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}, `)
  await sql`update ${sql.table(table)} set ${sql.join(set, sql``)} updated_at = ${now}, version = version + 1
    where ${typeof row === 'object' ? isRow(table, row) : sql`id = ${row}`}`.execute(tx)
}
