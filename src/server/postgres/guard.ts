import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** What a lock is taken on: a number of our own, or two that PostgreSQL makes of a text. */
export type GuardKey = number | RawBuilder<unknown>

/** The key of one record's work. */
export const keyOf = (id: string, salt: number): GuardKey => sql`hashtextextended(${id}, ${salt})`

/**
 * Runs `work` unless somebody else is at it, in this process or another; answers whether it did. The lock belongs to
 * the connection that `work` is given, and falls with it: what is written through that connection is written by the
 * only one at work.
 */
export const unlessUnderWay = (
  db: Kysely<Database>,
  key: GuardKey,
  work: (guard: Kysely<Database>) => Promise<unknown>,
): Promise<boolean> =>
  db.connection().execute(async (guard) => {
    if (!(await lock(guard, key))) return false
    try {
      await work(guard)
    } finally {
      await unlock(guard, key)
    }
    return true
  })

/** Runs something that only one process at a time may do; the others wait, then do it too. */
export const oneAtATime = <T>(db: Kysely<Database>, key: number, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (guard) => {
    // Asked again and again: a statement that waits would be given up after the time that a statement may take.
    while (!(await lock(guard, key))) await sleep(100)
    try {
      return await work()
    } finally {
      await unlock(guard, key)
    }
  })

/**
 * Has a statement of this connection end soon after the process that asked for it, as by kill -9: otherwise PostgreSQL goes on with it
 * for minutes, holding what it holds, until it has something to answer. Where the system of PostgreSQL cannot tell, nothing changes.
 */
export const endsWithItsProcess = (guard: Kysely<Database>) =>
  sql`do $$ begin set client_connection_check_interval = '2s'; exception when others then null; end $$`.execute(guard)

async function lock(guard: Kysely<Database>, key: GuardKey): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${key}) as got`.execute(guard)
  return rows[0]?.got ?? false
}

/** Of a connection that was cut there is nothing to unlock; what went wrong in the work is what counts. */
const unlock = (guard: Kysely<Database>, key: GuardKey): Promise<unknown> =>
  sql`select pg_advisory_unlock(${key})`.execute(guard).catch(() => undefined)
