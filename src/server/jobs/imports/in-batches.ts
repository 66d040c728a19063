import { type RawBuilder, sql } from 'kysely'
import { isConflict, isHeld } from '#server/postgres/away.ts'
import type { Tx } from '#server/tables/database.ts'

/** People changed by an employee file per batch, and time entries per batch: each takes a fraction of a second. */
export const batchSize = { people: 1_500, entries: 5_000 } as const

/** Milliseconds. */
const limits = {
  /** Staff who wait for one of the people wait for the commit if it is at most this far away. */
  untilCommit: 400,
  /** Maximum time that a batch waits for its people before it lets others go first. */
  lock: 250,
  /** Maximum time that somebody else may hold one of the people. */
  held: 10_000,
  /**
   * Time during which the import gives way; then it completes, so that staff who change people all the time cannot delay a file
   * forever.
   */
  givingWay: 60_000,
}

/** Whether an id is one of a list. */
export const isOneOf = (id: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<unknown> =>
  sql`${id} = any(${[...ids]}::bigint[])`

/** Locks people of an organization in order of id. */
export const lockPeople = async (tx: Tx, organizationId: number, people: readonly number[]): Promise<void> =>
  void (await sql`select 1 from employees e where e.organization_id = ${organizationId} and ${isOneOf(sql.ref('e.id'), people)}
    order by e.id for update`.execute(tx))

interface Batch<Result> {
  result: Result
  startedAt: number
}

/** The results of all batches. */
interface Batches<Result> {
  results: Result[]
  /** Milliseconds for which the people of the first batch have been locked. */
  heldFor: number
}

/**
 * Changes people in batches within one transaction, so that a file becomes visible as a whole or not at all. `change` locks the
 * people of a batch in order of id and changes them. Each batch has a savepoint. Between two batches the import gives way: if
 * somebody waits for one of the people, it rolls back to the savepoint before them, and changes their batch last. So nobody waits
 * longer than a batch or two take, and people who are changed all the time hold up nothing else. Throws the errors of `change`,
 * and a lock timeout if people stay locked by somebody else.
 */
export async function changeInBatches<Result>(
  tx: Tx,
  batches: readonly (readonly number[])[],
  change: (people: readonly number[]) => Promise<Result>,
): Promise<Batches<Result>> {
  const order = [...batches]
  const done: Batch<Result>[] = []
  /** The batch in which a transaction id was first seen. */
  const batchOf = new Map<string, number>()
  const rollBackTo = async (batch: number): Promise<void> => {
    const savepoint = sql.raw(`batch_${batch}`)
    await sql`rollback to savepoint ${savepoint}`.execute(tx)
    await sql`release savepoint ${savepoint}`.execute(tx)
    done.length = batch
    for (const [xid, of] of batchOf) if (of >= batch) batchOf.delete(xid)
  }
  // Forces index lookups for small batches: the planner has no statistics for the staging tables.
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
 * Assigns new transaction ids of this connection to a batch: each savepoint has one, on which others wait for rows locked after
 * it. Returns the batches that somebody waits for, in order.
 */
async function noteTransactions(tx: Tx, batchOf: Map<string, number>, batch: number): Promise<number[]> {
  const { rows } = await sql<{ xid: string; granted: boolean }>`select transactionid::text as xid, granted from pg_locks
    where locktype = 'transactionid' and (not granted or pid = pg_backend_pid())`.execute(tx)
  for (const { xid, granted } of rows) if (granted && !batchOf.has(xid)) batchOf.set(xid, batch)
  const wanted = rows.flatMap(({ xid, granted }) => (granted ? [] : [batchOf.get(xid) ?? -1])).filter((of) => of >= 0)
  return wanted.sort((one, other) => one - other)
}
