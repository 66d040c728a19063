import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareSchema } from '#server/boot/prepare-schema.ts'
import { openCluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { applicationRole, makeDatabase, ownerRole } from '#server/postgres/roles.ts'

/** The role of a connection: the application, the owner of the schema, or the superuser, who creates databases. */
export type ClusterRole = 'application' | 'owner' | 'superuser'

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres:// URLs of the run's PostgreSQL by role, with `DATABASE` as the placeholder of a name. */
    cluster: Record<ClusterRole, string>
  }
}

/** The migrated template database, of which every test file gets a copy. */
export const template = 'template_portal'

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

async function startCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'admin-portal-tests-'))
  const cluster = await openCluster(folder, {
    durable: false,
    flags: ['-c', 'max_connections=200', '-c', 'shared_buffers=128MB'],
  })
  await makeDatabase(cluster, template)
  const [db, owner] = [applicationRole, ownerRole].map((role) =>
    kyselyOn(
      openPool({
        url: cluster.url(template, role),
        name: 'tests',
        businessTimeZone: 'America/New_York',
        statementTimeout: 0,
        connections: 2,
      }),
    ),
  ) as [ReturnType<typeof kyselyOn>, ReturnType<typeof kyselyOn>]
  await prepareSchema({ db, owner })
  await db.destroy()
  await owner.destroy()
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
