import { type RawBuilder, sql } from 'kysely'
import { listRejectedLines, RejectedLine } from '#contract/imports.ts'
import { anotherEmployer } from '#domain/other-employers.ts'
import { defineList } from '#server/paging/define-list.ts'
import { searched } from '#server/tables/company-words.ts'
import type { Tx } from '#server/tables/database.ts'
import { answerOf } from '#server/tables/answer-of.ts'

/** An import that is open to the person, and whether its whole organization is. */
interface ImportScope {
  id: number
  whole: boolean
}

/**
 * Rejected lines of an import, as the person may see them. A file may contain lines of another employer of the organization,
 * whose people and wages are visible only to people granted all of it.
 */
function rejectedLines({ id, whole }: ImportScope): RawBuilder<unknown> {
  const foreign = sql`(not ${whole}::boolean and e.column_name is not distinct from ${anotherEmployer.column})`
  return sql`(select e.id, e.line, e.column_name as "column",
      case when ${foreign} then ${anotherEmployer.sentence} else e.message end as message,
      case when ${foreign} then '' else e.content end as content
    from import_faults e where e.import_id = ${id})`
}

/** Maximum number of characters of a line in a list: a line may have a million, and appears once per fault. */
const shownOfLine = 2_000

/** Rejected lines of one import. */
export const rejectedLinesOf = (of: ImportScope) =>
  defineList({
    endpoint: listRejectedLines,
    from: sql`${rejectedLines(of)} e`,
    open: () => sql`true`,
    filters: { q: searched(sql`fold(e.message || ' ' || e.content)`) },
    sorts: { line: sql.ref('e.line') },
    columns: sql<RejectedLine>`e.id, e.line, e."column", e.message,
      case when length(e.content) > ${shownOfLine} then left(e.content, ${shownOfLine}) || '…' else e.content end as content`,
  })

/** A rejected line as returned by the API. */
export const toRejectedLine = (row: RejectedLine): RejectedLine => answerOf(RejectedLine, row)

/** Number of rejected lines read at once. */
const faultsAtOnce = 1_000

/** Rejected lines in the order of the file, in batches. */
export async function* faultsOf(tx: Tx, of: ImportScope): AsyncGenerator<RejectedLine[]> {
  let after = { line: 0, id: 0 }
  for (;;) {
    const { rows } = await sql<RejectedLine>`select id, line, "column", message, content from ${rejectedLines(of)} e
      where (line, id) > (${after.line}, ${after.id}) order by line, id limit ${faultsAtOnce}`.execute(tx)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < faultsAtOnce) return
    after = last
  }
}
