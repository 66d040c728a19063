import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptInvitation, invite } from '#server/auth/invitation.ts'
import { confirmReset, requestReset } from '#server/auth/reset.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { type TestPerson, createPerson, testAuth } from '#tests/support/people.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

const caller = { address: '203.0.113.9', device: null }
const eventsOf = (id: string) =>
  server.db
    .selectFrom('audit_events')
    .select(['intent', 'status', 'actor_id', 'actor_name', 'category', 'after'])
    .where('entity', '=', 'person')
    .where('entity_id', '=', id)
    .orderBy('id')
    .execute()
const intentsOf = async (id: string) => (await eventsOf(id)).map((event) => event.intent)
const tryPassword = (email: string, password: string) => call(server, 'POST', '/auth', { body: { email, password } })
const reset = async (person: TestPerson, password: string) => {
  const context = { db: server.db, caller, auth: testAuth, now: new Date() }
  await requestReset(context, person.email)
  const mail = await server.db
    .selectFrom('outbox')
    .select('body')
    .where('recipient', '=', person.email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await confirmReset(context, { email: person.email, code: /\d{6}/.exec(mail.body)?.[0] as string, password })
}

test('a sign-in and a sign-out are in the audit, with who and from where', async () => {
  const person = await createPerson(server.db, { name: 'Ida In' })
  const headers = await signInAs(server, person)
  expect((await call(server, 'POST', '/auth/logout', { headers })).status).toBe(200)
  const about = { actor_id: person.id, actor_name: 'Ida In', category: 'security', after: { address: '127.0.0.1' } }
  expect(await eventsOf(person.id)).toEqual([
    { intent: 'person.sign-in', status: 'Signed in', ...about },
    { intent: 'person.sign-out', status: 'Signed out', ...about },
  ])
})

test('an authenticator that is set up is in the audit, before the sign-in that it completes', async () => {
  const person = await createPerson(server.db, { totpSecret: null })
  await signInAs(server, person)
  expect(await intentsOf(person.id)).toEqual(['person.set-up-authenticator', 'person.sign-in'])
})

test('failed passwords and codes are in the audit, and the one that locks out says until when', async () => {
  const person = await createPerson(server.db)
  const { body: challenge } = await tryPassword(person.email, person.password)
  const wrong = codeOfStep(person.totpSecret as string, stepAt(new Date()) + 9)
  const code = { step: 'SOFTWARE_TOKEN_MFA', session: challenge.session, code: wrong }
  expect((await call(server, 'POST', `/${person.id}/mfa`, { body: code })).status).toBe(401)
  for (let time = 0; time < 4; time += 1) expect((await tryPassword(person.email, 'Wrong-Pass-1')).status).toBe(401)
  expect((await tryPassword(person.email, person.password)).status).toBe(429)
  const events = await eventsOf(person.id)
  expect(events.map(({ intent, after }) => [intent, (after as { step?: string }).step])).toEqual([
    ['person.fail-sign-in', 'code'],
    ...Array.from({ length: 4 }, () => ['person.fail-sign-in', 'password']),
    ['person.lock-out', undefined],
  ])
  const { until } = (events.at(-1)?.after ?? {}) as { until?: string }
  expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now())
  expect(JSON.stringify(events)).not.toContain('Wrong-Pass-1')
})

test('a failed sign-in with an e-mail that nobody has is in the audit too', async () => {
  expect((await tryPassword('nobody.there@example.com', 'Wrong-Pass-1')).status).toBe(401)
  expect((await eventsOf('nobody')).at(-1)).toMatchObject({
    intent: 'person.fail-sign-in',
    after: { address: '127.0.0.1', email: 'nobody.there@example.com' },
  })
})

test('a first password and a changed one are in the audit, without the password', async () => {
  const invited = await createPerson(server.db)
  const link = await server.db.transaction().execute((tx) => invite(tx, invited.id, testAuth, new Date()))
  const token = link.split('token=')[1] as string
  await acceptInvitation({ db: server.db, caller, auth: testAuth, now: new Date() }, { token, password: 'Chosen-Pass-1' })
  await reset(invited, 'Changed-Pass-1')
  const events = await eventsOf(invited.id)
  expect(events.map(({ status, after }) => [status, after])).toEqual([
    ['Password chosen', { address: '203.0.113.9' }],
    ['Password changed', { address: '203.0.113.9' }],
  ])
})

test('what is rolled back leaves no event', async () => {
  const person = await createPerson(server.db)
  const link = await server.db.transaction().execute((tx) => invite(tx, person.id, testAuth, new Date()))
  await server.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', person.id).execute()
  const body = { token: link.split('token=')[1] as string, password: 'Chosen-Pass-1' }
  await expect(acceptInvitation({ db: server.db, caller, auth: testAuth, now: new Date() }, body)).rejects.toMatchObject({
    code: 'link-invalid',
  })
  expect(await eventsOf(person.id)).toEqual([])
})
