import { type Kysely, sql } from 'kysely'
import type { Problem } from '#contract/problem.ts'
import { refusalCodes } from '#domain/refusal.ts'
import { actorOf } from '#server/auth/session.ts'
import { undoOfRow } from '#server/jobs/undo-row.ts'
import { type IntentRun, performIntent } from '#server/http/perform-intent.ts'
import { isCutOff } from '#server/postgres/away.ts'
import { keyOf, unlessUnderWay } from '#server/postgres/guard.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import type { Services } from '#server/http/route.ts'
import { markDone, type RunRow, rowKey } from '#server/tables/runs.ts'

const chunk = 50
/** Rows of one run executed concurrently. */
const lanes = 4

interface QueuedRow {
  row_number: number
  title: string
  target_id: number
  attempt: number
}

interface Outcome {
  state: 'done' | 'blocked' | 'failed'
  message: string | null
}

/**
 * Executes a run until no row is queued, it is stopped, or `leaving` returns true. One process at a time executes a run: it holds
 * an advisory lock, which is released when its connection dies. Each row is a transaction of its own with its own idempotency
 * key, so that a row that was executed before a crash returns its stored reply.
 */
export async function executeRun(services: Services, runId: string, leaving: () => boolean): Promise<void> {
  await unlessUnderWay(services.db, keyOf(runId, 0), async () => {
    while (!leaving() && (await executeChunk(services, runId, leaving))) {
      // Each chunk checks again that the run is still running.
    }
  })
}

/** Returns true while there may be more. */
async function executeChunk(services: Services, runId: string, leaving: () => boolean): Promise<boolean> {
  const { db } = services
  const run = await db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirst()
  if (run?.state !== 'running') return false
  const waiting = await db
    .selectFrom('run_rows')
    .select(['row_number', 'target_id', 'title', 'attempt'])
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .orderBy('row_number')
    .limit(chunk)
    .execute()
  if (waiting.length === 0) return !(await finish(db, runId))
  const executeLane = async (): Promise<void> => {
    for (let row = waiting.shift(); row && !leaving() && (await runs(db, runId)); row = waiting.shift())
      await saveOutcome(db, run, row, await outcomeOf(services, run, row))
  }
  // All rows finish before the run is released.
  for (const lane of await Promise.allSettled(Array.from({ length: lanes }, executeLane)))
    if (lane.status === 'rejected') throw lane.reason
  return true
}

const runs = async (db: Kysely<Database>, runId: string): Promise<boolean> =>
  (await db.selectFrom('runs').select('id').where('id', '=', runId).where('state', '=', 'running').executeTakeFirst()) !==
  undefined

/** Ends a run without queued rows; false if a retry queued some first. */
async function finish(db: Kysely<Database>, runId: string): Promise<boolean> {
  return db.transaction().execute(async (tx: Tx) => {
    await sql`select 1 from runs where id = ${runId} for update`.execute(tx)
    const queued = await tx
      .selectFrom('run_rows')
      .select('row_number')
      .where('run_id', '=', runId)
      .where('state', '=', 'waiting')
      .limit(1)
      .executeTakeFirst()
    if (queued) return false
    await markDone(tx, runId)
    await tx
      .updateTable('runs')
      .set({ state: 'done', finished_at: sql`now()` })
      .where('id', '=', runId)
      .where('state', '=', 'running')
      .execute()
    return true
  })
}

/** Executes one row as the person who started the run, with their current permissions. */
async function outcomeOf(services: Services, run: RunRow, row: QueuedRow): Promise<Outcome> {
  const actor = await actorOf(services.db, run.person_id, run.session_id)
  if (!actor) return { state: 'failed', message: 'Your session has expired. Please login again.' }
  try {
    const intentRun = await intentRunOf(services, run, row)
    if (typeof intentRun === 'string') return { state: 'blocked', message: intentRun }
    const reply = await performIntent(services, { actor, ...intentRun, key: rowKey(run.id, row), command: run.command })
    if (reply.status < 400) return { state: 'done', message: null }
    const problem = JSON.parse(reply.json ?? '{}') as Problem
    if (run.undoes && problem.code === 'stale-version')
      return { state: 'blocked', message: `${row.title} has changed since; undo would overwrite that.` }
    return {
      state: (refusalCodes as readonly string[]).includes(problem.code) ? 'blocked' : 'failed',
      message: problem.detail ?? problem.title,
    }
  } catch (error) {
    // It is unknown whether the row was executed: it stays queued, and its key decides once the database is back.
    if (isCutOff(error)) throw error
    return { state: 'failed', message: 'Something went wrong. Try again later.' }
  }
}

/** The intent to execute for a row; for an undo, the intent that undoes the row, or why there is none. */
async function intentRunOf(
  services: Services,
  run: RunRow,
  row: QueuedRow,
): Promise<Omit<IntentRun, 'actor' | 'key' | 'command'> | string> {
  if (run.undoes === null) return { intent: run.intent, params: { id: row.target_id }, body: run.body as Record<string, unknown> }
  const undo = await undoOfRow(services.db, services.routes, run, run.undoes, row)
  if (typeof undo === 'string') return undo
  const { version, ...body } = undo.body
  return { intent: undo.intent.id, params: undo.at, body, ...(typeof version === 'number' ? { version } : {}) }
}

/** Saves the outcome of a row, also if the run was stopped while it was executed. */
async function saveOutcome(db: Kysely<Database>, run: RunRow, row: QueuedRow, { state, message }: Outcome): Promise<void> {
  await db
    .updateTable('run_rows')
    .set({ state, message })
    .where('run_id', '=', run.id)
    .where('row_number', '=', row.row_number)
    .where('attempt', '=', row.attempt)
    .where('state', 'in', ['waiting', 'stopped'])
    .execute()
}
