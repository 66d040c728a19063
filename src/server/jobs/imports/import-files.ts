import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type Selectable, sql } from 'kysely'
import {
  type FileLane,
  type ImportKind,
  laneOf,
  mappingNotFound,
  nothingAccepted,
  shrinkingFiles,
  shrinksBitByBit,
  type StatusMapping,
} from '#domain/import.ts'
import type { FileQuestion } from '#domain/mapped-file.ts'
import { configurationsMissing, type MappingColumn } from '#domain/mapping.ts'
import { applyConfirmations } from '#server/jobs/imports/apply-confirmations.ts'
import {
  type ApplyResult,
  type ImportContext,
  applyEmployees,
  MoreAbsent,
  type Outcome,
} from '#server/jobs/imports/apply-employees.ts'
import { applyTime, makeMonths } from '#server/jobs/imports/apply-time.ts'
import { answerSender } from '#server/jobs/imports/answer-sender.ts'
import { storeReadings } from '#server/jobs/imports/store-readings.ts'
import { TooMuchToRead } from '#server/jobs/imports/read-file.ts'
import { clearStaged, stage } from '#server/jobs/imports/stage.ts'
import { employerOfMapping, otherEmployersOf, makeParts, noLineOfOwn, othersIn } from '#server/jobs/imports/several-employers.ts'
import { beginTry, takeBackOwed, tooManyTries, type Attempt } from '#server/jobs/imports/tries.ts'
import { isConflict, isCutOff, isDiskFull, isHeld } from '#server/postgres/away.ts'
import { endsWithItsProcess, keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import type { Services } from '#server/http/route.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { type ImportTable, lastStaffFiles, mappingsFor, partsOf, saveImport, termsOfFiles } from '#server/tables/imports.ts'
import { hasConfiguration } from '#server/tables/mapping-preview.ts'
import { isFound } from '#server/postgres/select.ts'

type Row = Selectable<ImportTable>

/**
 * PostgreSQL has no statistics yet for lines written a moment ago, nor for people added by the previous file: if it expects few
 * rows, it scans all people for each line. With more lines than this, nested loops are disabled, so that it uses hash joins.
 */
const manyLines = 2_000

/** Milliseconds between checks whether a person rejected the file that is being imported. */
const checkEvery = 1_000

/** Thrown when the file that is being imported was rejected. */
class ImportCancelled extends Error {}

/** The schema of each lane's staging tables; `public` has everything else. */
const schemaOf = { small: sql`public`, large: sql`large_files, public` } as const

/**
 * Imports the waiting files of a lane, unless another process does so: one file at a time, since the staging tables exist once
 * per lane. The lines are applied in one transaction, so that a process that dies leaves nothing behind and the next pass starts
 * from the beginning.
 */
export async function importFiles(services: Services, leaving: () => boolean, lane: FileLane = 'small'): Promise<void> {
  await takeBackOwed(services.db)
  await unlessUnderWay(services.db, keyOf(`imports ${lane}`, 2), async (guard) => {
    await endsWithItsProcess(guard)
    await sql`set search_path to ${schemaOf[lane]}`.execute(guard)
    try {
      const served = new Map<number, number>()
      for (let turn = 1; ; turn += 1) {
        const next = await nextOf(guard, lane, served)
        if (!next || leaving()) return
        served.set(next.organization_id, turn)
        await importOne(services.db, guard, next, leaving)
        await clearStaged(guard)
      }
    } finally {
      // A connection that was cut needs no reset.
      await sql`reset search_path`.execute(guard).catch(() => undefined)
    }
  })
}

/**
 * The next file: the oldest of each organization, and of those in this lane the one whose organization was `served` longest ago.
 * So the files of an organization are imported in order of arrival, and no organization holds up another.
 */
async function nextOf(guard: Kysely<Database>, lane: FileLane, served: ReadonlyMap<number, number>): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select distinct on (organization_id) * from imports where status = 'PENDING'
    order by organization_id, id`.execute(guard)
  const turnOf = (row: Row): number => served.get(row.organization_id) ?? 0
  return rows
    .filter(({ size }) => laneOf(size) === lane)
    .sort((one, other) => turnOf(one) - turnOf(other) || one.id - other.id)[0]
}

async function importOne(db: Kysely<Database>, guard: Kysely<Database>, row: Row, leaving: () => boolean): Promise<void> {
  const attempt = await beginTry(db, row.id).catch((error: unknown) => {
    if (isHeld(error)) return null
    throw error
  })
  if (!attempt) return
  if (attempt.spent) return fail(guard, row.id, tooManyTries)
  const watch = await watchFor(db, guard, row.id, { leaving, attempt })
  try {
    await readAndApply(guard, row, watch.signal)
  } catch (error) {
    await watch.end()
    if (watch.signal.aborted || error instanceof ImportCancelled) return
    // Another transaction holds its people for long, or there was a conflict: files of other organizations go first before it is
    // retried.
    if (isHeld(error) || isConflict(error) || error instanceof MoreAbsent) return await attempt.takeBack()
    // If the database is unavailable or full, the file is imported later.
    if (isCutOff(error) || isDiskFull(error)) {
      await attempt.takeBack()
      throw error
    }
    if (error instanceof TooMuchToRead) return await fail(guard, row.id, error.message)
    await fail(guard, row.id, 'Something went wrong while it was imported. Nothing was changed. Send it again.')
    throw error
  } finally {
    await watch.end()
  }
}

/**
 * Checks on another connection whether a file is still pending while it is imported, and stops reading or applying it if not. If
 * the process is stopped during the import, as by an upgrade, the attempt is not counted against the file. Once `end` has
 * resolved, nothing is cancelled any more.
 */
async function watchFor(
  db: Kysely<Database>,
  guard: Kysely<Database>,
  id: number,
  { leaving, attempt }: { leaving: () => boolean; attempt: Attempt },
) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(guard)
  const watchEnd = new AbortController()
  const rejected = new AbortController()
  const poll = async () => {
    while (!watchEnd.signal.aborted) {
      await sleep(checkEvery, null, { signal: watchEnd.signal, ref: false }).catch(() => undefined)
      if (watchEnd.signal.aborted) return
      if (leaving()) await attempt.takeBack()
      const wanted = await isWanted(db, id).catch(() => true)
      if (wanted || watchEnd.signal.aborted) continue
      rejected.abort(new ImportCancelled())
      await sql`select pg_cancel_backend(${rows[0]?.pid ?? 0})`.execute(db).catch(() => undefined)
    }
  }
  const looking = poll()
  return {
    /** Aborted when the file is rejected. */
    signal: rejected.signal,
    end: () => {
      watchEnd.abort()
      return looking
    },
  }
}

async function isWanted(db: Kysely<Database>, id: number): Promise<boolean> {
  return isFound(db)`select from imports where id = ${id} and status = 'PENDING'`
}

/** Saves an import, unless it was rejected in the meantime. */
const saveWhilePending = (db: Kysely<Database>, id: number, values: Partial<Row>) =>
  db
    .updateTable('imports')
    .set((set) => ({ ...values, version: set('version', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .execute()

/** Fails a file, unless it was rejected in the meantime. */
const fail = async (guard: Kysely<Database>, id: number, message: string, read: Partial<Row> = {}): Promise<void> => {
  const now = new Date()
  await guard.transaction().execute(async (tx) => {
    await saveWhilePending(tx, id, { ...read, status: 'FAIL', message, finished_at: now })
    await answerSender(tx, id, now)
  })
}

/** Stores the phase of an import; throws `ImportCancelled` if it was rejected. This does not change its version. */
async function note(guard: Kysely<Database>, id: number, phase: 'READING' | 'APPLYING', lines: number): Promise<void> {
  const { rows } = await sql`update imports set phase = ${phase}, lines = ${lines} where id = ${id} and status = 'PENDING'
    returning id`.execute(guard)
  if (rows.length === 0) throw new ImportCancelled()
}

async function readAndApply(guard: Kysely<Database>, row: Row, rejected: AbortSignal): Promise<void> {
  await note(guard, row.id, 'READING', 0)
  const [mapping, ...more] = await mappingsFor(guard as Tx, { ...row, employer_id: await employerOfMapping(guard as Tx, row) })
  // The mapping was changed after the file arrived.
  if (!mapping || more.length > 0) return fail(guard, row.id, mappingNotFound)
  const employer_id = row.employer_id ?? mapping.employer_id
  if (row.part_of !== null && !(await hasConfiguration(guard as Tx, employer_id)))
    return fail(guard, row.id, configurationsMissing)
  const readBy = await guard
    .selectFrom('mappings')
    .innerJoin('employers', (join) => join.on('employers.id', '=', employer_id))
    .select([
      sql<MappingColumn[]>`mappings.columns`.as('columns'),
      sql<StatusMapping[]>`mappings.statuses`.as('statuses'),
      'mappings.header_line',
      'mappings.version',
      'employers.external_code as employerCode',
    ])
    .where('mappings.id', '=', mapping.id)
    .executeTakeFirstOrThrow()
  // A file of corrected lines was downloaded here, with its headers in the first line.
  const header_line = row.mends === null ? readBy.header_line : 1
  const otherEmployers = await otherEmployersOf(guard as Tx, { ...row, employer_id })
  let noted = Date.now()
  const others = await othersIn(guard as Tx, row, otherEmployers)
  const { columns, employerCode } = readBy
  const file = {
    name: row.file_name,
    size: row.size,
    open: () => partsOf(guard as Tx, row.part_of ?? row.id),
    by: { kind: row.kind, columns, header_line, employerCode, others },
    answers: row.asked.answers,
  }
  const goOn = async (lines: number) => {
    if (Date.now() - noted < checkEvery) return
    noted = Date.now()
    await note(guard, row.id, 'READING', lines)
  }
  const staged = await stage(guard, file, goOn, rejected)
  const read = { lines: staged.lines, header: staged.header, read_as: staged.report }
  if (staged.questions.length > 0) return void (await ask(guard, row, employer_id, { read, questions: staged.questions }))
  if (staged.refused) return fail(guard, row.id, staged.refused, read)
  const partsNote = await guard
    .transaction()
    .execute((tx) => makeParts(tx, row, { found: staged.others, otherEmployers }, new Date()))
  if (partsNote !== null) read.read_as = { ...staged.report, notes: [...staged.report.notes, partsNote] }
  if (staged.lines === 0 && staged.others.size > 0) return void (await finishWithout(guard, row.id, employer_id, read))
  if (row.kind === 'TIMEKEEPING') await makeMonths(guard, await businessDate(guard as Tx))
  await note(guard, row.id, 'APPLYING', staged.lines)
  await guard.transaction().execute(async (tx) => {
    const now = new Date()
    const { rows } = await sql<Row>`select * from imports where id = ${row.id} and status = 'PENDING'`.execute(tx)
    const [current] = rows
    if (!current) throw new ImportCancelled()
    if (staged.lines > manyLines) {
      await sql`set local enable_nestloop = off`.execute(tx)
      await sql`set local work_mem = '64MB'`.execute(tx)
    }
    const terms = await termsOfFiles(tx, { organization_id: row.organization_id, employer_id, kind: row.kind })
    const { absent_allowed, received_by, received_by_name, organization_id } = current
    const fields = new Set(readBy.columns.flatMap(({ field }) => field ?? []))
    const incremental = terms.incremental || current.mends !== null
    const { statuses } = readBy
    const applying = {
      statuses,
      id: row.id,
      employer_id,
      organization_id,
      ...terms,
      fields,
      incremental,
      received_by,
      received_by_name,
      absent_allowed,
      now,
    }
    await sql`delete from import_faults where import_id = ${row.id}`.execute(tx)
    const applied = await appliers[row.kind](tx, applying)
    const faults = await storeFaults(tx, row.id)
    const outcome = typeof applied === 'function' ? await applied() : applied
    // Locked only now, so that a concurrent rejection does not have to wait.
    const wanted = await sql`select from imports where id = ${row.id} and status = 'PENDING' and version = ${current.version}
      for no key update`.execute(tx)
    if (wanted.rows.length === 0) throw new ImportCancelled()
    await storeFaults(tx, row.id, faults)
    await sql`delete from import_names where import_id = ${row.id}`.execute(tx)
    const accepted = await countAccepted(tx)
    let { note } = outcome
    if (row.kind === 'EMPLOYEE' && !incremental && current.absent_allowed === null && accepted > 0) {
      const before = await lastStaffFiles(tx, { employer_id, file_key: row.file_key, limit: shrinkingFiles - 1 })
      note ??= shrinksBitByBit([...before, { accepted, absent: outcome.absent }])
    }
    const nothing = accepted === 0 && outcome.waits === null && outcome.refused === null
    const result = resultOf({ ...outcome, note, ...(nothing ? { refused: nothingAccepted(staged.lines) } : {}) })
    if (outcome.waits !== null)
      await sql`insert into import_names (import_id, by, identifier) select ${row.id}::bigint, by, identifier from staged_lines
        union select ${row.id}::bigint, by, identifier from staged_names`.execute(tx)
    if (outcome.waits === null && outcome.refused === null && !nothing && current.mends === null && current.part_of === null)
      await storeReadings(tx, { ...readBy, id: mapping.id, employer_id }, staged, {
        import_id: row.id,
        by: current.decided_by ?? received_by,
        by_name: current.decided_by_name ?? received_by_name,
      })
    const counted = { accepted, rejected: staged.lines - accepted }
    await saveImport(tx, row.id, {
      ...read,
      ...counted,
      ...result,
      employer_id,
      incremental,
      lists_people: row.kind === 'EMPLOYEE' && result.status === 'SUCCESS',
      tries: 0,
    })
    await answerSender(tx, row.id, now)
  })
}

/** Completes a file for several employers without a line for the one whose mapping reads it. */
const finishWithout = (guard: Kysely<Database>, id: number, employer_id: number, read: Partial<Row>) =>
  saveWhilePending(guard, id, {
    ...read,
    employer_id,
    status: 'SUCCESS',
    message: noLineOfOwn,
    finished_at: new Date(),
    tries: 0,
  })

/** Pauses an import until a person answers questions about it. */
const ask = (
  guard: Kysely<Database>,
  { id, asked }: Row,
  employer_id: number,
  { read, questions }: { read: Partial<Row>; questions: FileQuestion[] },
) =>
  saveWhilePending(guard, id, {
    ...read,
    employer_id,
    status: 'PAUSED',
    message: questions.map(({ sentence }) => sentence).join(' '),
    asked: { ...asked, questions },
    tries: 0,
  })

/** Applies the lines of a file, by kind. */
const appliers: Readonly<Record<ImportKind, (tx: Tx, applying: ImportContext) => Promise<ApplyResult>>> = {
  EMPLOYEE: applyEmployees,
  TIMEKEEPING: async (tx, applying) => applyTime(tx, { ...applying, today: await businessDate(tx) }),
  CONFIRMATION: applyConfirmations,
}

/** Stores the staged faults with an id above `after` in an import; returns the last id. */
async function storeFaults(tx: Tx, importId: number, after = 0): Promise<number> {
  await sql`insert into import_faults (import_id, line, column_name, message, content)
    select ${importId}, line, column_name, message, content from staged_faults where id > ${after} order by line, id`.execute(tx)
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from staged_faults`.execute(tx)
  return rows[0]?.last ?? after
}

async function countAccepted(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from staged_lines`.execute(tx)
  return rows[0]?.count ?? 0
}

function resultOf({ created, changed, unknown, ended, absent, uncounted, heldFor, waits, refused, note }: Outcome) {
  if (waits !== null) return { status: 'PAUSED' as const, message: waits, absent, unknown }
  const now = new Date()
  if (refused !== null) return { status: 'FAIL' as const, message: refused, finished_at: now }
  return {
    status: 'SUCCESS' as const,
    message: note,
    finished_at: now,
    created,
    changed,
    unknown,
    ended,
    absent,
    uncounted,
    held_for: heldFor,
  }
}
