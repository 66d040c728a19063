import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { inject } from 'vitest'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { closed, ownerRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'
import { template } from '#tests/support/cluster.ts'

export interface TestDatabase {
  /** As the application, the default in tests. */
  db: Kysely<Database>
  pool: Pool
  url: string
  /** As the owner of the schema: for what migrations and the seed do, and the application must not. */
  owner: Kysely<Database>
  ownerUrl: string
  drop: () => Promise<void>
}

/** A migrated, empty database for the caller alone. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdministrator(`create database ${name} template ${template} strategy file_copy owner ${ownerRole}`, closed(name))
  const [url, ownerUrl] = (['application', 'owner'] as const).map((role) =>
    inject('cluster')[role].replace('DATABASE', name),
  ) as [string, string]
  const at = { name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 30_000, connections: 20 }
  const pool = openPool({ ...at, url })
  const db = kyselyOn(pool)
  // Connects on first use.
  const owner = kyselyOn(openPool({ ...at, url: ownerUrl, connections: 2 }))
  const drop = async (): Promise<void> => {
    await db.destroy()
    await owner.destroy()
    if (!pool.ended) await pool.end()
    await asAdministrator(`drop database ${name} with (force)`)
  }
  return { db, pool, url, owner, ownerUrl, drop }
}

/** Runs statements in the cluster as its superuser. */
export async function asAdministrator(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: inject('cluster').superuser.replace('DATABASE', 'postgres') })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
