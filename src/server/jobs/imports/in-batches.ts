import { type RawBuilder, sql } from 'kysely'
import { isConflict, isHeld } from '#server/postgres/away.ts'
import type { Tx } from '#server/tables/database.ts'

/** People whom an employee file changes in one batch, and time entries in one batch: each takes a fraction of a second. */
export const batchSize = { people: 1_500, entries: 5_000 } as const

/** Milliseconds. */
const limits = {
  /** Staff who wait for one of the people get their turn at the commit where that is no further away than this. */
  untilCommit: 400,
  /** A batch waits this long for its people before it lets others have theirs. */
  lock: 250,
  /** Somebody else may hold one of the people for this long. */
  held: 10_000,
  /** The import gives way for this long, and then completes: staff who change people all the time must not keep a file waiting. */
  givingWay: 60_000,
}

/** Whether an id is one of some. */
export const isOneOf = (id: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<unknown> =>
  sql`${id} = any(${[...ids]}::bigint[])`

interface Batch<Result> {
  result: Result
  startedAt: number
}

/** What the batches came to. */
interface Batches<Result> {
  results: Result[]
  /** Milliseconds for which the people of the first batch have been locked. */
  heldFor: number
}

/**
 * Changes people in batches within one transaction, so that a file is seen as a whole or not at all. `change` locks the people of a batch
 * in the order of their ids and changes them. Each batch has a savepoint. Between two batches the import gives way: where somebody waits
 * for one of the people, it rolls back to the savepoint before them, and changes their batch last. So nobody waits longer than a batch or
 * two take, and people whom somebody changes all the time hold up nothing else. Throws what `change` throws, and a lock timeout where
 * people stay locked by somebody else.
 */
export async function changeInBatches<Result>(
  tx: Tx,
  batches: readonly (readonly number[])[],
  change: (people: readonly number[]) => Promise<Result>,
): Promise<Batches<Result>> {
  const order = [...batches]
  const done: Batch<Result>[] = []
  /** The batch in which a transaction id came up. */
  const batchOf = new Map<string, number>()
  const rollBackTo = async (batch: number): Promise<void> => {
    const savepoint = sql.raw(`batch_${batch}`)
    await sql`rollback to savepoint ${savepoint}`.execute(tx)
    await sql`release savepoint ${savepoint}`.execute(tx)
    done.length = batch
    for (const [xid, of] of batchOf) if (of >= batch) batchOf.delete(xid)
  }
  // Few people at a time are found by indexes; what the tables of a file hold is unknown to the planner.
  await sql`set local enable_nestloop = on`.execute(tx)
  await sql`set local enable_seqscan = off`.execute(tx)
  await sql`set local lock_timeout = ${sql.lit(limits.lock)}`.execute(tx)
  await noteTransactions(tx, batchOf, -1)
  const from = performance.now()
  let progressAt = from
  while (done.length < order.length) {
    const batch = done.length
    const startedAt = performance.now()
    let isHeldUp = false
    await sql`savepoint ${sql.raw(`batch_${batch}`)}`.execute(tx)
    try {
      done.push({ result: await change(order[batch] as readonly number[]), startedAt })
      progressAt = performance.now()
    } catch (error) {
      if (!isHeld(error) && !isConflict(error)) throw error
      isHeldUp = true
      await rollBackTo(isConflict(error) ? 0 : batch)
      if (performance.now() - progressAt > limits.held) throw error
    }
    const wanted = await noteTransactions(tx, batchOf, batch)
    const now = performance.now()
    const untilCommit = (order.length - done.length) * (now - startedAt)
    // The transaction that blocks the import may itself be waiting for people of an earlier batch.
    const givesWay = isHeldUp || (untilCommit >= limits.untilCommit && now - from < limits.givingWay)
    const [first] = wanted
    if (first === undefined || !givesWay) continue
    await rollBackTo(first)
    const left = order.splice(first).map((people, at) => ({ people, isWanted: wanted.includes(first + at) }))
    order.push(...[false, true].flatMap((last) => left.filter(({ isWanted }) => isWanted === last).map(({ people }) => people)))
  }
  await sql`set local enable_seqscan = on`.execute(tx)
  await sql`set local lock_timeout to default`.execute(tx)
  const [first] = done
  return { results: done.map(({ result }) => result), heldFor: first ? Math.round(performance.now() - first.startedAt) : 0 }
}

/**
 * Notes that transaction ids of this connection that are new came up in a batch: each savepoint has one, by which others wait for what was
 * locked behind it. Answers the batches that somebody waits for, in their order.
 */
async function noteTransactions(tx: Tx, batchOf: Map<string, number>, batch: number): Promise<number[]> {
  const { rows } = await sql<{ xid: string; granted: boolean }>`select transactionid::text as xid, granted from pg_locks
    where locktype = 'transactionid' and (not granted or pid = pg_backend_pid())`.execute(tx)
  for (const { xid, granted } of rows) if (granted && !batchOf.has(xid)) batchOf.set(xid, batch)
  const wanted = rows.flatMap(({ xid, granted }) => (granted ? [] : [batchOf.get(xid) ?? -1])).filter((of) => of >= 0)
  return wanted.sort((one, other) => one - other)
}
