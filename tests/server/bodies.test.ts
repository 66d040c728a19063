import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createCompany } from '#tests/support/company.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let priya: SignedIn
let ada: SignedIn
let sam: SignedIn
let organizationId: number

beforeAll(async () => {
  server = await createServer()
  priya = await personWith(server, [2, 3, 4, 8, 1002, 1003, 1020], 'Priya Raman')
  ada = await personWith(server, [2, 3, 4, 8, 1002, 1003, 1020], 'Ada Admin')
  sam = await personWith(server, [2], 'Sam Okoye')
  organizationId = (await createCompany(server.db, 'Harbor', 1)).organizationId
})
afterAll(() => server.close())

/** Sends the head and the beginning of a body; resolves with the answer when the connection closes, or after `soon`. */
async function half(path: string, headers: Record<string, string>, begin = '') {
  const { hostname, port } = new URL(server.origin)
  const socket: Socket = connect(Number(port), hostname)
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    text += data
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', ...headers })
  socket.write(`POST /api${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${begin}`)
  return {
    socket,
    text: () => text,
    status: async () => {
      if (text === '') await Promise.race([new Promise((resolve) => socket.once('data', resolve)), closed])
      return Number(text.split(' ')[1])
    },
  }
}

const ofLength = (length: number, headers: Record<string, string> = {}) => ({ ...headers, 'content-length': String(length) })
const upload = (who: SignedIn, content = 'x'.repeat(1_500_000)) =>
  call(server, 'POST', '/imports', {
    ...who,
    body: { organization_id: organizationId, file: { name: 'harbor_ee.csv', content: btoa(content) } },
  })

test('public and unknown paths accept short bodies only', async () => {
  const long = { email: 'a@example.com', password: 'x'.repeat(20_000) }
  for (const path of ['/auth', '/auth/forgot-password', '/nowhere'])
    expect([path, (await call(server, 'POST', path, { body: long })).status]).toEqual([path, 413])
  const unsaid = await half('/auth', { 'transfer-encoding': 'chunked' }, `5000\r\n${' '.repeat(0x5000)}`)
  expect(await unsaid.status()).toBe(413)
})

test('a longer body is only read from a signed-in person with the permission', async () => {
  for (const [path, headers, status] of [
    ['/runs', server.application, 401],
    ['/runs', { ...server.application, authorization: 'Bearer nobody' }, 401],
    ['/mappings/employees', sam.headers, 403],
    ['/imports', sam.headers, 403],
  ] as [string, Record<string, string>, number][]) {
    // Sends the head alone: a server that waited for the body would never answer.
    const { status: answered } = await half(path, ofLength(1_000_000, headers))
    expect([path, status, await answered()]).toEqual([path, status, status])
  }
})

test.each([
  ['a deep nest', `{"ids":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ['more than 1 MB', JSON.stringify({ ids: 'x'.repeat(1_100_000) }), 413],
])('a body of a signed-in person that is %s gets a problem document', async (_, body, status) => {
  const headers = { ...priya.headers, 'content-type': 'application/json' }
  const response = await fetch(`${server.origin}/api/runs`, { method: 'POST', headers, body })
  expect([response.status, (await response.json()).status]).toEqual([status, status])
})

test('the oldest unfinished anonymous body makes room for the next one', async () => {
  const flood = []
  for (let at = 0; at < 1_100; at += 100)
    flood.push(...(await Promise.all(Array.from({ length: 100 }, () => half('/auth', { 'transfer-encoding': 'chunked' })))))
  expect(await flood[0]?.status()).toBe(503)
  expect(flood[0]?.text()).toContain('Too much is being received right now. Try again in a few seconds.')
  const signIn = await call(server, 'POST', '/auth', { body: { email: 'a@example.com', password: 'wrong' } })
  expect(signIn.status).toBe(401)
  expect(flood.at(-1)?.text()).toBe('')
})

test('one person cannot take all uploads, and a dripping upload is ended', async () => {
  const halves = await Promise.all([1, 2, 3].map(() => half('/imports', ofLength(40_000_000, priya.headers), '{')))
  const dripping = setInterval(() => halves.map(({ socket }) => socket.write(' ')), 1_000)
  onTestFinished(() => clearInterval(dripping))
  const refused = await Promise.race(halves.map((one) => one.status().then(() => one)))
  expect(refused.text()).toContain('Several files are being received right now. Try again in a few seconds.')
  expect((await upload(ada)).body).toMatchObject({ file_name: 'harbor_ee.csv' })
  for (const slow of halves.filter((one) => one !== refused)) {
    expect(await slow.status()).toBe(408)
    expect(slow.text()).toContain('The request took too long to arrive.')
  }
  expect((await upload(priya, `other\n${'y'.repeat(1_500_000)}`)).status).toBe(201)
})

test('finding out the sender of a long body counts towards the timeout', async () => {
  const own = await createServer()
  const who = await personWith(own, [2, 1002], 'Late Admin')
  const found = Promise.withResolvers<void>()
  const lock = own.owner.transaction().execute(async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx)
    await found.promise
  })
  const locks = (granted: boolean) =>
    sql`select 1 from pg_locks where relation::regclass::text = 'sessions' and granted = ${granted}`.execute(own.owner)
  await expect.poll(async () => (await locks(true)).rows.length).toBe(1)
  const ids = Array.from({ length: 3_000 }, (_, at) => String(100_000 + at))
  const ask = () => call(own, 'POST', '/runs/targets', { ...who, body: { noun: 'employees', ids } })
  const answer = ask()
  await expect.poll(async () => (await locks(false)).rows.length).toBeGreaterThan(0)
  // Less than it has already taken to find out the sender: no time is left for the rest.
  await setTimeout(1_100)
  own.services.answerWithin = 1_000
  found.resolve()
  expect(await answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  own.services.answerWithin = 30_000
  expect((await ask()).status).toBe(200)
  await lock
  await own.close()
})
