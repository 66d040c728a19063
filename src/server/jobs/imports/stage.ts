import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { FileBatch, FileRead, FileRequest } from '#server/jobs/imports/file.worker.ts'
import { readFileApart } from '#server/jobs/imports/read-file.ts'
import type { Database } from '#server/tables/database.ts'

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

/** Empties the staging tables. */
export async function clearStaged(guard: Kysely<Database>): Promise<void> {
  for (const table of stagingTables) await sql`delete from ${sql.table(table)}`.execute(guard)
}

/**
 * Reads a file into `staged_lines`, `staged_faults` and `staged_names`, which are emptied before. `goOn` gets the number of lines
 * read so far, and throws to cancel, as `signal` does. Throws `TooMuchToRead` for a file beyond the limits.
 */
export async function stage(
  guard: Kysely<Database>,
  file: FileRequest & { size: number; open: () => AsyncIterable<Uint8Array> },
  goOn: (lines: number) => Promise<void>,
  signal: AbortSignal,
): Promise<FileRead> {
  const { open, ...request } = file
  /** The previous batch is written while the next lines are read. */
  let writing: Promise<unknown> = Promise.resolve()
  const begin = async () => {
    await writing
    await clearStaged(guard)
  }
  const batch = async ({ lines, faults, names, read }: FileBatch) => {
    await writing
    await goOn(read)
    writing = Promise.all([
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
    writing.catch(() => undefined)
  }
  const read = await readFileApart(request, { open, begin, batch }, signal)
  await writing
  return read
}

const insert = async (
  guard: Kysely<Database>,
  into: RawBuilder<unknown>,
  shape: RawBuilder<unknown>,
  rows: string,
): Promise<void> => {
  if (rows === '[]') return
  await sql`insert into ${into} select * from json_to_recordset(${rows}) as row (${shape})`.execute(guard)
}
