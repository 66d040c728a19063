import { type Generated, type Selectable, sql } from 'kysely'
import { partOfRun, undoWindow } from '#domain/undo.ts'
import type { Run } from '#contract/runs.ts'
import { keyOf } from '#server/postgres/guard.ts'
import { undoCommand } from '#server/tables/audit.ts'
import type { Tx } from '#server/tables/database.ts'

/** The table `runs`. */
export interface RunTable {
  id: Generated<string>
  person_id: string
  session_id: string
  intent: string
  command: string | null
  body: unknown
  state: Generated<'running' | 'done' | 'stopped'>
  /** The run that this one undoes, with the same row numbers. */
  undoes: string | null
  created_at: Generated<Date>
  finished_at: Date | null
}

type RowState = 'waiting' | 'done' | 'blocked' | 'failed' | 'stopped'

/** The table `run_rows`. */
export interface RunRowTable {
  run_id: string
  row_number: number
  target_id: number
  title: string
  state: Generated<RowState>
  message: string | null
  attempt: Generated<number>
}

declare module '#server/tables/database.ts' {
  interface Database {
    runs: RunTable
    run_rows: RunRowTable
  }
}

export type RunRow = Selectable<RunTable>

const maxProblems = 200

/** A run of this person, locked before a change; null if it does not exist or belongs to somebody else. */
export async function runOf(tx: Tx, personId: string, id: string, lock: boolean): Promise<RunRow | null> {
  const query = tx.selectFrom('runs').selectAll().where('id', '=', id).where('person_id', '=', personId)
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** Maximum number of a person's runs in the list. */
const maxListed = 20

/** The person's last runs, newest first. */
export const runsOf = (tx: Tx, personId: string): Promise<RunRow[]> =>
  tx.selectFrom('runs').selectAll().where('person_id', '=', personId).orderBy('created_at', 'desc').limit(maxListed).execute()

/** The run that undoes a run; null if there is none. */
export const undoOf = async (tx: Tx, id: string): Promise<RunRow | null> =>
  (await tx.selectFrom('runs').selectAll().where('undoes', '=', id).executeTakeFirst()) ?? null

export interface NewRun {
  personId: string
  sessionId: string
  intent: string
  command: string | null
  body: unknown
  targets: readonly RunTarget[]
  /** Targets that are queued in another run, which will handle them. */
  left: ReadonlySet<number>
}

/** A row of a run before it is executed. */
export interface RunTarget {
  id: number
  title: string
}

/** The ids of these rows that are queued in a running run; `intents` are all intents of their noun. */
export async function rowsUnderWay(tx: Tx, intents: readonly string[], ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: string }>`
    select distinct target_id as id from runs join run_rows on run_id = runs.id and run_rows.state = 'waiting'
    where runs.state = 'running' and intent = any(${intents}) and target_id = any(${ids}::bigint[])`.execute(tx)
  return new Set(rows.map(({ id }) => Number(id)))
}

/** Stores a run with its queued rows; rows already queued in another run are left to that one. */
export async function createRun(tx: Tx, run: NewRun): Promise<RunRow> {
  const made = await tx
    .insertInto('runs')
    .values({
      person_id: run.personId,
      session_id: run.sessionId,
      intent: run.intent,
      command: run.command,
      body: JSON.stringify(run.body),
      undoes: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`
    insert into run_rows (run_id, row_number, target_id, title, state, message)
    select ${made.id}, row_number, target_id, title, case when busy then 'blocked' else 'waiting' end,
      case when busy then ${partOfRun} end from unnest(
      ${run.targets.map((target) => target.id)}::bigint[], ${run.targets.map((target) => target.title)}::text[],
      ${run.targets.map((target) => run.left.has(target.id))}::boolean[]
    ) with ordinality as given(target_id, title, busy, row_number)`.execute(tx)
  return made
}

/** The number of a person's running runs. */
export async function underWay(tx: Tx, personId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from runs where person_id = ${personId} and state = 'running'`.execute(tx)
  return rows[0]?.count ?? 0
}

/** The idempotency key of a row of a run; a retry after a failure has a new one. */
export const rowKey = (runId: string, row: { row_number: number; attempt: number }): string =>
  `run:${runId}:${row.row_number}:${row.attempt}`

/**
 * Marks rows as done that the audit records as done. A process killed between executing a row and marking it leaves it waiting,
 * and a retry may be refused by then, when rights or access are gone.
 */
export async function markDone(tx: Tx, runId: string): Promise<void> {
  await sql`update run_rows as done set state = 'done', message = null
    where run_id = ${runId} and state <> 'done' and exists (select from audit_events
      where idempotency_key = 'run:' || done.run_id || ':' || done.row_number || ':' || done.attempt
        -- The index has the keys of runs only.
        and idempotency_key like 'run:%'
        and actor_id = (select person_id::text from runs where id = ${runId}))`.execute(tx)
}

/** Stores the run that undoes another one, with a row for each completed row; null if there was none. */
export async function createUndo(tx: Tx, run: RunRow, sessionId: string): Promise<RunRow | null> {
  await markDone(tx, run.id)
  const { person_id, intent, id } = run
  const made = await tx
    .insertInto('runs')
    .values({ person_id, session_id: sessionId, intent, command: undoCommand, body: '{}', undoes: id, finished_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
  const { numAffectedRows } = await sql`
    insert into run_rows (run_id, row_number, target_id, title)
    select ${made.id}, row_number, target_id, title from run_rows where run_id = ${id} and state = 'done'`.execute(tx)
  return numAffectedRows ? made : null
}

/** Waits until no process executes a run, and prevents that for the rest of the transaction. */
export async function waitUntilIdle(tx: Tx, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${keyOf(id, 0)})`.execute(tx)
}

/** The ids of a run's rows that were done or failed: those that may be undone or retried. */
export const executedIds = async (tx: Tx, id: string): Promise<number[]> =>
  (
    await tx
      .selectFrom('run_rows')
      .select('target_id')
      .where('run_id', '=', id)
      .where('state', 'in', ['done', 'failed', 'stopped'])
      .orderBy('row_number')
      .execute()
  ).map(({ target_id }) => target_id)

/** Stops a run: queued rows are not executed. */
export async function stop(tx: Tx, id: string, now: Date): Promise<RunRow> {
  await tx
    .updateTable('run_rows')
    .set({ state: 'stopped', message: 'Stopped.' })
    .where('run_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  await markDone(tx, id)
  return tx
    .updateTable('runs')
    .set({ state: 'stopped', finished_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Queues failed and stopped rows again, now in the session of the person who asked. */
export async function requeue(tx: Tx, run: RunRow, sessionId: string): Promise<RunRow> {
  const { numUpdatedRows } = await tx
    .updateTable('run_rows')
    .set((set) => ({
      // A stopped row keeps its key: if it was executed after all, its stored reply is found.
      attempt: sql<number>`${set.ref('attempt')} + (state = 'failed')::int`,
      state: 'waiting' as const,
      message: null,
    }))
    .where('run_id', '=', run.id)
    .where('state', 'in', ['failed', 'stopped'])
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return run
  return tx
    .updateTable('runs')
    .set({ state: 'running', session_id: sessionId, finished_at: null })
    .where('id', '=', run.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A run as returned by the API; `undoable` says whether its intent can be undone at all. */
export async function toRun(tx: Tx, run: RunRow, undoable: boolean, { problems: withRows = true } = {}): Promise<Run> {
  const { rows } = await sql<{ state: RowState; count: number }>`
    select state, count(*)::int as count from run_rows where run_id = ${run.id} group by state`.execute(tx)
  const count = (state: RowState) => rows.find((row) => row.state === state)?.count ?? 0
  const problems = withRows
    ? await tx
        .selectFrom('run_rows')
        .select(['target_id', 'title', 'state', 'message'])
        .where('run_id', '=', run.id)
        .where('state', 'in', ['blocked', 'failed', 'stopped'])
        .orderBy('row_number')
        .limit(maxProblems)
        .execute()
    : []
  const undo = await undoOf(tx, run.id)
  const until = undoable && !undo && count('done') > 0 ? undoUntil(run) : null
  return {
    id: run.id,
    intent: run.intent,
    command: run.command,
    state: run.state,
    total: rows.reduce((sum, row) => sum + row.count, 0),
    waiting: count('waiting'),
    done: count('done'),
    blocked: count('blocked'),
    failed: count('failed'),
    created_at: run.created_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
    undoes: run.undoes,
    undone_by: undo?.id ?? null,
    undo_until: until?.toISOString() ?? null,
    problems: problems.map((row) => ({ ...row, target_id: String(row.target_id) })),
  }
}

/** The end of the undo period of a run: ten minutes after its end; null while it runs, and for an undo. */
export const undoUntil = ({ state, undoes, finished_at }: RunRow): Date | null =>
  state === 'running' || undoes !== null || finished_at === null ? null : new Date(finished_at.getTime() + undoWindow)
