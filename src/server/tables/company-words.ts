import { type RawBuilder, sql } from 'kysely'
import { words } from '#server/tables/conditions.ts'
import { idOf } from '#server/tables/employee-search.ts'
import type { Tx } from '#server/tables/database.ts'
import { every } from '#server/paging/define-list.ts'

/** The search of a list of companies `e`: every word occurs in the text, or the query is the id. */
export function searched(column: RawBuilder<unknown>) {
  return (q: string): RawBuilder<unknown> => {
    const named = words(column, q)
    const id = named.length ? idOf(q) : null
    return id === null ? every(named) : sql`(${every(named)} or e.id = ${id})`
  }
}

/** Whether every word occurs in the column. */
export const containsWords = (column: RawBuilder<unknown>) => (text: string) => every(words(sql`fold(${column})`, text))

/** Reads the chosen companies: `columns` of the rows `e` in `from`. */
export async function readChosen<Row>(
  tx: Tx,
  { columns, from }: { columns: RawBuilder<unknown>; from: RawBuilder<unknown> },
  chosen: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(Row & { key: unknown })[]> {
  const { rows } = await sql<Row & { key: unknown }>`
    select chosen.key, found.* from (${chosen}) chosen
    join lateral (select ${columns} from ${from} where e.id = chosen.id) found on true order by ${order}`.execute(tx)
  return rows
}
