import { type RawBuilder, sql } from 'kysely'
import { listRejectedLines, type RejectedLine } from '#contract/imports.ts'
import { anotherEmployer } from '#domain/other-employers.ts'
import { defineList } from '#server/paging/define-list.ts'
import { readChosen, searched } from '#server/tables/company-words.ts'
import type { Tx } from '#server/tables/database.ts'

interface FaultRow {
  id: number
  line: number
  column: string | null
  message: string
  content: string
}

/** Whose lines: of an import that is open to the person, and whether the whole organization is. */
interface Of {
  id: number
  whole: boolean
}

/**
 * Rejected lines of an import, as the person may see them. A file may contain lines of another employer of the organization,
 * whose people and wages are visible only to people granted all of it.
 */
function rejectedLines({ id, whole }: Of): RawBuilder<unknown> {
  const foreign = sql`(not ${whole}::boolean and e.column_name is not distinct from ${anotherEmployer.column})`
  return sql`(select e.id, e.line, e.column_name as "column",
      case when ${foreign} then ${anotherEmployer.sentence} else e.message end as message,
      case when ${foreign} then '' else e.content end as content
    from import_faults e where e.import_id = ${id})`
}

/** Characters of a line that a list shows: it may have a million, several times over where as much in it is wrong. */
const shownOfLine = 2_000

/** Lines of one import that were not taken. */
export const rejectedLinesOf = (of: Of) =>
  defineList({
    endpoint: listRejectedLines,
    from: sql`${rejectedLines(of)} e`,
    open: () => sql`true`,
    filters: { q: searched(sql`fold(e.message || ' ' || e.content)`) },
    sorts: { line: sql.ref('e.line') },
    read: ({ tx }, chosen, order) =>
      readChosen<FaultRow>(
        tx,
        {
          columns: sql`e.id, e.line, e."column", e.message,
          case when length(e.content) > ${shownOfLine} then left(e.content, ${shownOfLine}) || '…' else e.content end as content`,
          from: sql`${rejectedLines(of)} e`,
        },
        chosen,
        order,
      ),
  })

/** A line that was not taken, as the API returns it. */
export const toRejectedLine = ({ id, line, column, message, content }: FaultRow): RejectedLine => ({
  id,
  line,
  column,
  message,
  content,
})

/** How many lines of a file that were not taken are read at once. */
const faultsAtOnce = 1_000

/** Lines that were not taken, in the order of the file, some at a time. */
export async function* faultsOf(tx: Tx, of: Of): AsyncGenerator<FaultRow[]> {
  let after = { line: 0, id: 0 }
  for (;;) {
    const { rows } = await sql<FaultRow>`select id, line, "column", message, content from ${rejectedLines(of)} e
      where (line, id) > (${after.line}, ${after.id}) order by line, id limit ${faultsAtOnce}`.execute(tx)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < faultsAtOnce) return
    after = last
  }
}
