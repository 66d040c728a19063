import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { type ServerProcess, startProcess } from '#tests/support/process.ts'
import { call, createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let employers: number[]

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
})
afterAll(() => server.close())

const make = async (count: number, employer = 0) =>
  (
    await Promise.all(
      Array.from({ length: count }, () => createEmployee(server.db, { employerId: employers[employer] as number })),
    )
  ).map(({ id }) => String(id))
const check = (noun: string, ids: readonly string[], headers = admin) =>
  call(server, 'POST', '/runs/targets', { headers, body: { noun, ids } })
const get = async (id: string) => (await call(server, 'GET', `/runs/${id}`, { headers: admin })).body

test('[EMP-001] [PERM-003] ids are resolved before anything is done; an inaccessible one looks unknown', async () => {
  const [own = ''] = await make(1, 1)
  const [foreign = ''] = await make(1)
  const none = '999999999'
  expect((await check('employees', [own, foreign, none, own, foreign])).body).toEqual({ missing: [none] })
  const grants = [{ employerId: employers[1] as number }]
  const manager = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [2], grants })
  const headers = await signInAs(server, manager)
  const { status, body } = await check('employees', [own, foreign, none], headers)
  expect([status, body]).toEqual([200, { missing: [foreign, none] }])
  expect((await check('invoices', ['1'], headers)).status).toBe(403)
  const key = { ...headers, 'idempotency-key': 'once' }
  expect((await check('employees', [own], key)).body).toEqual({ missing: [] })
  await server.db.deleteFrom('access_grants').where('person_id', '=', manager.id).execute()
  expect((await check('employees', [own], key)).body).toEqual({ missing: [own] })
})

test('[INV-016] [DED-005] every noun with bulk actions accepts ids, at most ten thousand', async () => {
  const invoice = await createInvoice(server.db, { employerId: employers[0] as number, original: 5_000 })
  expect((await check('invoices', [String(invoice.id), '999999999'])).body).toEqual({ missing: ['999999999'] })
  for (const noun of ['timekeeping', 'write-offs', 'deductions', 'users', 'bank-results'])
    expect((await check(noun, ['999999999'])).body).toEqual({ missing: ['999999999'] })
  for (const noun of ['organizations', 'employees/{id}/x', '__proto__'])
    expect(messagesOf(await check(noun, ['1']))).toEqual({ status: 422, noun: 'This cannot be carried out over many rows.' })
  const ids = Array.from({ length: 10_001 }, (_, at) => String(900_000_000 + at))
  expect((await check('employees', ids.slice(1))).body.missing).toHaveLength(10_000)
  expect(messagesOf(await check('employees', ids))).toEqual({ status: 422, ids: 'At most 10000 entries' })
  expect((await check('employees', [])).status).toBe(422)
})

/** Makes every change of an employee take a fifth of a second, until the returned function is called. */
async function slowChanges(): Promise<() => Promise<unknown>> {
  await sql`create function linger() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end'`.execute(
    server.owner,
  )
  await sql`create trigger linger before update on employees for each row execute function linger()`.execute(server.owner)
  return () => sql`drop trigger linger on employees`.execute(server.owner)
}

test('[EMP-001] a run over pasted ids survives kill -9, does every row once, and is undone in one step', async () => {
  const ids = await make(300)
  // Otherwise it could all be done before this process, on a busy machine, polls again and ends the other one.
  const hurry = await slowChanges()
  const body = { intent: 'employee.pause', body: { status: 'PAUSED', reason: 'Pasted' }, targets: { ids }, eligible: 300 }
  const { status, body: run } = await call(server, 'POST', '/runs', { headers: admin, body })
  expect(status).toBe(201)
  const started: ServerProcess[] = []
  const start = () => {
    const worker = startProcess({ ...server.urls, SEED: 'none', APPLICATION_SECRET: 'x'.repeat(32) })
    started.push(worker)
    return worker
  }
  try {
    const first = start()
    for (let done = 0; done < 20; ) done = (await get(run.id)).done
    first.child.kill('SIGKILL')
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    const half = await get(run.id)
    expect(half).toMatchObject({ state: 'running' })
    expect(half.waiting).toBeGreaterThan(0)
    await hurry()
    start()
    await expect.poll(() => get(run.id), { timeout: 60_000 }).toMatchObject({ state: 'done', done: 300, failed: 0, blocked: 0 })
    const events = () => server.db.selectFrom('audit_events').select('id').where('entity_id', 'in', ids).execute()
    expect(await events()).toHaveLength(300)
    const { body: undo } = await call(server, 'POST', `/runs/${run.id}/undo`, { headers: admin })
    await expect.poll(() => get(undo.id), { timeout: 60_000 }).toMatchObject({ state: 'done', done: 300 })
    expect(await events()).toHaveLength(600)
    const paused = server.db.selectFrom('employees').select('id').where('status', '=', 'PAUSED')
    expect(await paused.where('id', 'in', ids.map(Number)).execute()).toEqual([])
  } finally {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map(({ ended }) => ended))
    // Their database locks are released a moment after they end.
    await sleep(100)
  }
})
