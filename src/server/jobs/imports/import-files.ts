import { type Kysely, type Selectable, sql } from 'kysely'
import { type MappingColumn, mappingNotFound } from '#domain/mapping.ts'
import { applyEmployees, type Outcome } from '#server/jobs/imports/apply-employees.ts'
import { applyTime } from '#server/jobs/imports/apply-time.ts'
import { stage } from '#server/jobs/imports/stage.ts'
import { isCutOff, isDiskFull } from '#server/postgres/away.ts'
import { endsWithItsProcess, keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import type { Services } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { type ImportTable, mappingsFor, partsOf, saveImport, termsOfFiles } from '#server/tables/imports.ts'

type Row = Selectable<ImportTable>

/**
 * PostgreSQL knows nothing yet of lines that were written a moment ago, nor of people who came with the file before: where it takes
 * them for a few it goes through all people for each line. Of more lines than these it reads both once instead.
 */
const manyLines = 2_000

/**
 * Imports the files that wait, the oldest first, unless another process is at it: one file at a time, since the tables that its
 * lines wait in are there once. The lines are applied in one transaction, so that a process that dies leaves nothing behind,
 * and the next look begins anew.
 */
export async function importFiles(services: Services, leaving: () => boolean): Promise<void> {
  await unlessUnderWay(services.db, keyOf('imports', 2), async (guard) => {
    await endsWithItsProcess(guard)
    for (;;) {
      const { rows } = await sql<Row>`select * from imports where status = 'PENDING' order by id limit 1`.execute(guard)
      const [next] = rows
      if (!next || leaving()) return
      await importOne(guard, next)
    }
  })
}

async function importOne(guard: Kysely<Database>, row: Row): Promise<void> {
  try {
    await readAndApply(guard, row)
  } catch (error) {
    // Where the database went away or is full, the file is imported when that is over.
    if (isCutOff(error) || isDiskFull(error)) throw error
    await fail(guard, row.id, 'Something went wrong while it was imported. Nothing was changed. Send it again.')
    throw error
  }
}

const fail = (guard: Kysely<Database>, id: number, message: string): Promise<void> =>
  saveImport(guard as Tx, id, { status: 'FAIL', message, finished_at: new Date() })

async function readAndApply(guard: Kysely<Database>, row: Row): Promise<void> {
  const [mapping, ...others] = await mappingsFor(guard as Tx, row)
  // It was changed since the file arrived.
  if (!mapping || others.length > 0) return fail(guard, row.id, mappingNotFound)
  const readBy = await guard
    .selectFrom('mappings')
    .innerJoin('employers', 'employers.id', 'mappings.employer_id')
    .select([sql<MappingColumn[]>`mappings.columns`.as('columns'), 'employers.external_code as employerCode'])
    .where('mappings.id', '=', mapping.id)
    .executeTakeFirstOrThrow()
  const chunks = partsOf(guard as Tx, row.id)
  const staged = await stage(guard, { name: row.file_name, kind: row.kind, chunks }, readBy)
  const read = { lines: staged.lines, header: staged.header }
  if (staged.refused) {
    const { refused: message } = staged
    return saveImport(guard as Tx, row.id, { ...read, status: 'FAIL', message, finished_at: new Date() })
  }
  await guard.transaction().execute(async (tx) => {
    const now = new Date()
    const { rows } = await sql<Row>`select * from imports where id = ${row.id} and status = 'PENDING' for update`.execute(tx)
    const [current] = rows
    if (!current) return
    if (staged.lines > manyLines) await sql`set local enable_nestloop = off`.execute(tx)
    const { employer_id } = mapping
    const terms = await termsOfFiles(tx, { organization_id: row.organization_id, employer_id, kind: row.kind })
    const { absent_allowed, received_by, received_by_name, organization_id } = current
    const applying = { id: row.id, employer_id, organization_id, ...terms, received_by, received_by_name, absent_allowed, now }
    const outcome =
      row.kind === 'EMPLOYEE'
        ? await applyEmployees(tx, applying)
        : await applyTime(tx, { ...applying, today: await businessDate(tx) })
    await sql`delete from import_faults where import_id = ${row.id}`.execute(tx)
    await sql`insert into import_faults (import_id, line, column_name, message, content)
      select ${row.id}, line, column_name, message, content from staged_faults order by line, id`.execute(tx)
    const accepted = await countAccepted(tx)
    const counted = { accepted, rejected: staged.lines - accepted }
    await saveImport(tx, row.id, { ...read, ...counted, ...resultOf(outcome), employer_id, incremental: terms.incremental })
  })
}

async function countAccepted(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from staged_lines`.execute(tx)
  return rows[0]?.count ?? 0
}

function resultOf({ created, changed, ended, absent, heldFor, waits, refused }: Outcome) {
  if (waits !== null) return { status: 'PAUSED' as const, message: waits, absent }
  const now = new Date()
  if (refused !== null) return { status: 'FAIL' as const, message: refused, finished_at: now }
  return { status: 'SUCCESS' as const, message: null, finished_at: now, created, changed, ended, absent, held_for: heldFor }
}
