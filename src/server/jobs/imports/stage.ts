import { setImmediate as othersFirst } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type FileParts, readLines } from '#domain/file-reading.ts'
import { placeOf, Unreadable } from '#domain/file-text.ts'
import { type ImportKind, mostFaultsKept, mostLines, namesIn } from '#domain/import.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { faultInWords, type LineFault, type MappedRow, mappingReader, type Named } from '#domain/mapping-reading.ts'
import { readSheetApart } from '#server/jobs/imports/read-sheet.ts'
import { csvLine } from '#server/documents/csv.ts'
import type { Database } from '#server/tables/database.ts'
import { wholeNumber } from '#domain/text.ts'

/** So many lines are enough to be written, or so many characters of them: a line may have a million. */
const enough = { lines: 2_000, characters: 4_000_000 }

/** What the lines of a file come to, in words for people where the file cannot be read. */
export interface Staged {
  lines: number
  header: string | null
  refused: string | null
}

/** Where the lines of the file that is being imported wait; one file at a time in each lane. */
const staged = [
  'staged_lines',
  'staged_faults',
  'staged_names',
  'staged_twins',
  'staged_similar',
  'staged_people',
  'staged_statuses',
  'staged_plan',
  'staged_time',
  'staged_there',
  'staged_moved',
  'staged_confirmed',
] as const

interface Fault extends LineFault {
  content: string
}

/** Empties the tables that lines wait in. */
export async function clearStaged(guard: Kysely<Database>): Promise<void> {
  for (const table of staged) await sql`delete from ${sql.table(table)}`.execute(guard)
}

/**
 * Reads a file by its mapping into `staged_lines`, `staged_faults` and `staged_names`, which are empty before. Holds some lines at a
 * time; `goOn` is told how many were read, and throws where nobody wants the rest.
 */
export async function stage(
  guard: Kysely<Database>,
  file: { name: string; kind: ImportKind; chunks: AsyncIterable<Uint8Array> },
  { columns, employerCode }: { columns: readonly MappingColumn[]; employerCode: string },
  goOn: (lines: number) => Promise<void>,
): Promise<Staged> {
  await clearStaged(guard)
  const lines: (MappedRow & { content: string })[] = []
  const faults: Fault[] = []
  const names: Named[] = []
  let kept = 0
  /** Characters of the lines that wait to be written. */
  let held = 0
  let header: string | null = null
  let cells: readonly string[] = []
  const contentOf = (taken: readonly string[]): string => {
    const content = csvLine(taken)
    held += content.length
    return content
  }
  const reader = mappingReader(file.kind, columns, {
    told: (fault) => {
      kept += 1
      if (kept <= mostFaultsKept) faults.push({ ...fault, content: contentOf(cells) })
    },
    remembers: false,
    employerCode,
  })
  const write = async () => {
    await goOn(reader.result.lines)
    await Promise.all([
      insert(
        guard,
        sql`staged_lines (line, by, identifier, values, content)`,
        sql`line integer, by text, identifier text, values jsonb, content text`,
        lines,
      ),
      insert(
        guard,
        sql`staged_faults (line, column_name, message, content)`,
        sql`line integer, "column" text, message text, content text`,
        faults,
      ),
      insert(guard, sql`staged_names (by, identifier, work_date)`, sql`by text, identifier text, work_date date`, names),
    ])
    for (const list of [lines, faults, names]) list.length = 0
    held = 0
  }
  const pause = () =>
    lines.length + faults.length + names.length >= enough.lines || held >= enough.characters ? write() : othersFirst()
  const take = (taken: readonly string[], line: number): boolean => {
    if (reader.result.lines >= mostLines) {
      reader.refuse(line, null, `A file has at most ${wholeNumber(mostLines)} lines. Send it in parts.`)
      return false
    }
    cells = taken
    if (header === null) {
      header = csvLine(taken)
      return reader.head(taken, line)
    }
    const row = reader.row(taken, line)
    if (row) lines.push({ ...row, values: { ...namesOf(row), ...row.values }, content: contentOf(taken) })
    else {
      const named = reader.identify(taken)
      if (named) names.push(named)
    }
    return true
  }
  const leave = ({ line, column, message }: Unreadable, broken: readonly string[]): void => {
    cells = broken
    reader.broken({ line, column: placeOf(column), message })
    names.push(...reader.couldName(broken))
  }
  try {
    await readLines(
      {
        name: file.name,
        chunks: file.chunks,
        parser,
        sheet: (bytes) => readSheetApart(bytes),
        pause,
      },
      take,
      leave,
    )
    if (header === null) reader.refuse(1, null, 'The file is empty.')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reader.refuse(error.line, placeOf(error.column), error.message)
  }
  await write()
  const { refused } = reader.result
  return { lines: reader.result.lines, header, refused: refused && faultInWords(refused) }
}

/** First and last name out of one cell that has both. */
const namesOf = ({ values: { full_name } }: MappedRow) => (typeof full_name === 'string' ? namesIn(full_name) : null)

const parser: FileParts['parser'] = (options) => parse(options) as unknown as ReturnType<FileParts['parser']>

const insert = async (
  guard: Kysely<Database>,
  into: RawBuilder<unknown>,
  shape: RawBuilder<unknown>,
  rows: readonly object[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`insert into ${into} select * from json_to_recordset(${JSON.stringify(rows)}) as row (${shape})`.execute(guard)
}
