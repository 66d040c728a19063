import { setImmediate as othersFirst } from 'node:timers/promises'
import { parse } from 'csv-parse'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FileParts } from '#domain/file-reading.ts'
import { type ImportKind, maxStoredFaults, namesIn } from '#domain/import.ts'
import { type FileAnswers, type MappedFileResult, type ReadBy, readMappedFile } from '#domain/mapped-file.ts'
import { faultInWords, type LineFault, type MappedRow, type MappingReader, type Named } from '#domain/mapping-reading.ts'
import { readSheetApart } from '#server/jobs/imports/read-sheet.ts'
import { csvLine } from '#server/documents/csv.ts'
import type { Database } from '#server/tables/database.ts'

/** Size of a batch that is written: this many lines, or this many characters, since a line may have a million. */
const maxBatch = { lines: 2_000, characters: 4_000_000 }

/** The result of reading the lines of a file; `refused` is a message for people. */
export interface StagingResult extends Pick<MappedFileResult, 'report' | 'questions' | 'readings' | 'headerLine'> {
  lines: number
  /** Lines left to imports of other employers, by employer code. */
  others: ReadonlyMap<string, number>
  header: string | null
  refused: string | null
}

/** The staging tables of the file that is being imported; one file at a time in each lane. */
const stagingTables = [
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

/** Empties the staging tables. */
export async function clearStaged(guard: Kysely<Database>): Promise<void> {
  for (const table of stagingTables) await sql`delete from ${sql.table(table)}`.execute(guard)
}

/**
 * Reads a file by its mapping and the answers of people into `staged_lines`, `staged_faults` and `staged_names`, which are
 * emptied before. Holds a limited number of lines in memory; `goOn` gets the number of lines read so far, and throws to cancel.
 */
export async function stage(
  guard: Kysely<Database>,
  file: { name: string; kind: ImportKind; open: () => AsyncIterable<Uint8Array> },
  { answers, ...by }: Omit<ReadBy, 'kind' | 'remembers'> & { answers: FileAnswers },
  goOn: (lines: number) => Promise<void>,
): Promise<StagingResult> {
  const lines: (MappedRow & { content: string })[] = []
  const faults: Fault[] = []
  const names: Named[] = []
  let reader: MappingReader | null = null
  let faultCount = 0
  /** Characters of the lines not written yet. */
  let heldCharacters = 0
  let header: string | null = null
  const contentOf = (line: readonly string[]): string => {
    const content = csvLine(line)
    heldCharacters += content.length
    return content
  }
  const drop = () => {
    for (const list of [lines, faults, names]) list.length = 0
    heldCharacters = 0
  }
  /** The previous batch is written while the next lines are read. */
  let writing: Promise<unknown> = Promise.resolve()
  const write = async () => {
    await writing
    await goOn(reader?.result.lines ?? 0)
    const batch = { lines: lines.splice(0), faults: faults.splice(0), names: names.splice(0) }
    heldCharacters = 0
    writing = Promise.all([
      insert(
        guard,
        sql`staged_lines (line, by, identifier, values, content)`,
        sql`line integer, by text, identifier text, values jsonb, content text`,
        batch.lines,
      ),
      insert(
        guard,
        sql`staged_faults (line, column_name, message, content)`,
        sql`line integer, "column" text, message text, content text`,
        batch.faults,
      ),
      insert(guard, sql`staged_names (by, identifier, work_date)`, sql`by text, identifier text, work_date date`, batch.names),
    ])
    writing.catch(() => undefined)
  }
  const pause = () =>
    lines.length + faults.length + names.length >= maxBatch.lines || heldCharacters >= maxBatch.characters
      ? write()
      : othersFirst()
  const result = await readMappedFile(
    { name: file.name, open: file.open, parser, sheet: readSheetApart, pause },
    { ...by, kind: file.kind, remembers: false },
    answers,
    {
      begin: async (next) => {
        reader = next
        faultCount = 0
        drop()
        await writing
        await clearStaged(guard)
      },
      header: (cells) => {
        header = csvLine(cells)
      },
      row: (row, cells) => {
        if (row) lines.push({ ...row, values: { ...namesOf(row), ...row.values }, content: contentOf(cells) })
        else names.push(...asFound(reader?.identify(cells)))
        // An employee in a line that an open quote swallowed is not missing from the file.
        if (cells.some((cell) => /[\n\r]/.test(cell))) names.push(...(reader?.couldName(cells) ?? []))
      },
      fault: (fault, cells) => {
        faultCount += 1
        if (faultCount <= maxStoredFaults) faults.push({ ...fault, content: contentOf(cells) })
      },
      broken: (cells) => names.push(...(reader?.couldName(cells) ?? [])),
    },
  )
  await write()
  await writing
  const { refused, lines: count, others } = result.reader.result
  return { ...result, lines: count, others, header, refused: refused && faultInWords(refused) }
}

const asFound = <Item>(item: Item | null | undefined): Item[] => (item ? [item] : [])

/** First and last name from a cell with the full name. */
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
