import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '#server/tables/database.ts'

/** The key of an advisory lock: a number, or a hash that PostgreSQL computes. */
export type GuardKey = number | RawBuilder<unknown>

/** The lock key for the work on one record. */
export const keyOf = (id: string, salt: number): GuardKey => sql`hashtextextended(${id}, ${salt})`

/**
 * Runs `work` unless it is already running in this or another process; returns whether it ran. The advisory lock belongs to the
 * connection passed to `work` and is released with it: writes through that connection come only from the lock holder.
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

/** Runs `work` in one process at a time; the others wait, then run it, too. */
export const oneAtATime = <T>(db: Kysely<Database>, key: number, work: () => Promise<T>): Promise<T> =>
  db.connection().execute(async (guard) => {
    // Polls: a waiting statement would be cancelled by the statement timeout.
    while (!(await lock(guard, key))) await sleep(100)
    try {
      return await work()
    } finally {
      await unlock(guard, key)
    }
  })

/**
 * Makes a statement of this connection end soon after its client process died, as by kill -9: otherwise PostgreSQL runs it for
 * minutes, holding its locks, until it has a result to send. Has no effect where the operating system does not support the check.
 */
export const endsWithItsProcess = (guard: Kysely<Database>) =>
  sql`do $$ begin set client_connection_check_interval = '2s'; exception when others then null; end $$`.execute(guard)

async function lock(guard: Kysely<Database>, key: GuardKey): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${key}) as got`.execute(guard)
  return rows[0]?.got ?? false
}

/** A lost connection needs no unlock; the error of the work is the one that counts. */
const unlock = (guard: Kysely<Database>, key: GuardKey): Promise<unknown> =>
  sql`select pg_advisory_unlock(${key})`.execute(guard).catch(() => undefined)
