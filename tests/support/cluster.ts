import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/migrate.ts'
import { openCluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres:// address of the run's PostgreSQL, with `DATABASE` where a name belongs. */
    cluster: string
  }
}

/** The migrated database that every test file gets a copy of. */
export const template = 'template_portal'

/** One PostgreSQL for the whole run, in a folder that is thrown away. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'admin-portal-tests-'))
  const cluster = await openCluster(folder, {
    durable: false,
    flags: ['-c', 'max_connections=200', '-c', 'shared_buffers=128MB'],
  })
  const client = new Client({ connectionString: cluster.url('postgres') })
  await client.connect()
  await client.query(`create database ${template}`)
  await client.end()
  const pool = openPool({
    url: cluster.url(template),
    name: 'tests',
    businessTimeZone: 'America/New_York',
    statementTimeout: 0,
    connections: 2,
  })
  const db = kyselyOn(pool)
  await migrate(db)
  await db.destroy()
  if (!pool.ended) await pool.end()
  project.provide('cluster', cluster.url('DATABASE'))
  return async () => {
    await stopCluster(cluster.folder)
    await rm(folder, { recursive: true, force: true })
  }
}
