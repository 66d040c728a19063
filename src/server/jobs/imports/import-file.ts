import { type Kysely, sql } from 'kysely'
import type { MappingColumn } from '#domain/mapping.ts'
import { mappingNotFound } from '#domain/mapping.ts'
import { applyEmployees, type Outcome } from '#server/jobs/imports/apply-employees.ts'
import { applyTime } from '#server/jobs/imports/apply-time.ts'
import { stage } from '#server/jobs/imports/stage.ts'
import { isCutOff, isDiskFull } from '#server/postgres/away.ts'
import { keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import type { Services } from '#server/http/route.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { type ImportTable, mappingsFor, partsOf, saveImport, termsOfFiles } from '#server/tables/imports.ts'
import type { Selectable } from 'kysely'

type Row = Selectable<ImportTable>

/** Milliseconds after which a file is given up: nothing waits for it, but whoever it holds. */
const longest = 15 * 60_000

/**
 * Imports a file that waits, unless another process imports one of the same organization: its lines are read into tables of
 * this connection and applied in one transaction, so that a process that dies leaves nothing behind, and the next look begins
 * anew. Older files come first.
 */
export async function importFile(services: Services, id: string, leaving: () => boolean): Promise<void> {
  const { db } = services
  const row = await db.selectFrom('imports').selectAll().where('id', '=', Number(id)).executeTakeFirst()
  if (row?.status !== 'PENDING') return
  await unlessUnderWay(db, keyOf(`imports of ${row.organization_id}`, 2), async (guard) => {
    const { rows } = await sql<Row>`select * from imports where organization_id = ${row.organization_id} and status = 'PENDING' order by id`.execute(guard)
    for (const next of rows) {
      if (leaving()) return
      await importOne(guard, next)
    }
  })
}

async function importOne(guard: Kysely<Database>, row: Row): Promise<void> {
  try {
    await sql`set statement_timeout = ${sql.lit(longest)}`.execute(guard)
    await readAndApply(guard, row)
  } catch (error) {
    // Where the database went away or is full, the file is imported when that is over.
    if (isCutOff(error) || isDiskFull(error)) throw error
    await fail(guard, row.id, 'Something went wrong while it was imported. Nothing was changed. Send it again.')
    throw error
  } finally {
    await sql`reset statement_timeout`.execute(guard).catch(() => undefined)
  }
}

const fail = (guard: Kysely<Database>, id: number, message: string): Promise<void> =>
  saveImport(guard as Tx, id, { status: 'FAIL', message, finished_at: new Date() })

async function readAndApply(guard: Kysely<Database>, row: Row): Promise<void> {
  const [mapping, ...others] = await mappingsFor(guard as Tx, row)
  // It was changed since the file arrived.
  if (!mapping || others.length > 0) return fail(guard, row.id, mappingNotFound)
  const { columns } = await guard
    .selectFrom('mappings')
    .select(sql<MappingColumn[]>`columns`.as('columns'))
    .where('id', '=', mapping.id)
    .executeTakeFirstOrThrow()
  const chunks = partsOf(guard as Tx, row.id)
  const staged = await stage(guard, { name: row.file_name, kind: row.kind, chunks }, columns)
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
    const { employer_id } = mapping
    const terms = await termsOfFiles(tx, { organization_id: row.organization_id, employer_id, kind: row.kind })
    const { absent_allowed, received_by, received_by_name, organization_id } = current
    const applying = { id: row.id, employer_id, organization_id, ...terms, received_by, received_by_name, absent_allowed, now }
    const outcome = row.kind === 'EMPLOYEE' ? await applyEmployees(tx, applying) : await applyTime(tx, applying)
    await sql`delete from import_faults where import_id = ${row.id}`.execute(tx)
    await sql`insert into import_faults (import_id, line, column_name, message, content)
      select ${row.id}, line, column_name, message, content from staged_faults order by line, id`.execute(tx)
    await saveImport(tx, row.id, { ...read, ...(await counted(tx)), ...resultOf(outcome), employer_id, incremental: terms.incremental })
  })
}

/** How many lines were taken and how many not. */
async function counted(tx: Tx): Promise<Pick<Row, 'accepted' | 'rejected'>> {
  const { rows } = await sql<{ accepted: number; rejected: number }>`select
    (select count(*)::int from staged_lines) as accepted, (select count(distinct line)::int from staged_faults) as rejected`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

function resultOf({ created, changed, ended, absent, heldFor, waits, refused }: Outcome) {
  if (waits !== null) return { status: 'PAUSED' as const, message: waits, absent }
  const now = new Date()
  if (refused !== null) return { status: 'FAIL' as const, message: refused, finished_at: now }
  return { status: 'SUCCESS' as const, message: null, finished_at: now, created, changed, ended, absent, held_for: heldFor }
}
