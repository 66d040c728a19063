import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPerson, type TestPerson } from '#tests/support/people.ts'
import { asking } from '#tests/support/asking.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

let server: TestServer
let person: TestPerson
/** The current session, and two others of the same person. */
let here: { headers: Record<string, string> }
let windows: typeof here
let phone: typeof here
const { send, good } = asking(
  () => server,
  () => here,
)

beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  person = await createPerson(server.db)
  here = { headers: await signInAs(server, person) }
  windows = { headers: await signInAs(server, person, { 'user-agent': firefox }) }
  phone = { headers: await signInAs(server, person, { 'user-agent': safari }) }
})

const sessions = async (as = here) => (await good('GET', '/sessions', undefined, as)).sessions
const called = async (device: string) => (await sessions()).find((one: { device: string }) => one.device === device)
const events = () =>
  server.db
    .selectFrom('audit_events')
    .select(['intent', 'status', 'text', 'before', 'after'])
    .where('entity', '=', 'person')
    .where('entity_id', '=', person.id)
    .where('intent', 'like', 'session.%')
    .orderBy('id')
    .execute()

test('a person sees their sessions with device, address, start, last use, and the current one', async () => {
  const all = await sessions()
  expect(all.map(({ device, state }: { device: string; state: string }) => [device, state]).sort()).toEqual([
    ['Firefox 140 on Windows', 'OTHER'],
    ['Safari 18 on iPhone', 'OTHER'],
    ['Unknown device', 'CURRENT'],
  ])
  for (const one of all) {
    expect(one.address).toMatch(/127\.0\.0\.1$/)
    for (const at of [one.created_at, one.last_active_at]) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
    expect(Date.parse(one.expires_at) - Date.parse(one.created_at)).toBe(8 * 3_600_000)
    expect(await good('GET', `/sessions/${one.id}`)).toEqual(one)
  }
  expect(JSON.stringify(all)).not.toContain('token')
  expect(await good('GET', '/sessions/count')).toEqual({ count: 3, exact: true })
  expect((await good('GET', '/sessions?q=iphone')).sessions).toHaveLength(1)
  const first = await good('GET', '/sessions?limit=2&sort=created_at')
  const rest = await good('GET', `/sessions?limit=2&sort=created_at&lek=${first.lek}`)
  expect([...first.sessions, ...rest.sessions].map(({ device }: { device: string }) => device)).toEqual([
    'Safari 18 on iPhone',
    'Firefox 140 on Windows',
    'Unknown device',
  ])
})

test('ending another session refuses its next call, keeps the rest, and is in the audit', async () => {
  const { id } = await called('Firefox 140 on Windows')
  expect(await good('DELETE', `/sessions/${id}`, {})).toMatchObject({ id, device: 'Firefox 140 on Windows', state: 'OTHER' })
  const refused = await send('GET', '/me', undefined, windows)
  expect(refused).toMatchObject({
    status: 401,
    body: {
      code: 'session-ended',
      detail: 'This session was ended elsewhere. Please login again to continue working.',
    },
  })
  for (const other of [here, phone]) expect((await send('GET', '/me', undefined, other)).status).toBe(200)
  expect(await sessions()).toHaveLength(2)
  expect((await send('GET', `/sessions/${id}`)).status).toBe(404)
  // A repeated call is the same, and is executed once.
  await good('DELETE', `/sessions/${id}`, {})
  expect(await events()).toEqual([
    {
      intent: 'session.end',
      status: 'Session ended',
      text: expect.stringMatching(/^Firefox 140 on Windows, .*127\.0\.0\.1$/),
      before: {},
      after: {},
    },
  ])
})

test('the current session cannot be ended, only signed out of', async () => {
  const { id } = await called('Unknown device')
  const refused = await send('DELETE', `/sessions/${id}`, {})
  expect([refused.status, refused.body.code]).toEqual([409, 'session-at-hand'])
  expect((await send('GET', '/me')).status).toBe(200)
})

test('signing out everywhere else ends the other sessions of this person only', async () => {
  const stranger = await createPerson(server.db)
  const away = { headers: await signInAs(server, stranger) }
  expect(await good('DELETE', '/sessions', {})).toEqual({ ended: 2 })
  for (const other of [windows, phone]) expect((await send('GET', '/me', undefined, other)).body.code).toBe('session-ended')
  for (const going of [here, away]) expect((await send('GET', '/me', undefined, going)).status).toBe(200)
  expect(await sessions()).toHaveLength(1)
  expect(await good('DELETE', '/sessions', {})).toEqual({ ended: 0 })
  expect((await events()).map(({ status, text }) => [status, text])).toEqual([['Signed out everywhere else', '2 ended']])
})

test('nobody sees, counts or ends the sessions of other people, whatever their rights', async () => {
  const admin = await createPerson(server.db, { groups: [1] })
  const other = { headers: await signInAs(server, admin) }
  const { id } = await called('Safari 18 on iPhone')
  expect((await sessions(other)).map(({ state }: { state: string }) => state)).toEqual(['CURRENT'])
  expect((await good('GET', '/sessions/count', undefined, other)).count).toBe(1)
  expect((await good('GET', `/sessions?from-id=${id}`, undefined, other)).sessions).toEqual([])
  for (const method of ['GET', 'DELETE'])
    expect((await send(method, `/sessions/${id}`, method === 'GET' ? undefined : {}, other)).status).toBe(404)
  expect((await send('GET', '/me', undefined, phone)).status).toBe(200)
  const { lek } = await good('GET', '/sessions?limit=1')
  expect((await send('GET', `/sessions?limit=1&lek=${lek}`, undefined, other)).body.code).toBe('cursor-invalid')
})

test('an expired session is not listed', async () => {
  const { id } = await called('Firefox 140 on Windows')
  await server.db
    .updateTable('sessions')
    .set({ last_active_at: new Date(Date.now() - 3_600_000) })
    .where('id', '=', id)
    .execute()
  expect(await sessions()).toHaveLength(2)
  expect((await send('DELETE', `/sessions/${id}`, {})).status).toBe(404)
  expect((await send('GET', '/me', undefined, windows)).body.code).toBe('session-idle')
})
