import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cluster, openCluster, stopCluster } from '#server/postgres/cluster.ts'
import { applicationRole, makeDatabase, ownerRole } from '#server/postgres/roles.ts'
import { freePort, listens } from '#tests/deploy/ports.ts'
import { startProcess } from '#tests/support/process.ts'

const database = 'portal'
let folder: string
let cluster: Cluster
let pooler: ChildProcess

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'admin-portal-pgbouncer-'))
  // PgBouncer runs as a user without rights.
  chmodSync(folder, 0o755)
  cluster = await openCluster(join(folder, 'data'), { durable: false })
  await makeDatabase(cluster, database)
})
afterEach(async () => {
  pooler.kill('SIGKILL')
  await once(pooler, 'exit')
})
afterAll(async () => {
  await stopCluster(cluster.folder)
  rmSync(folder, { recursive: true, force: true })
})

const passwordOf = (role: string): string => new URL(cluster.url(database, role)).password

/** Starts PgBouncer in a mode, and a server behind it. */
async function startBehind(mode: 'session' | 'transaction', inTurn: 0 | 1) {
  const port = await freePort()
  const users = join(folder, 'users')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, [applicationRole, ownerRole].map((role) => `"${role}" "${passwordOf(role)}"`).join('\n'))
  writeFileSync(
    settings,
    `[databases]
${database} = host=127.0.0.1 port=${cluster.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = plain
auth_file = ${users}
pool_mode = ${mode}
server_round_robin = ${inTurn}
default_pool_size = 40
user = nobody
`,
  )
  pooler = spawn('pgbouncer', ['-q', settings], { stdio: 'ignore' })
  await expect.poll(() => listens(port)).toBe(true)
  const url = (role: string) => `postgres://${role}:${passwordOf(role)}@127.0.0.1:${port}/${database}`
  return startProcess({ DATABASE_URL: url(applicationRole), MIGRATION_DATABASE_URL: url(ownerRole), SEED: 'none' })
}

test('a server runs behind PgBouncer in session mode', async () => {
  const server = await startBehind('session', 0)
  expect((await fetch(`${await server.ready}/readyz`)).status).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test.each([0, 1] as const)('PgBouncer in transaction mode is refused in a sentence (round robin %i)', async (inTurn) => {
  const { code, complaint } = await (await startBehind('transaction', inTurn)).ended
  expect(code).toBe(1)
  expect(complaint).toMatch(/^The database 127\.0\.0\.1:\d+\/portal is behind a pooler .* set its pool_mode to session, or /)
})
