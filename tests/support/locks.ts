import { sql } from 'kysely'
import type { TestServer } from '#tests/support/server.ts'

/** The number of connections of this test's database that wait for a lock. */
export async function waitingForLocks({ db }: Pick<TestServer, 'db'>): Promise<number> {
  const { rows } = await sql`select distinct pid from pg_locks
    where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db)
  return rows.length
}
