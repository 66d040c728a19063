import { type Insertable, sql, type Updateable } from 'kysely'
import { selectAll } from '#server/postgres/select.ts'
import type { Database, Tx } from '#server/tables/database.ts'

type Named<Name extends keyof Database> = Database[Name] & object

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
  id: number | string,
  values: Updateable<Named<Name>>,
  now: Date,
): Promise<void> {
  const set = given(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}, `)
  await sql`update ${sql.table(table)} set ${sql.join(set, sql``)} updated_at = ${now}, version = version + 1
    where id = ${id}`.execute(tx)
}
