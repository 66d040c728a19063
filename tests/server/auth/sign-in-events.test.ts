import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFailure } from '#server/auth/failures.ts'
import { acceptInvitation, invite } from '#server/auth/invitation.ts'
import { confirmReset, requestReset } from '#server/auth/reset.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { forgetOld } from '#server/auth/housekeeping.ts'
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

test('sign-in and sign-out are in the audit, with person and address', async () => {
  const person = await createPerson(server.db, { name: 'Ida In' })
  const headers = await signInAs(server, person)
  expect((await call(server, 'POST', '/auth/logout', { headers })).status).toBe(200)
  const about = { actor_id: person.id, actor_name: 'Ida In', category: 'security', after: { address: '127.0.0.1' } }
  expect(await eventsOf(person.id)).toEqual([
    { intent: 'person.sign-in', status: 'Signed in', ...about },
    { intent: 'person.sign-out', status: 'Signed out', ...about },
  ])
})

test('setting up an authenticator is in the audit, before the sign-in that it completes', async () => {
  const person = await createPerson(server.db, { totpSecret: null })
  await signInAs(server, person)
  expect(await intentsOf(person.id)).toEqual(['person.set-up-authenticator', 'person.sign-in'])
})

const failuresOf = (who: string) =>
  server.db
    .selectFrom('failed_sign_ins')
    .select(['network', 'passwords', 'codes', 'lockouts', 'last_email'])
    .where('who', '=', who)
    .orderBy('hour')
    .execute()

test('failed passwords, codes and locks are summed by the hour instead of being events', async () => {
  const person = await createPerson(server.db)
  const { body: challenge } = await tryPassword(person.email, person.password)
  const wrong = codeOfStep(person.totpSecret as string, stepAt(new Date()) + 9)
  const code = { step: 'SOFTWARE_TOKEN_MFA', session: challenge.session, code: wrong }
  expect((await call(server, 'POST', `/${person.id}/mfa`, { body: code })).status).toBe(401)
  for (let time = 0; time < 4; time += 1) expect((await tryPassword(person.email, 'Wrong-Pass-1')).status).toBe(401)
  expect((await tryPassword(person.email, person.password)).status).toBe(429)
  expect(await eventsOf(person.id)).toEqual([])
  const sums = await failuresOf(person.id)
  const total = (name: 'passwords' | 'codes' | 'lockouts') => sums.reduce((sum, row) => sum + row[name], 0)
  expect([total('passwords'), total('codes'), total('lockouts')]).toEqual([4, 1, 1])
  expect(sums[0]).toMatchObject({ network: '127.0.0.1', last_email: null })
  expect(JSON.stringify(sums)).not.toContain('Wrong-Pass-1')
})

test('failed sign-ins of unknown e-mails are summed by hour and network, with a network limit', async () => {
  const failed = (address: string, email: string, now: Date) =>
    recordFailure(server.db, { email }, { address }, { step: 'password', locked: false, now })
  const now = new Date('2026-03-02T09:30:00Z')
  for (let time = 0; time < 5; time += 1) await failed('203.0.113.1', `nobody-${time}@example.com`, now)
  expect(await failuresOf('nobody')).toEqual([
    { network: '203.0.113.1', passwords: 5, codes: 0, lockouts: 0, last_email: 'nobody-4@example.com' },
  ])
  await sql`insert into failed_sign_ins (hour, who, network, last_at)
    select '2026-03-02T09:00:00Z', 'nobody', '198.51.' || n / 250 || '.' || n % 250, now() from generate_series(1, 999) n`.execute(
    server.db,
  )
  for (let time = 0; time < 5; time += 1) await failed(`192.0.2.${time}`, 'nobody@example.com', now)
  await failed('203.0.113.1', 'nobody@example.com', now)
  const sums = await failuresOf('nobody')
  expect(sums).toHaveLength(1_001)
  expect(sums.find((row) => row.network === 'elsewhere')?.passwords).toBe(5)
  expect(sums.find((row) => row.network === '203.0.113.1')?.passwords).toBe(6)
})

test('sums are kept for 90 days, other traces of guessing for a day', async () => {
  await tryPassword('nobody.there@example.com', 'Wrong-Pass-1')
  const left = async () => ({
    sums: (await failuresOf('nobody')).length > 0,
    guesses: (await server.db.selectFrom('guesses').select('scope').execute()).length > 0,
    limits: (await server.db.selectFrom('attempt_limits').select('scope').execute()).length > 0,
  })
  const inDays = (days: number) => forgetOld(server.db, new Date(Date.now() + days * 86_400_000))
  expect(await left()).toEqual({ sums: true, guesses: true, limits: true })
  await inDays(1.1)
  expect(await left()).toEqual({ sums: true, guesses: false, limits: false })
  await inDays(91)
  expect(await left()).toEqual({ sums: false, guesses: false, limits: false })
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

test('a rollback leaves no event', async () => {
  const person = await createPerson(server.db)
  const link = await server.db.transaction().execute((tx) => invite(tx, person.id, testAuth, new Date()))
  await server.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', person.id).execute()
  const body = { token: link.split('token=')[1] as string, password: 'Chosen-Pass-1' }
  await expect(acceptInvitation({ db: server.db, caller, auth: testAuth, now: new Date() }, body)).rejects.toMatchObject({
    code: 'link-invalid',
  })
  expect(await eventsOf(person.id)).toEqual([])
})
