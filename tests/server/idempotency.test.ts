import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#server/tables/database.ts'
import { forgetOldKeys } from '#server/tables/idempotency.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'
import { createThings, things } from '#tests/support/things.ts'

let server: TestServer
let priya: SignedIn
let tom: SignedIn

beforeAll(async () => {
  server = await createServer({ routes: things })
  await createThings(server.owner)
  priya = await personWith(server, [2, 9])
  tom = await personWith(server, [2, 9])
})
afterAll(() => server.close())

const add = (id: number, key: string, body: unknown, who = priya) =>
  call(server, 'POST', `/things/${id}/add`, { headers: { ...who.headers, 'idempotency-key': key }, body })
const amountOf = async (id: number): Promise<number> => (await call(server, 'GET', `/things/${id}`, priya)).body.amount

test('the same key and body again returns the first reply, and does nothing again', async () => {
  const first = await add(1, 'once', { amount: 5 })
  const again = await add(1, 'once', { amount: 5 })
  expect([first.status, again.status]).toEqual([200, 200])
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true'])
  expect(again.body).toEqual(first.body)
  expect(await amountOf(1)).toBe(5)
})

test('concurrent duplicates are executed once, and get the same reply', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => add(2, 'twins', { amount: 3 })))
  expect(answers.map((answer) => answer.status)).toEqual(Array(12).fill(200))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null).length).toBe(1)
  expect(await amountOf(2)).toBe(3)
})

test('the same key with another body, target or intent is 409', async () => {
  await add(3, 'mine', { amount: 1 })
  const body = await add(3, 'mine', { amount: 2 })
  const target = await add(4, 'mine', { amount: 1 })
  const meaning = await call(server, 'PATCH', '/things/3', {
    headers: { ...priya.headers, 'idempotency-key': 'mine' },
    body: { status: 'CLOSED', reason: 'x', version: 2 },
  })
  for (const answer of [body, target, meaning]) expect([answer.status, answer.body.code]).toEqual([409, 'idempotency-key-reused'])
  expect(await amountOf(3)).toBe(1)
})

test('a key belongs to one person', async () => {
  await add(5, 'shared', { amount: 1 })
  const other = await add(5, 'shared', { amount: 1 }, tom)
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([200, null])
  expect(await amountOf(5)).toBe(2)
})

test('a refusal is stored as the reply, and earlier changes are rolled back', async () => {
  const first = await add(6, 'refused', { amount: 9, ending: 'refuse' })
  const again = await add(6, 'refused', { amount: 9, ending: 'refuse' })
  expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([409, 409, 'true'])
  expect(again.headers.get('content-type')).toContain('application/problem+json')
  expect(again.body).toEqual(first.body)
  expect(await amountOf(6)).toBe(0)
})

test('a secret in body or answer is answered once, and never stored', async () => {
  const first = await add(1, 'sealed', { amount: 1, code: 'Sesame-4711' })
  const again = await add(1, 'sealed', { amount: 1, code: 'Sesame-4711' })
  expect([first.body.code, again.status, again.headers.get('idempotency-replayed'), again.body.code]).toEqual([
    'Sesame-4711',
    200,
    'true',
    undefined,
  ])
  for (const table of ['idempotency_keys', 'audit_events', 'runs']) {
    const { rows } = await sql<{
      kept: string
    }>`select coalesce(string_agg(kept::text, ' '), '') as kept from ${sql.ref(table)} kept`.execute(server.owner)
    expect([table, rows[0]?.kept.includes('Sesame')]).toEqual([table, false])
  }
  expect((await add(1, 'sealed', { amount: 2, code: 'Sesame-4711' })).status).toBe(409)
})

test('an unexpected failure stores nothing, so that the same key can be tried again', async () => {
  expect((await add(7, 'failed', { amount: 9, ending: 'fail' })).status).toBe(500)
  const { rows } = await sql`select 1 from idempotency_keys where key = 'failed'`.execute(server.db)
  expect(rows).toEqual([])
})

test('after 24 hours a key is deleted and can be reused', async () => {
  await add(8, 'old', { amount: 1 })
  await sql`update idempotency_keys set created_at = created_at - interval '25 hours' where key = 'old'`.execute(server.db)
  const later = await add(8, 'old', { amount: 2 })
  expect([later.status, later.headers.get('idempotency-replayed'), later.body.amount]).toEqual([200, null, 3])
  await sql`update idempotency_keys set created_at = created_at - interval '25 hours' where key = 'old'`.execute(server.db)
  expect(await forgetOldKeys(server.db as unknown as Tx)).toBe(1)
})

test.each([
  ['empty', ''],
  ['longer than 200', 'x'.repeat(201)],
  ['not printable', 'caf\u00e9'],
])('a key that is %s is 400', async (_, key) => {
  expect((await add(9, key, { amount: 1 })).body).toMatchObject({ status: 400, code: 'malformed-request' })
})
