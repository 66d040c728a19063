import { Logger, run } from 'graphile-worker'
import { Pool } from 'pg'
import { carryOut } from '#server/jobs/carry-out.ts'
import { moveInvoicesCron, moveInvoicesJob, moveInvoicesTask } from '#server/jobs/move-invoices.ts'
import { enqueueExport, enqueueRun, exportTask, runTask } from '#server/jobs/queue.ts'
import { writeExport } from '#server/jobs/write-export.ts'
import type { Services } from '#server/services.ts'

/** How often work is looked for that a process left behind when it was killed. */
const lookEvery = 15_000
const concurrency = 3

/**
 * Starts this process's share of the work in the background; any number of processes may do so on one database.
 * Returns what stops it: rows under way are finished, the rest waits for another process or the next start.
 */
export async function startWorker(
  services: Services,
  report: (error: unknown) => void = () => undefined,
): Promise<() => Promise<void>> {
  let leaving = false
  // A pool of its own, listened to until it has ended: an idle connection that is cut must not end the process.
  const pool = new Pool({ connectionString: services.databaseUrl, application_name: 'admin-portal worker', max: concurrency + 2 })
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const look = () => takeUp(services).catch(report)
  let writing = false
  // One file at a time, however many are asked for, so that runs and the clock never wait for files.
  const writeOne = async (id: string): Promise<void> => {
    if (writing) return
    writing = true
    try {
      await writeExport(services, id, () => leaving)
    } finally {
      writing = false
      if (!leaving) await look()
    }
  }
  const runner = await run({
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    pollInterval: 2_000,
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error') report(meta?.error ?? new Error(message))
    }),
    taskList: {
      [runTask]: async (payload) => carryOut(services, (payload as { run_id: string }).run_id, () => leaving),
      [exportTask]: (payload) => writeOne((payload as { export_id: string }).export_id),
      [moveInvoicesTask]: () => moveInvoicesJob(services, () => leaving, report),
    },
    crontab: moveInvoicesCron,
  })
  runner.promise.catch(report)
  await look()
  await runner.addJob(moveInvoicesTask, {}, { jobKey: moveInvoicesTask, maxAttempts: 1 })
  const looking = setInterval(() => void look(), lookEvery)
  looking.unref()
  return async () => {
    leaving = true
    clearInterval(looking)
    await runner.stop()
    await pool.end()
  }
}

/** Enqueues every run and export that is not over; one that a living process carries out is guarded by that process. */
async function takeUp({ db }: Services): Promise<void> {
  const runs = await db.selectFrom('runs').select('id').where('state', '=', 'running').orderBy('created_at').execute()
  for (const { id } of runs) await db.transaction().execute((tx) => enqueueRun(tx, id))
  const states = ['waiting', 'running'] as const
  const exports = await db.selectFrom('exports').select('id').where('state', 'in', states).orderBy('created_at').execute()
  for (const { id } of exports) await db.transaction().execute((tx) => enqueueExport(tx, id))
}
