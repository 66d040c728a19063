import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cluster, stopCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { applicationRole, ownerRole } from '#server/postgres/roles.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'
import { crash, promote, startPrimary, startStandby } from '#tests/support/standby.ts'

const database = 'portal'
let folder: string
let clusters: [Cluster, Cluster]
let started: ServerProcess[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'admin-portal-failover-'))
  const first = await startPrimary(join(folder, 'first'), database)
  clusters = [first, await startStandby(first, join(folder, 'second'))]
})
afterEach(async () => {
  for (const { child } of started) child.kill('SIGKILL')
  await Promise.all(started.map(({ ended }) => ended))
  started = []
})
afterAll(async () => {
  await Promise.all(clusters.map((cluster) => stopCluster(cluster.folder)))
  rmSync(folder, { recursive: true, force: true })
})

/** One address with the hosts of these clusters, as libpq writes it. */
function addressOf(role: string, ...of: Cluster[]): string {
  const urls = of.map((cluster) => new URL(cluster.url(database, role)))
  const [{ username, password } = { username: '', password: '' }] = urls
  return `postgres://${username}:${password}@${urls.map(({ host }) => host)}/${database}?target_session_attrs=read-write`
}

function startOn(...of: Cluster[]): ServerProcess {
  const server = startProcess({
    DATABASE_URL: addressOf(applicationRole, ...of),
    MIGRATION_DATABASE_URL: addressOf(ownerRole, ...of),
    SEED: 'none',
    LOG_LEVEL: 'silent',
  })
  started.push(server)
  return server
}

test('a server follows the primary to another host, and loses nothing that it acknowledged', async () => {
  const [first, second] = clusters
  const before = kyselyOn(
    openPool({
      url: addressOf(ownerRole, second, first),
      name: 'tests',
      businessTimeZone: 'UTC',
      statementTimeout: 0,
      connections: 1,
    }),
  )
  const server = startOn(second, first)
  const origin = await server.ready
  const headers = await signInAs({ origin, db: before }, await createPerson(before, { groups: [1] }))
  await before.destroy()

  const statuses: number[] = []
  const acknowledged: string[] = []
  const write = async (): Promise<number> => {
    const key = crypto.randomUUID()
    const reply = await fetch(`${origin}/api/exports`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ kind: 'invoices', filter: {} }),
    })
    const answer = (await reply.json()) as { id?: string }
    if (answer.id) acknowledged.push(answer.id)
    if (reply.status === 503) expect(reply.headers.get('retry-after')).not.toBeNull()
    statuses.push(reply.status)
    return reply.status
  }
  expect(await write()).toBe(201)

  // Synchronous enough for this test: nothing is acknowledged after the last byte that the standby has received.
  await expect.poll(() => lagOf(first)).toBe(0)
  crash(first)
  expect(await write()).toBe(503)
  const down = await fetch(`${origin}/readyz`)
  expect([down.status, ((await down.json()) as { status: string }).status]).toEqual([503, 'not ready'])
  await promote(second)
  await expect.poll(write).toBe(201)
  expect(new Set(statuses)).toEqual(new Set([201, 503]))
  await expect.poll(async () => (await fetch(`${origin}/readyz`)).status).toBe(200)
  const reply = await fetch(`${origin}/api/exports`, { headers })
  const kept = ((await reply.json()) as { exports: { id: string }[] }).exports.map(({ id }) => id)
  expect(kept).toEqual(expect.arrayContaining(acknowledged))
})

test('a server on a standby says that it waits, and starts when the standby is promoted', async () => {
  const [, primary] = clusters
  const third = await startStandby(primary, join(folder, 'third'))
  try {
    const server = startOn(third)
    await server.printed(/takes no changes, as a standby does: waiting until it does\./)
    await promote(third)
    expect((await fetch(`${await server.ready}/readyz`)).status).toBe(200)
  } finally {
    await stopCluster(third.folder)
  }
})

async function lagOf(primary: Cluster): Promise<number> {
  const client = new Client({ connectionString: primary.url('postgres') })
  await client.connect()
  const { rows } = await client.query<{ lag: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), replay_lsn) as lag from pg_stat_replication',
  )
  await client.end()
  return Number(rows[0]?.lag)
}
