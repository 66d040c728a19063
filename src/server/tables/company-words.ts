import { type RawBuilder, sql } from 'kysely'
import { words } from '#server/tables/conditions.ts'
import { idOf } from '#server/tables/employee-search.ts'
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
