import { sql } from 'kysely'
import type { Tx } from '#server/route.ts'

export const runTask = 'carry-out-run'
export const exportTask = 'write-export'

/**
 * Asks for a job in the transaction that made it wait. Where no worker has ever been on this database the queue is
 * not there yet; the first one to start finds what waits by itself.
 */
async function enqueue(tx: Tx, task: string, payload: Record<string, string>, key: string): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regprocedure('graphile_worker.add_job(text, json, text, timestamptz, integer, text, integer, text[], text)') is not null as there`.execute(
    tx,
  )
  if (!rows[0]?.there) return
  await sql`select graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, job_key => ${key})`.execute(tx)
}

/** Asks for a run to be carried on. */
export const enqueueRun = (tx: Tx, runId: string): Promise<void> => enqueue(tx, runTask, { run_id: runId }, `run:${runId}`)

/** Asks for an export to be written. */
export const enqueueExport = (tx: Tx, exportId: string): Promise<void> =>
  enqueue(tx, exportTask, { export_id: exportId }, `export:${exportId}`)
