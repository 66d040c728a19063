import { fileLanes } from '#domain/import.ts'
import { executeRun } from '#server/jobs/execute-run.ts'
import { countDashboard } from '#server/jobs/count-dashboard.ts'
import { importFiles } from '#server/jobs/imports/import-files.ts'
import { lanes } from '#server/jobs/lanes.ts'
import { listenForWork } from '#server/jobs/listen.ts'
import { writeExport } from '#server/jobs/write-export.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import type { Services } from '#server/http/route.ts'

/** Polling interval for work without a notification: left by a killed process, or cut off with a connection. */
const pollEvery = 2_000
const moveInvoicesEvery = 60_000
/** The figures of the dashboard are at most a minute old, including the time of counting. */
const countDashboardEvery = 30_000
/** Runs executed concurrently; each has lanes of its own. */
const runsAtOnce = 2

/**
 * Starts this process's share of background work; any number of processes may do so on one database. The queue is in the tables
 * of runs, exports and imports, so that nothing is lost with a process or a connection: a failure is reported, and the next poll
 * resumes the work. Returns the function that stops it: rows in execution finish, the rest waits for another process or the next
 * start.
 */
export function startWorker(given: Services, report: (error: unknown) => void = () => undefined): () => Promise<void> {
  const services = { ...given, db: given.background.db, replicas: given.background.replicas }
  let leaving = false
  const isLeaving = (): boolean => leaving
  const runs = lanes(runsAtOnce, (id) => executeRun(services, id, isLeaving), report)
  // One export at a time, and one file per lane, so that runs and the clock never wait for files.
  const exports = lanes(1, (id) => writeExport(services, id, isLeaving), report)
  const files = fileLanes.map((lane) => lanes(1, () => importFiles(services, isLeaving, lane), report))
  const clock = lanes(1, () => moveInvoices(services, { leaving: isLeaving, report }), report)
  const counting = lanes(1, () => countDashboard(services), report)

  const poll = async (): Promise<void> => {
    try {
      const waiting = await queuedWork(services)
      if (leaving) return
      for (const id of waiting.runs) runs.add(id)
      for (const id of waiting.exports) exports.add(id)
      if (waiting.imports) for (const lane of files) lane.add('imports')
    } catch (error) {
      report(error)
    }
  }
  const stopListening = listenForWork(services.background.pool, () => void poll())
  const timers = [
    setInterval(() => void poll(), pollEvery),
    setInterval(() => clock.add('move-invoices'), moveInvoicesEvery),
    setInterval(() => counting.add('dashboard'), countDashboardEvery),
  ]
  for (const timer of timers) timer.unref()
  void poll()
  clock.add('move-invoices')
  counting.add('dashboard')
  return async () => {
    leaving = true
    for (const timer of timers) clearInterval(timer)
    await Promise.all([
      stopListening(),
      runs.drain(),
      exports.drain(),
      clock.drain(),
      counting.drain(),
      ...files.map((lane) => lane.drain()),
    ])
  }
}

/** Unfinished runs, exports and imports, oldest first; one that another process works on is protected by its lock. */
async function queuedWork({ db }: Services): Promise<{ runs: string[]; exports: string[]; imports: boolean }> {
  const [runs, exports, imports] = await Promise.all([
    db.selectFrom('runs').select('id').where('state', '=', 'running').orderBy('created_at').execute(),
    db.selectFrom('exports').select('id').where('state', 'in', ['waiting', 'running']).orderBy('created_at').execute(),
    db.selectFrom('imports').select('id').where('status', '=', 'PENDING').limit(1).execute(),
  ])
  return { runs: runs.map((row) => row.id), exports: exports.map((row) => row.id), imports: imports.length > 0 }
}
