import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import type { Database } from '#server/tables/database.ts'
import { template } from '#tests/support/cluster.ts'

export interface TestDatabase {
  db: Kysely<Database>
  pool: Pool
  url: string
  drop: () => Promise<void>
}

/** A migrated, empty database of the caller's own. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdministrator(`create database ${name} template ${template} strategy file_copy`)
  const url = inject('cluster').replace('DATABASE', name)
  const pool = openPool({ url, name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 30_000, connections: 20 })
  const db = kyselyOn(pool)
  const drop = async (): Promise<void> => {
    await db.destroy()
    if (!pool.ended) await pool.end()
    await asAdministrator(`drop database ${name} with (force)`)
  }
  return { db, pool, url, drop }
}

async function asAdministrator(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('cluster').replace('DATABASE', 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
