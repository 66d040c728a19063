import { type Generated, type Selectable, sql } from 'kysely'
import type { Run } from '#contract/runs.ts'
import type { Tx } from '#server/route.ts'

/** The table `runs`. */
export interface RunTable {
  id: Generated<string>
  person_id: string
  session_id: string
  intent: string
  command: string | null
  body: unknown
  state: Generated<'running' | 'done' | 'stopped'>
  attempt: Generated<number>
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

export type RunRow = Selectable<RunTable>

const mostProblems = 200

/** A run of this person, locked when it is about to be changed; null when there is none, or it is somebody else's. */
export async function runOf(tx: Tx, personId: string, id: string, lock: boolean): Promise<RunRow | null> {
  const query = tx.selectFrom('runs').selectAll().where('id', '=', id).where('person_id', '=', personId)
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

/** A run as the wire tells it. */
export async function tellRun(tx: Tx, run: RunRow): Promise<Run> {
  const { rows } = await sql<{ state: RowState; count: number }>`
    select state, count(*)::int as count from run_rows where run_id = ${run.id} group by state`.execute(tx)
  const count = (state: RowState) => rows.find((row) => row.state === state)?.count ?? 0
  const problems = await tx
    .selectFrom('run_rows')
    .select(['target_id', 'title', 'state', 'message'])
    .where('run_id', '=', run.id)
    .where('state', 'in', ['blocked', 'failed', 'stopped'])
    .orderBy('row_number')
    .limit(mostProblems)
    .execute()
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
    problems: problems.map((row) => ({ ...row, target_id: String(row.target_id) })),
  }
}
