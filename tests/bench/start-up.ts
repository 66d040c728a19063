import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { stepsLeft } from '#server/tables/later-steps.ts'
import { readPostmaster } from '#server/postgres/postmaster.ts'
import type { Measure } from '#tests/bench/figures.ts'
import { figuresOf, timed } from '#tests/bench/figures.ts'
import { fillTime, leaveOutPast } from '#tests/bench/fill-time.ts'
import { processorTime } from '#tests/bench/processor.ts'
import { databaseIn, type ServerProcess, startProcess } from '#tests/support/process.ts'

/**
 * Creates the demo company in an empty folder, then starts on it again; leaves the last server running. With `filled`, time entries
 * are created in SQL in place of the demo's past.
 */
export async function benchStart(
  folder: string,
  employees: number,
  filled: boolean,
): Promise<{ measures: Measure[]; server: ServerProcess; origin: string }> {
  const settings = { DATA_DIR: folder, EMPLOYEES: String(employees), NODE_ENV: 'production' }
  let server: ServerProcess | undefined
  /** When the server logged that it creates the demo company, on the clock of `performance`. */
  let making = Number.NaN
  const start = async () => {
    server = startProcess(settings)
    server.child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes('Making the demo')) making = performance.now()
    })
    await server.ready
  }
  const stop = async () => {
    server?.child.kill('SIGTERM')
    await server?.ended
  }
  const from = performance.now()
  const [first = Number.NaN] = await timed(1, start)
  const database = processorTime(readPostmaster(join(folder, 'postgres'))?.pid ?? 0)
  const own = processorTime(server?.child.pid ?? 0)
  const again: number[] = []
  for (let index = 0; index < 5; index++) {
    await stop()
    again.push(...(await timed(1, start)))
  }
  const figures = figuresOf(again)
  if (filled) {
    await stop()
    await leaveOutPast(folder)
    await start()
  }
  const db = await databaseIn(folder)
  while ((await stepsLeft(db)).length > 0 || (await hasPastLeft(db))) await sleep(100)
  await db.destroy()
  if (filled) {
    await stop()
    await fillTime(folder)
    await start()
  }
  return {
    server: server as ServerProcess,
    origin: await (server as ServerProcess).ready,
    measures: [
      {
        what: `server ready, first run with ${employees.toLocaleString('en-US')} employees`,
        value: first,
        unit: 'ms',
        budget: employees <= 100_000 ? 20_000 : null,
      },
      { what: 'of which until the empty schema', value: making - from, unit: 'ms', budget: null },
      { what: 'of which for the demo company', value: from + first - making, unit: 'ms', budget: null },
      { what: "PostgreSQL's processor time in it", value: database, unit: 'ms', budget: null },
      { what: "the server's own processor time in it", value: own, unit: 'ms', budget: null },
      { what: 'server ready, existing data folder, worst of 5', value: figures.max, unit: 'ms', budget: 2000, detail: figures },
    ],
  }
}
