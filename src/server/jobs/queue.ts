import { sql } from 'kysely'
import type { Tx } from '#server/route.ts'

export const runTask = 'carry-out-run'

/**
 * Asks for a run to be carried on, in the transaction that made it wait. Where no worker has ever been on this
 * database the queue is not there yet; the first one to start finds the run by itself.
 */
export async function enqueueRun(tx: Tx, runId: string): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`
    select to_regprocedure('graphile_worker.add_job(text, json, text, timestamptz, integer, text, integer, text[], text)') is not null as there`.execute(
    tx,
  )
  if (!rows[0]?.there) return
  await sql`select graphile_worker.add_job(${runTask}, json_build_object('run_id', ${runId}::text), job_key => ${`run:${runId}`})`.execute(
    tx,
  )
}
