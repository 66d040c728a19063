import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CodedProblem } from '#contract/problem-codes.ts'
import { codeOf } from '#server/cannot-start.ts'
import { stopCluster } from '#server/postgres/cluster.ts'
import { readPostmaster } from '#server/postgres/postmaster.ts'
import type { Database } from '#server/tables/database.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { databaseIn, type ServerProcess, startProcess } from '#tests/support/process.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

/** A data folder on a separate disk that can be filled, where this machine allows to make one. */
const root = mkdtempSync(join(tmpdir(), 'admin-portal-fails-'))
const ownDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=192m,mode=755', 'tmpfs', root]).status === 0
const folder = join(root, 'data')
const cluster = join(folder, 'postgres')

let server: ServerProcess
let origin: string
let headers: Headers
let employee: { id: number; version: number }

beforeAll(async () => {
  mkdirSync(folder)
  server = startProcess({ DATA_DIR: folder, SEED: 'none', LOG_LEVEL: 'silent' })
  origin = await server.ready
  const db = await databaseIn(folder)
  headers = await signInAs({ origin, db }, await personIn(db))
  await db.destroy()
})
afterAll(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  await stopCluster(cluster)
  if (ownDisk) execFileSync('umount', [root])
  rmSync(root, { recursive: true, force: true })
})

async function personIn(db: Kysely<Database>) {
  const [employerId] = (await createCompany(db, 'Harbor')).employerIds
  employee = { id: (await createEmployee(db, { employerId: employerId as number })).id, version: 1 }
  return createPerson(db, { groups: [1] })
}

async function request(path: string, init: RequestInit = {}) {
  const reply = await fetch(`${origin}${path}`, { headers, ...init })
  const body = (await reply.json()) as Record<string, unknown>
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body }
}

const turn = (status: 'PAUSED' | 'ACTIVE') =>
  request(`/api/employees/${employee.id}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      status,
      version: employee.version,
      ...(status === 'PAUSED' ? { reason: 'Because', details: 'x'.repeat(500) } : { notes: 'x'.repeat(500) }),
    }),
  })

/** The processes of this folder's PostgreSQL. */
function processes(): number[] {
  const postmaster = readPostmaster(cluster)?.pid as number
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  return [postmaster, ...children]
}

/** Sends each process a signal; one that has already ended, like a vacuum, is skipped. */
function signal(pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      expect(codeOf(error)).toBe('ESRCH')
    }
  }
}

test('calls are answered with 503 while the database is stopped, and succeed when it continues', async () => {
  expect((await request('/api/me')).status).toBe(200)
  const stopped = processes()
  signal(stopped, 'SIGSTOP')
  try {
    const answers = await Promise.all([
      // More than there are connections.
      ...Array.from({ length: 30 }, () => request('/api/employees')),
      request('/api/me'),
      turn('PAUSED'),
    ])
    for (const { status, retryAfter, body } of answers)
      expect([status, retryAfter, CodedProblem.parse(body).code]).toEqual([503, '2', 'unavailable'])
    const ready = await request('/readyz')
    expect([ready.status, ready.body]).toEqual([503, { status: 'not ready', reason: 'The database does not answer.' }])
    expect((await request('/healthz')).status).toBe(200)
  } finally {
    signal(stopped, 'SIGCONT')
  }
  await expect.poll(async () => (await request('/readyz')).status, { interval: 200 }).toBe(200)
  await expect.poll(async () => (await request('/api/me')).status, { interval: 200 }).toBe(200)
  // The changes answered with 503 were not made.
  const now = await request(`/api/employees/${employee.id}`)
  expect(now.body).toMatchObject({ status: 'ELIGIBLE', version: 1 })
})

test('an embedded PostgreSQL that dies is restarted by the running server', async () => {
  const before = readPostmaster(cluster)?.pid as number
  process.kill(before, 'SIGKILL')
  // Running statements may still be answered before its processes notice that it is gone.
  const now = () => readPostmaster(cluster)?.pid ?? before
  await expect.poll(now, { interval: 100 }).not.toBe(before)
  await expect.poll(async () => (await request('/api/me')).status, { interval: 100 }).toBe(200)
  expect((await request('/readyz')).status).toBe(200)
  expect(server.child.exitCode).toBeNull()
})

test('one that is shutting down and waits for its clients is restarted, too', async () => {
  const before = readPostmaster(cluster)?.pid as number
  process.kill(before, 'SIGTERM')
  await expect.poll(() => readPostmaster(cluster)?.pid ?? before, { interval: 100 }).not.toBe(before)
  await expect.poll(async () => (await request('/api/me')).status, { interval: 100 }).toBe(200)
  expect(server.child.exitCode).toBeNull()
})

test('a full disk is 503 with Retry-After, also in /readyz, and free space is enough to recover', async ({ skip }) => {
  if (!ownDisk) {
    console.log('Skipped: this machine does not let us mount a small disk to fill (mount -t tmpfs needs root).')
    return skip()
  }
  const filler = join(root, 'filler')
  expect(() => writeFileSync(filler, Buffer.alloc(400 * 1024 * 1024))).toThrow('ENOSPC')
  let refused: Awaited<ReturnType<typeof turn>> | undefined
  for (let tries = 0; tries < 100 && !refused; tries += 1) {
    const answer = await turn(tries % 2 === 0 ? 'PAUSED' : 'ACTIVE')
    if (answer.status === 200) employee.version = answer.body.version as number
    else refused = answer
  }
  expect(refused).toMatchObject({ status: 503, retryAfter: '30' })
  expect(CodedProblem.parse(refused?.body)).toMatchObject({
    code: 'unavailable',
    detail: 'Nothing can be saved right now. Try again later.',
  })
  // The database check is cached for a second.
  await expect
    .poll(() => request('/readyz'), { interval: 200 })
    .toEqual({
      status: 503,
      retryAfter: '5',
      body: { status: 'not ready', reason: 'The disk of the database is full.' },
    })
  expect((await request('/healthz')).status).toBe(200)
  rmSync(filler)
  await expect.poll(async () => (await request('/readyz')).status, { interval: 200 }).toBe(200)
  const { body } = await request(`/api/employees/${employee.id}`)
  employee.version = body.version as number
  expect((await turn(body.status === 'PAUSED' ? 'ACTIVE' : 'PAUSED')).status).toBe(200)
  expect(server.child.exitCode).toBeNull()
})
