import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'

/** The channel on which processes tell each other that something waits. */
export const workChannel = 'portal_work'

/**
 * Tells every process, once this transaction is committed, that a run or an export waits. The tables themselves are the
 * queue: where nobody listens, the next look finds it.
 */
export async function tellWorkers(tx: Tx): Promise<void> {
  await sql`select pg_notify(${workChannel}, '')`.execute(tx)
}
