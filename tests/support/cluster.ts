import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { prepareSchema } from '#server/boot/prepare-schema.ts'
import { type Cluster, openCluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { grantTo } from '#server/postgres/grants.ts'
import { applicationRole, makeDatabase, ownerRole } from '#server/postgres/roles.ts'

/** The role of a connection: the application, the owner of the schema, or the superuser, who creates databases. */
export type ClusterRole = 'application' | 'owner' | 'superuser'

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres:// URLs of the run's PostgreSQL by role, with `DATABASE` as the placeholder of a name. */
    cluster: Record<ClusterRole, string>
  }
}

/** The migrated template databases, of one of which every test file gets a copy: as it is, and with hash partitions. */
export const templates = { whole: 'template_portal', partitioned: 'template_partitioned' } as const

interface TestCluster {
  urls: Record<ClusterRole, string>
  stop: () => Promise<void>
}

/** The PostgreSQL of this run, which each project of the tests uses: every one loads a copy of this module. */
const run = globalThis as { testCluster?: { projects: number; cluster: Promise<TestCluster> } | undefined }

/** One PostgreSQL for the whole run, in a temporary folder; none in a run of tests that need no server. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['WITHOUT_DATABASE']) return async () => undefined
  run.testCluster ??= { projects: 0, cluster: startCluster() }
  const users = run.testCluster
  users.projects += 1
  project.provide('cluster', (await users.cluster).urls)
  return async () => {
    users.projects -= 1
    if (users.projects > 0) return
    run.testCluster = undefined
    await (await users.cluster).stop()
  }
}

type Connection = ReturnType<typeof kyselyOn>

/** Makes a template database, with `work` as the application and as the owner. */
async function prepare(
  cluster: Cluster,
  name: string,
  work: (db: Connection, owner: Connection) => Promise<void>,
): Promise<void> {
  await makeDatabase(cluster, name)
  const at = { name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 }
  const [db, owner] = [applicationRole, ownerRole].map((role) => kyselyOn(openPool({ ...at, url: cluster.url(name, role) }))) as [
    Connection,
    Connection,
  ]
  await work(db, owner)
  await db.destroy()
  await owner.destroy()
}

async function startCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'admin-portal-tests-'))
  const cluster = await openCluster(folder, {
    durable: false,
    flags: ['-c', 'max_connections=200', '-c', 'shared_buffers=128MB'],
  })
  await prepare(cluster, templates.whole, async (db, owner) => prepareSchema({ db, owner }))
  await prepare(cluster, templates.partitioned, async (db, owner) => {
    await prepareSchema({ db, owner })
    await owner.transaction().execute(async (tx) => {
      await sql.raw(readFileSync(new URL('hash-partitions.sql', import.meta.url), 'utf8')).execute(tx)
      await grantTo(tx, applicationRole)
    })
  })
  return {
    urls: {
      application: cluster.url('DATABASE', applicationRole),
      owner: cluster.url('DATABASE', ownerRole),
      superuser: cluster.url('DATABASE'),
    },
    stop: async () => {
      await stopCluster(cluster.folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
