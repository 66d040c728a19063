import { type Kysely, sql } from 'kysely'
import { makeChance } from '#server/seed/chance.ts'
import type { Database, Tx } from '#server/tables/database.ts'

/** Carries out a step of the seed; it finds what the steps before it left. */
export type Run = <T>(step: (tx: Tx) => Promise<T>) => Promise<T>

/** Holds what is only needed while planning, before the schema of the application wherever a name is looked up. */
export const plans = 'seed_plans'

/** What steps need of their connection; two at a time are given no parallel workers, since both processors are busy. */
async function prepare(tx: Tx, workers: number): Promise<void> {
  await makeChance(tx)
  await sql`select set_config('search_path', ${`${plans}, public`}, true), set_config('statement_timeout', '0', true),
    set_config('maintenance_work_mem', '512MB', true), set_config('work_mem', '64MB', true), set_config('wal_skip_threshold', '0', true),
    set_config('max_parallel_maintenance_workers', ${String(workers)}, true),
    set_config('max_parallel_workers_per_gather', ${String(workers)}, true)`.execute(tx)
}

/** Steps one after the other, all of them or none. */
export const inOneTransaction = (db: Kysely<Database>, work: (run: Run) => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await prepare(tx, 2)
    await inLanes([(step) => step(tx)], work)
  })

/** Two steps at a time, every step a transaction of its own: what is broken off leaves some of them. */
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

/** Gives each step the first lane that is free, in the order in which they are asked for; none begins once one has failed. */
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
