import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, listens } from '#tests/deploy/ports.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let database: TestDatabase
let ports: [number, number]
let servers: ServerProcess[]
let balancer: ChildProcess
let origin: string

const startOn = (port: number): ServerProcess =>
  startProcess({
    DATABASE_URL: database.url,
    SEED: 'none',
    LOG_LEVEL: 'silent',
    PORT: String(port),
    DRAIN_SECONDS: '8',
    TRUST_PROXY: '1',
  })

beforeAll(async () => {
  database = await createDatabase()
  ports = [await freePort(), await freePort()]
  servers = ports.map(startOn)
  await Promise.all(servers.map(({ ready }) => ready))
  const port = await freePort()
  const [one, two] = ports
  balancer = spawn('haproxy', ['-db', '-f', 'deploy/haproxy.cfg'], {
    env: { PATH: process.env.PATH, LISTEN: `127.0.0.1:${port}`, SERVER_ONE: `127.0.0.1:${one}`, SERVER_TWO: `127.0.0.1:${two}` },
    stdio: 'ignore',
  })
  origin = `http://127.0.0.1:${port}`
  while (!(await listens(port))) await new Promise(setImmediate)
})
afterAll(async () => {
  balancer.kill('SIGKILL')
  await once(balancer, 'exit')
  for (const { child } of servers) child.kill('SIGKILL')
  await Promise.all(servers.map(({ ended }) => ended))
  await database.drop()
})

test('both servers are replaced one after the other, and no call fails', async () => {
  const headers = await signInAs({ origin, db: database.db }, await createPerson(database.db, { groups: [1] }))
  const statuses = new Map<number, number>()
  const count = ({ status }: Response) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
  let over = false
  const lane = async () => {
    while (!over) {
      const read = await fetch(`${origin}/api/employees`, { headers })
      await read.text()
      expect(read.headers.get('x-request-id')).toMatch(/^[\dA-F]{16,}/)
      count(read)
      const body = JSON.stringify({ kind: 'invoices', filter: {} })
      const write = await fetch(`${origin}/api/exports`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body,
      })
      await write.text()
      count(write)
    }
  }
  const lanes = [lane(), lane(), lane(), lane()]
  for (const [at, port] of ports.entries()) {
    const old = servers[at] as ServerProcess
    old.child.kill('SIGTERM')
    expect((await old.ended).code).toBe(0)
    servers[at] = startOn(port)
    await servers[at].ready
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
    // The balancer finds it ready within a check.
    const asked = statuses.get(200) as number
    await expect.poll(() => (statuses.get(200) as number) > asked + 20).toBe(true)
  }
  over = true
  await Promise.all(lanes)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(200)).toBeGreaterThan(100)
})
