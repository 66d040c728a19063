import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { expect, inject } from 'vitest'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { closed, ownerRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'
import { templates } from '#tests/support/cluster.ts'

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

/**
 * Test files whose databases have the big tables in hash partitions by organization, as a distributed database has: those about
 * the people, the time and the money in these tables. Statements take half as long again there, so long ones are on whole tables,
 * and so are those that load the demo company, and the one about plans that are kept: in partitions a plan for the values of each
 * call is better.
 */
const onPartitions = new RegExp(
  `/server/(${[
    ...[
      'billed-once',
      'deductions',
      'employees',
      'employee-invoices',
      'invoices',
      'linked-accounts',
      'money(?!\\.thrift)',
      'onboarding',
    ],
    ...[
      'open-periods',
      'organization-plans',
      'repayments',
      'returns',
      'rewards',
      'split-invoices',
      'timekeeping',
      'work-periods',
      'write-offs',
    ],
    'imports\\.(cases|cells|columns|confirmations|several-employers)',
  ].join('|')})\\.([a-z-]+\\.)?test\\.ts$`,
)

/** A migrated, empty database for the caller alone. */
export async function createDatabase(): Promise<TestDatabase> {
  const template = onPartitions.test(expect.getState().testPath ?? '') ? templates.partitioned : templates.whole
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
