import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** The channel for notifications about queued work between processes. */
export const workChannel = 'portal_work'

/**
 * Notifies every process, on commit, that a run or an export is queued. The tables themselves are the queue: if nobody listens,
 * the next poll finds it.
 */
export async function notifyWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${workChannel}, '')`.execute(tx)
}
