import { sql } from 'kysely'
import type { Tx } from '#server/tables/database.ts'
import type { TestServer } from '#tests/support/server.ts'

/** The number of connections of this test's database that wait for a lock. */
export async function waitingForLocks({ db }: Pick<TestServer, 'db'>): Promise<number> {
  const { rows } = await sql`select distinct pid from pg_locks
    where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db)
  return rows.length
}

/** The number of connections that wait for a lock of this transaction. */
export async function blockedBy({ db }: Pick<TestServer, 'db'>, tx: Tx): Promise<number> {
  const { rows: own } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  const { rows } = await sql`select from pg_stat_activity where ${own[0]?.pid} = any(pg_blocking_pids(pid))`.execute(db)
  return rows.length
}
