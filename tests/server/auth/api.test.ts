import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Me } from '#contract/session.ts'
import { groups } from '#domain/permission-groups.ts'
import { createDemoPeople, demoPassword } from '#server/auth/demo-people.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { putSetting } from '#server/tables/setting.ts'
import { createPerson } from '#tests/support/people.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { applicationHeaders, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
beforeAll(async () => {
  server = await createServer()
})
afterAll(() => server.close())

const unsafe = 'This application is not known here. Reload the page; if it stays, the address or the application key is wrong.'

describe('the application key', () => {
  test('[API-005] GET credentials returns it for the public key only', async () => {
    const good = await call(server, 'GET', '/credentials', {
      headers: { 'application-key': 'public-local', 'application-name': 'ADMIN_PORTAL' },
    })
    expect(good).toMatchObject({ status: 200, body: { application_key: expect.stringMatching(/^[\w-]{43}$/) } })
    const again = await applicationHeaders(server)
    expect(again['application-key']).toBe(good.body.application_key)
    for (const key of ['', 'public', good.body.application_key]) {
      const bad = await call(server, 'GET', '/credentials', {
        headers: { 'application-key': key, 'application-name': 'ADMIN_PORTAL' },
      })
      expect(bad).toMatchObject({ status: 401, body: { code: 'application-key-invalid', detail: unsafe } })
    }
  })

  test('[API-002] [API-003] [API-004] every other call needs it, the application name, and the token of the person', async () => {
    const headers = await signInAs(server, await createPerson(server.db))
    expect((await call(server, 'GET', '/me', { headers })).status).toBe(200)
    const wrong = [
      ['application-key', ''],
      ['application-key', 'public-local'],
      ['application-name', 'OTHER'],
    ] as const
    for (const [name, value] of wrong) {
      const bad = await call(server, 'GET', '/me', { headers: { ...headers, [name]: value } })
      expect(bad).toMatchObject({ status: 401, body: { code: 'application-key-invalid' } })
    }
    const nobody = await call(server, 'GET', '/me')
    expect(nobody).toMatchObject({ status: 401, body: { code: 'not-signed-in' } })
    const stranger = await call(server, 'GET', '/me', { headers: { ...headers, authorization: 'Bearer never' } })
    expect(stranger).toMatchObject({ status: 401, body: { code: 'session-expired' } })
  })

  test('GET credentials replaces a retired key by one new key', async () => {
    const other = await createServer()
    try {
      const before = await applicationHeaders(other)
      await other.db.updateTable('application_keys').set({ retired_at: new Date() }).execute()
      const [one, two] = await Promise.all([applicationHeaders(other), applicationHeaders(other)])
      expect(one['application-key']).not.toBe(before['application-key'])
      expect(two).toEqual(one)
      expect((await call(other, 'POST', '/auth', { headers: one, body: {} })).status).toBe(422)
    } finally {
      await other.close()
    }
  })
})

describe('signing in', () => {
  test('[API-006] [API-007] POST auth returns a challenge, POST {userId}/mfa the token', async () => {
    const person = await createPerson(server.db)
    const challenge = await call(server, 'POST', '/auth', { body: { email: person.email, password: person.password } })
    expect(challenge).toMatchObject({ status: 200, body: { challenge: 'SOFTWARE_TOKEN_MFA', user_id: person.id } })
    const reply = await call(server, 'POST', `/${person.id}/mfa`, {
      body: {
        step: 'SOFTWARE_TOKEN_MFA',
        session: challenge.body.session,
        code: codeOfStep(person.totpSecret as string, stepAt(new Date())),
      },
    })
    expect(reply).toMatchObject({ status: 200, body: { access_token: expect.any(String) } })
  })

  test('[AUTH-009] [AUTH-015] [AUTH-016] missing or malformed values are reported field by field', async () => {
    const person = await createPerson(server.db)
    const errorsOf = async (path: string, body: unknown) => {
      const reply = await call(server, 'POST', path, { body })
      expect([reply.status, reply.body.code]).toEqual([422, 'validation-failed'])
      return Object.fromEntries(reply.body.errors.map((error: { path: string; message: string }) => [error.path, error.message]))
    }
    expect(await errorsOf('/auth', { email: '', password: '' })).toEqual({
      email: 'E-mail is required',
      password: 'This is a required field.',
    })
    expect(await errorsOf('/auth', { email: 'priya', password: 'x' })).toEqual({ email: 'Enter a valid e-mail address' })
    const answer = { step: 'SOFTWARE_TOKEN_MFA', session: 'x' }
    expect(await errorsOf(`/${person.id}/mfa`, { ...answer, code: '' })).toEqual({ code: 'This is a required field.' })
    expect(await errorsOf(`/${person.id}/mfa`, { ...answer, code: '12345' })).toEqual({ code: 'The code must be 6 digits' })
  })

  test.each([
    ['AUTH-010', 'Aa1!', 'The password needs at least 8 characters.'],
    ['AUTH-011', 'AAAAAA1!', 'The password needs 1 lowercase letter.'],
    ['AUTH-012', 'aaaaaa1!', 'The password needs 1 uppercase letter.'],
    ['AUTH-013', 'Aaaaaaa!', 'The password needs 1 number.'],
    ['AUTH-014', 'Aaaaaaa1', 'The password needs 1 special character.'],
  ])('[%s] the new password %s is refused: %s', async (_, password, message) => {
    const reply = await call(server, 'POST', '/auth/forgot-password/confirm', {
      body: { email: 'a@example.com', code: '123456', password },
    })
    expect([reply.status, reply.body.errors[0].message]).toEqual([422, message])
  })

  test('too many attempts are reported in the sentence, in seconds, and in the header', async () => {
    const person = await createPerson(server.db)
    const headers = { ...server.application, 'device-id': 'some-device' }
    const body = { email: person.email, password: 'Wrong-Pass-1' }
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await call(server, 'POST', '/auth', { headers, body })).status).toBe(401)
    const locked = await call(server, 'POST', '/auth', { headers, body })
    expect(locked).toMatchObject({ status: 429, body: { code: 'too-many-attempts' } })
    expect(locked.body.detail).toMatch(/^Too many attempts\. Try again in \d+ seconds\.$/)
    expect(Number(locked.headers.get('retry-after'))).toBe(locked.body.retry_after)
  })

  test('[ERR-005] a forgotten password always gets 202; a wrong code is an invalid authorization code', async () => {
    const person = await createPerson(server.db)
    const known = await call(server, 'POST', '/auth/forgot-password', { body: { email: person.email } })
    const unknown = await call(server, 'POST', '/auth/forgot-password', { body: { email: 'nobody@example.com' } })
    expect([known.status, known.body]).toEqual([202, {}])
    expect([unknown.status, unknown.body]).toEqual([202, {}])
    for (const email of [person.email, 'nobody@example.com']) {
      const bad = await call(server, 'POST', '/auth/forgot-password/verify', { body: { email, code: '000000' } })
      expect(bad).toMatchObject({
        status: 400,
        body: { code: 'authorization-code-invalid', detail: 'Invalid authorization code' },
      })
    }
  })

  test('[ERR-001] [ERR-002] [ERR-003] [ERR-004] an internal error is reported without any detail', async () => {
    const broken = await createServer()
    try {
      const challenge = '00000000-0000-4000-8000-000000000009'
      for (const table of ['challenges', 'attempt_limits', 'reset_codes']) await broken.owner.schema.dropTable(table).execute()
      const email = 'a@example.com'
      const calls = [
        ['/auth', { email, password: 'x' }],
        ['/auth/forgot-password', { email }],
        ['/auth/forgot-password/confirm', { email, code: '123456', password: demoPassword }],
        [`/${challenge}/mfa`, { step: 'SOFTWARE_TOKEN_MFA', session: 'x', code: '123456' }],
      ] as const
      for (const [path, body] of calls) {
        const reply = await call(broken, 'POST', path, { body })
        expect(reply).toMatchObject({
          status: 500,
          body: { code: 'internal-error', detail: 'Something went wrong. Try again later.' },
        })
        expect(JSON.stringify(reply.body)).not.toMatch(/relation|challenges|attempt_limits|reset_codes/)
      }
    } finally {
      await broken.close()
    }
  })
})

describe('the session', () => {
  test('[CARD-011] admins and account managers both sign in, each with their own rights', async () => {
    const admin = await createPerson(server.db, { name: 'Ada Admin', groups: [1] })
    const manager = await createPerson(server.db, {
      name: 'Mo Manager',
      kind: 'ACCOUNT_MANAGER',
      groups: [3],
      permissions: [1013],
    })
    const [ofAdmin, ofManager] = await Promise.all(
      [admin, manager].map(async (person) =>
        Me.parse((await call(server, 'GET', '/me', { headers: await signInAs(server, person) })).body),
      ),
    )
    expect(ofAdmin).toMatchObject({
      person: { id: admin.id, name: 'Ada Admin', email: admin.email, kind: 'ADMIN' },
      groups: [{ id: 1, name: 'super-admin' }],
      session: { idle_seconds: 900, warning_seconds: 120 },
      business_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      demo: false,
    })
    expect(ofAdmin?.permissions).toHaveLength(groups[0]?.permissions.length as number)
    expect(ofManager?.person.kind).toBe('ACCOUNT_MANAGER')
    expect(ofManager?.permissions.map((permission) => permission.short_name)).toEqual([
      'read:employees',
      'read:employers',
      'read:organizations',
      'read:timekeeping',
      'write:employees',
      'read:work-period-balances',
      'write:unpause',
    ])
  })

  test('[ERR-006] signing out ends only this session', async () => {
    const person = await createPerson(server.db)
    const [one, other] = [await signInAs(server, person), await signInAs(server, person)]
    expect((await call(server, 'POST', '/auth/logout', { headers: one, body: {} })).status).toBe(200)
    expect(await call(server, 'GET', '/me', { headers: one })).toMatchObject({
      status: 401,
      body: { code: 'session-expired', detail: 'Your session has expired. Please login again.' },
    })
    expect((await call(server, 'GET', '/me', { headers: other })).status).toBe(200)
  })

  test('[ERR-007] [CONST-013] background requests of a page do not keep a session alive', async () => {
    const person = await createPerson(server.db, { groups: [1] })
    const headers = await signInAs(server, person)
    const lastActive = new Date(Date.now() - 60_000)
    await server.db.updateTable('sessions').set({ last_active_at: lastActive }).where('person_id', '=', person.id).execute()
    const kept = async () =>
      (
        await server.db
          .selectFrom('sessions')
          .select('last_active_at')
          .where('person_id', '=', person.id)
          .executeTakeFirstOrThrow()
      ).last_active_at
    for (const path of ['/me', '/employees'])
      expect((await call(server, 'GET', path, { headers: { ...headers, 'x-background': '1' } })).status).toBe(200)
    expect(await kept()).toEqual(lastActive)
    await call(server, 'GET', '/employees', { headers })
    expect((await kept()).getTime()).toBeGreaterThan(lastActive.getTime())
    await server.db
      .updateTable('sessions')
      .set({ last_active_at: new Date(Date.now() - 900_000) })
      .where('person_id', '=', person.id)
      .execute()
    expect(await call(server, 'GET', '/employees', { headers })).toMatchObject({
      status: 401,
      body: {
        code: 'session-idle',
        detail: 'Your session has expired due to inactivity. Please login again to continue working.',
      },
    })
  })
})

describe('the demo accounts', () => {
  test('do not exist without the demo', async () => {
    await server.db.transaction().execute(createDemoPeople)
    expect(await call(server, 'GET', '/demo/accounts')).toMatchObject({ status: 404, body: { code: 'not-found' } })
  })

  test('GET me says whether the history of the demo is still being made', async () => {
    const demo = await createServer({ auth: { demo: true } })
    try {
      const headers = await signInAs(demo, await createPerson(demo.db))
      const pending = async () => (await call(demo, 'GET', '/me', { headers })).body.past_pending
      for (const [value, expected] of [
        ['{"today":"2026-06-15","after":0}', true],
        ['null', false],
      ] as const) {
        await putSetting(demo.owner, 'past-periods', value)
        expect(await pending()).toBe(expected)
      }
    } finally {
      await demo.close()
    }
  })

  test('show a valid code, the next code, and mails that were not sent', async () => {
    const demo = await createServer({ auth: { demo: true } })
    try {
      await demo.db.transaction().execute(createDemoPeople)
      const accounts = async () =>
        (await call(demo, 'GET', '/demo/accounts')).body.accounts as Record<string, string | number | null>[]
      const tom = async () => (await accounts()).find((account) => account.email === 'tom.berg@example.com')
      const used: unknown[] = []
      for (let time = 0; time < 2; time += 1) {
        const account = await tom()
        expect(account).toMatchObject({ wait: 0, seconds: expect.any(Number) })
        const challenge = await call(demo, 'POST', '/auth', { body: { email: account?.email, password: account?.password } })
        const reply = await call(demo, 'POST', `/${challenge.body.user_id}/mfa`, {
          body: { step: 'SOFTWARE_TOKEN_MFA', session: challenge.body.session, code: account?.code },
        })
        expect(reply.status).toBe(200)
        used.push(account?.code)
      }
      expect(used[0]).not.toBe(used[1])
      expect((await accounts()).find((account) => account.email === 'nadia.new@example.com')).toMatchObject({ code: null })
      const rebound = await demo.app.inject({
        url: '/api/demo/accounts',
        headers: { ...demo.application, host: 'portal.attacker.example' },
      })
      expect(rebound.statusCode).toBe(404)
      await call(demo, 'POST', '/auth/forgot-password', { body: { email: 'tom.berg@example.com' } })
      const { body } = await call(demo, 'GET', '/demo/accounts')
      expect(body.outbox).toEqual([
        expect.objectContaining({ to: 'tom.berg@example.com', text: expect.stringMatching(/is \d{6}\./) }),
      ])
    } finally {
      await demo.close()
    }
  })

  test('sign in one by one, each with the rights of its role', async () => {
    const me = async (email: string) => (await call(server, 'GET', '/me', { headers: await signInAs(server, email) })).body as Me
    expect((await me('priya.raman@example.com')).groups).toEqual([{ id: 1, name: 'super-admin' }])
    expect((await me('tom.berg@example.com')).groups.map((group) => group.name)).toEqual(['human-resources', 'payroll'])
    expect((await me('sam.okoye@example.com')).permissions.map((permission) => permission.id)).toEqual([2, 3, 4])
    expect((await me('maya.lindt@example.com')).person.kind).toBe('ACCOUNT_MANAGER')
    expect((await me('nadia.new@example.com')).person.name).toBe('Nadia New')
    // A write-off that one of them suggests is approved by another one.
    for (const email of ['priya.raman@example.com', 'tom.berg@example.com'])
      expect((await me(email)).permissions.map((permission) => permission.id)).toEqual(expect.arrayContaining([1, 1001, 1008]))
  })
})
