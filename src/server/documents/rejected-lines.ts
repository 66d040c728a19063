import type { Kysely } from 'kysely'
import { byteOrderMark, csvLine } from '#server/documents/csv.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { faultsOf } from '#server/tables/rejected-lines.ts'

const lineEnd = '\r\n'

/** The rejected lines of an import as CSV, below the header of the file, each with its reasons in an additional column. */
export async function* rejectedFile(
  db: Kysely<Database>,
  { id, header, whole }: { id: number; header: string | null; whole: boolean },
): AsyncGenerator<string> {
  yield `${byteOrderMark}${header === null ? '' : `${header},`}${csvLine(['Why it was not taken'])}${lineEnd}`
  let last: RejectedLine | null = null
  for await (const faults of faultsOf(db as Tx, { id, whole })) {
    let text = ''
    for (const { line, column, message, content } of faults) {
      const reason = column === null ? message : `${column}: ${message}`
      if (last !== null && last.line === line) last.reasons.push(reason)
      else {
        text += lineOf(last)
        last = { line, content, reasons: [reason] }
      }
    }
    yield text
  }
  yield lineOf(last)
}

/** A line with all reasons for its rejection. */
interface RejectedLine {
  line: number
  content: string
  reasons: string[]
}

const lineOf = (one: RejectedLine | null): string => (one ? `${one.content},${csvLine([one.reasons.join(' ')])}${lineEnd}` : '')
