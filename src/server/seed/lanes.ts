import { type Kysely, sql } from 'kysely'
import { makeChance } from '#server/seed/chance.ts'
import type { Database, Tx } from '#server/tables/database.ts'

/** Executes a step of the seed; it sees the results of earlier steps. */
export type Run = <T>(step: (tx: Tx) => Promise<T>) => Promise<T>

/** Schema of the planning tables; it precedes the application's schema in the search path. */
export const plans = 'seed_plans'

/** Session settings of the steps; with two at a time there are no parallel workers, since both processors are busy. */
async function prepare(tx: Tx, workers: number): Promise<void> {
  await makeChance(tx)
  await sql`select set_config('search_path', ${`${plans}, public`}, true), set_config('statement_timeout', '0', true),
    set_config('maintenance_work_mem', '512MB', true), set_config('work_mem', '64MB', true), set_config('wal_skip_threshold', '0', true),
    set_config('max_parallel_maintenance_workers', ${String(workers)}, true),
    set_config('max_parallel_workers_per_gather', ${String(workers)}, true)`.execute(tx)
}

/** Runs steps sequentially in one transaction. */
export const inOneTransaction = (db: Kysely<Database>, work: (run: Run) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await prepare(tx, 2)
    await inLanes([(step) => step(tx)], work)
  })

/** Runs two steps at a time, each in a transaction of its own: an interrupted seed leaves some of them behind. */
export const twoAtATime = (db: Kysely<Database>, work: (run: Run) => Promise<void>): Promise<void> =>
  db.connection().execute((one) =>
    db.connection().execute((other) => {
      const lanes = [one, other].map(
        (lane): Run =>
          (step) =>
            lane.transaction().execute((tx) => prepare(tx, 0).then(() => step(tx))),
      )
      return inLanes(lanes, work)
    }),
  )

/** Gives each step the first free lane, in the order of requests; none starts after one has failed. */
async function inLanes(lanes: readonly Run[], work: (run: Run) => Promise<void>): Promise<void> {
  const free = [...lanes]
  const waiting: ((lane: Run) => void)[] = []
  const underWay = new Set<Promise<unknown>>()
  const stop = new AbortController()
  const run: Run = async (step) => {
    const lane = free.shift() ?? (await new Promise<Run>((resolve) => waiting.push(resolve)))
    try {
      stop.signal.throwIfAborted()
      const done = lane(step)
      underWay.add(done)
      return await done
    } catch (error) {
      stop.abort(error)
      throw error
    } finally {
      const next = waiting.shift()
      if (next) next(lane)
      else free.push(lane)
    }
  }
  try {
    await work(run)
  } finally {
    await Promise.allSettled(underWay)
  }
}
