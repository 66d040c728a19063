import { type Selectable, sql } from 'kysely'
import type { OtherEmployers } from '#domain/other-employers.ts'
import { wholeNumber } from '#domain/text.ts'
import { openTo } from '#server/access/scope.ts'
import { notifyWorkers } from '#server/jobs/queue.ts'
import type { Tx } from '#server/tables/database.ts'
import { type ImportTable, insertImport } from '#server/tables/imports.ts'

type Row = Selectable<ImportTable>

/**
 * The employer whose mapping reads an import: for a part of a file, and for its corrected lines, the employer of the whole file.
 */
export async function employerOfMapping(tx: Tx, { id, employer_id }: Pick<Row, 'id' | 'employer_id'>): Promise<number | null> {
  const { rows } = await sql<{ employer_id: number | null }>`select whole.employer_id from imports one
    left join imports original on original.id = one.mends
    join imports whole on whole.id = coalesce(one.part_of, original.part_of)
    where one.id = ${id}`.execute(tx)
  return rows[0] ? rows[0].employer_id : employer_id
}

/**
 * The other employers that lines of a file may belong to, by external code: those of the organization; for an upload, those open
 * to the person. Empty if the file came from a source that serves one employer.
 */
export async function otherEmployersOf(tx: Tx, row: Row): Promise<ReadonlyMap<string, number>> {
  if (!row.for_all_employers || row.part_of !== null) return new Map()
  const { rows: people } = await sql<{ id: string; kind: 'ADMIN' | 'ACCOUNT_MANAGER' }>`
    select id, kind from people where id::text = ${row.received_by}`.execute(tx)
  const [uploader] = people
  if (row.source === 'UPLOAD' && !uploader) return new Map()
  const isOpen = row.source === 'UPLOAD' && uploader ? openTo(uploader, sql.ref('employers.id')) : sql`true`
  const { rows } = await sql<{ id: number; external_code: string }>`select id, external_code from employers
    where organization_id = ${row.organization_id} and id is distinct from ${row.employer_id} and ${isOpen}`.execute(tx)
  return new Map(rows.map(({ id, external_code }) => [external_code, id]))
}

/**
 * How to handle lines of other employers while reading a file, or a part of one. Undefined if all lines must belong to one
 * employer.
 */
export async function othersIn(
  tx: Tx,
  row: Row,
  otherEmployers: ReadonlyMap<string, number>,
): Promise<OtherEmployers | undefined> {
  const { rows } = await sql<{ external_code: string }>`select external_code from employers
    where organization_id = ${row.organization_id}`.execute(tx)
  const known = new Set(rows.map(({ external_code }) => external_code))
  if (row.part_of !== null) return { known, left: null }
  return row.for_all_employers ? { known, left: new Set(otherEmployers.keys()) } : undefined
}

/**
 * Creates a separate import for each other employer in a file. It reads the bytes of the whole file by the mapping of the whole,
 * and skips all other lines. Created once, even if the whole is retried. Returns a note about it; null if there is none.
 */
export async function makeParts(
  tx: Tx,
  row: Row,
  { found, otherEmployers }: { found: ReadonlyMap<string, number>; otherEmployers: ReadonlyMap<string, number> },
  now: Date,
): Promise<string | null> {
  const employers = [...found.keys()].flatMap((code) => otherEmployers.get(code) ?? [])
  if (employers.length === 0) return null
  const { rows: made } = await sql<{ employer_id: number }>`select employer_id from imports where part_of = ${row.id}`.execute(tx)
  const { organization_id, kind, source, file_name, file_key, size, hash, received_by, received_by_name, answer_to } = row
  const values = { organization_id, kind, source, file_name, file_key, size, hash, received_by, received_by_name, answer_to }
  for (const employer_id of employers) {
    if (made.some((part) => part.employer_id === employer_id)) continue
    await insertImport(
      tx,
      { ...values, employer_id, part_of: row.id, asked: { ...row.asked, questions: [] }, status: 'PENDING', message: null },
      now,
    )
  }
  await notifyWorkers(tx)
  const lines = [...found.values()].reduce((sum, count) => sum + count, 0)
  return `${lines === 1 ? 'One line is' : `${wholeNumber(lines)} lines are`} about ${
    employers.length === 1 ? 'another employer' : `${wholeNumber(employers.length)} other employers`
  } of the organization, and imported apart.`
}

/** Message for a file for several employers without a line for the one whose mapping reads it. */
export const noLineOfOwn = 'The file has no line about this employer. Nothing was changed for it.'
