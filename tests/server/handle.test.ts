import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#server/tables/database.ts'
import { performIntent } from '#server/http/perform-intent.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { eventsOf } from '#server/tables/audit.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'
import { createThings, things } from '#tests/support/things.ts'

let server: TestServer
/** May read and close, and open things owned by users. */
let priya: SignedIn
let reader: SignedIn

beforeAll(async () => {
  server = await createServer({ routes: things })
  await createThings(server.owner)
  priya = await personWith(server, [2, 9, 1021], 'Priya Raman')
  reader = await personWith(server, [2])
})
afterAll(() => server.close())

const events = (id: number) =>
  eventsOf(server.db as unknown as Tx, [{ entity: 'thing', id: String(id) }], { limit: 50, before: null })
const amountOf = async (id: number): Promise<number> => (await call(server, 'GET', `/things/${id}`, priya)).body.amount

test('a change is made, answered, and recorded with actor, reason, before and after', async () => {
  const answer = await call(server, 'PATCH', '/things/1', {
    headers: { ...priya.headers, command: 'thing.close' },
    body: { status: 'CLOSED', reason: ' Left the company ', version: 1 },
  })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ id: 1, status: 'CLOSED', version: 2 })
  expect((await events(1)).events).toEqual([
    {
      id: expect.any(Number),
      at: expect.any(String),
      actor: { id: priya.id, name: 'Priya Raman' },
      category: 'user',
      status: 'Closed',
      text: 'Left the company',
      changes: [{ field: 'status', before: 'OPEN', after: 'CLOSED' }],
      version: 2,
    },
  ])
  const { rows } = await sql`select intent, command from audit_events where entity = 'thing' and entity_id = '1'`.execute(
    server.db,
  )
  expect(rows).toEqual([{ intent: 'thing.close', command: 'thing.close' }])
})

test('[PERM-037] without the permission it is 403 with the specified sentence and the missing permission', async () => {
  const answer = await call(server, 'PATCH', '/things/2', { ...reader, body: { status: 'CLOSED', reason: 'x', version: 1 } })
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({
    code: 'permission-denied',
    detail: "You don't have permission to take this action.",
    errors: [{ path: 'permission', message: 'write:employees' }],
  })
  const stranger = await personWith(server, [])
  expect((await call(server, 'GET', '/things/2', stranger)).status).toBe(403)
  expect((await events(2)).events).toEqual([])
})

test('a permission that depends on the target is checked on the locked row', async () => {
  const users = await call(server, 'PATCH', '/things/2', { ...priya, body: { status: 'OPEN', version: 1 } })
  const billing = await call(server, 'PATCH', '/things/5', { ...priya, body: { status: 'OPEN', version: 1 } })
  expect([users.status, billing.status]).toEqual([200, 403])
  expect(billing.body.errors).toEqual([{ path: 'permission', message: 'write:billing' }])
})

test('where one of several permissions is enough, the refusal names them as alternatives', async () => {
  const answer = await call(server, 'PATCH', '/things/2', { ...reader, body: { status: 'OPEN', version: 1 } })
  expect(answer.status).toBe(403)
  expect(answer.body.errors).toEqual([
    { path: 'one-of-permissions', message: 'write:billing' },
    { path: 'one-of-permissions', message: 'write:users' },
  ])
})

test('a stale version is 409 with the current thing', async () => {
  await call(server, 'POST', '/things/3/add', { ...priya, body: { amount: 7 } })
  const answer = await call(server, 'PATCH', '/things/3', { ...priya, body: { status: 'CLOSED', reason: 'x', version: 1 } })
  expect([answer.status, answer.body.code]).toEqual([409, 'stale-version'])
  expect(answer.body.facts).toEqual({ id: 3, status: 'OPEN', owner: 'users', amount: 7, version: 2 })
})

test('the refusal of a rule, or of the read asked first, is 409 with its code and sentence', async () => {
  const closed = await call(server, 'PATCH', '/things/1', { ...priya, body: { status: 'CLOSED', reason: 'x', version: 2 } })
  expect([closed.status, closed.body.code, closed.body.detail]).toEqual([409, 'status-forbids', 'Closed already.'])
  const { body } = await call(server, 'POST', '/things/4/add', { ...priya, body: { amount: -1 } })
  const checked = await call(server, 'PATCH', '/things/4', { ...priya, body: { status: 'OPEN', version: body.version } })
  expect([checked.status, checked.body.code, checked.body.detail]).toEqual([409, 'cannot-unpause', 'It is not good.'])
})

test('a missing thing is 404', async () => {
  const answer = await call(server, 'PATCH', '/things/999', { ...priya, body: { status: 'CLOSED', reason: 'x', version: 1 } })
  expect([answer.status, answer.body.code]).toEqual([404, 'not-found'])
})

test.each([
  ['no meaning', {}, 'status', 'Must be one of: CLOSED, OPEN'],
  ['an unknown meaning', { status: 'GONE', version: 1 }, 'status', 'Must be one of: CLOSED, OPEN'],
  ['an empty reason', { status: 'CLOSED', reason: '  ', version: 1 }, 'reason', 'This is a required field.'],
  ['no version', { status: 'CLOSED', reason: 'x' }, 'version', 'This is a required field.'],
  ['an unknown field', { status: 'OPEN', version: 1, note: 'x' }, 'note', 'There is no such field or parameter.'],
  ['a version that is no number', { status: 'OPEN', version: '1' }, 'version', 'This is a required field.'],
])('a body with %s is 422 and names the field', async (_, body, path, message) => {
  const answer = await call(server, 'PATCH', '/things/6', { ...priya, body })
  expect([answer.status, answer.body.code]).toEqual([422, 'validation-failed'])
  expect(answer.body.errors).toContainEqual({ path, message })
})

test('an unexpected failure changes and reveals nothing; an invalid answer is never sent', async () => {
  for (const ending of ['fail', 'break-contract']) {
    const answer = await call(server, 'POST', '/things/7/add', { ...priya, body: { amount: 5, ending } })
    expect([answer.status, answer.body.code]).toEqual([500, 'internal-error'])
    expect(JSON.stringify(answer.body)).not.toContain('secret')
  }
  const refused = await call(server, 'POST', '/things/7/add', { ...priya, body: { amount: 5, ending: 'refuse' } })
  expect(refused.status).toBe(409)
  expect(await amountOf(7)).toBe(0)
  expect((await events(7)).events).toEqual([])
})

test('50 concurrent changes of one thing lose none', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => call(server, 'POST', '/things/8/add', { ...priya, body: { amount: 1 } })),
  )
  expect(answers.every((answer) => answer.status === 200)).toBe(true)
  expect(await amountOf(8)).toBe(50)
  expect((await events(8)).events.length).toBe(50)
})

test('the history is paged by cursor, newest first', async () => {
  const first = await eventsOf(
    server.db as unknown as Tx,
    [
      { entity: 'thing', id: '8' },
      { entity: 'thing', id: '1' },
    ],
    { limit: 30, before: null },
  )
  const rest = await eventsOf(
    server.db as unknown as Tx,
    [
      { entity: 'thing', id: '8' },
      { entity: 'thing', id: '1' },
    ],
    { limit: 30, before: first.next },
  )
  expect([first.events.length, rest.events.length, rest.next]).toEqual([30, 21, null])
  const ids = [...first.events, ...rest.events].map((event) => event.id)
  expect(ids).toEqual([...new Set(ids)].sort((one, other) => other - one))
})

test('a run executes the same intent without HTTP and version, with the same refusals', async () => {
  const actor = {
    id: priya.id,
    name: priya.name,
    email: '',
    kind: 'ADMIN',
    groupIds: [],
    held: new Set([9]),
    sessionId: '',
  } as const
  const run = {
    actor,
    intent: 'thing.close',
    params: { id: 9 },
    body: { status: 'CLOSED', reason: 'x' },
    key: 'run:1:9',
    command: null,
  }
  const done = await performIntent(server.services, run)
  const again = await performIntent(server.services, run)
  const other = await performIntent(server.services, { ...run, key: 'run:1:10' })
  const forbidden = await performIntent(server.services, { ...run, actor: { ...actor, held: new Set([2]) }, key: 'run:1:11' })
  expect([done.status, again.status, again.replayed, other.status, forbidden.status]).toEqual([200, 200, true, 409, 403])
  expect(again.json).toBe(done.json)
  expect(JSON.parse(other.json as string)).toMatchObject({ code: 'status-forbids', detail: 'Closed already.' })
})

test('a lost connection is at worst answered with 503, and the server continues', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user
    and pid <> pg_backend_pid()`.execute(server.db)
  const statuses: number[] = []
  const ask = async (): Promise<number> => {
    const { status } = await call(server, 'GET', '/things/8', priya)
    statuses.push(status)
    return status
  }
  await expect.poll(ask).toBe(200)
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
})

test('an unreachable database is 503, and the process reports that it is live but not ready', async () => {
  const pool = openPool({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    name: 'away',
    businessTimeZone: 'UTC',
    statementTimeout: 1000,
  })
  const away = await createServer({ routes: things, change: (services) => ({ ...services, db: kyselyOn(pool) }) })
  try {
    const answer = await call(away, 'GET', '/things/1', priya)
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect((await fetch(`${away.origin}/readyz`)).status).toBe(503)
    expect((await fetch(`${away.origin}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)
  } finally {
    await away.close()
    await pool.end()
  }
})
