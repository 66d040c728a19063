import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { requestDeviceLink } from '#server/auth/device-link.ts'
import { lockOut } from '#server/auth/lock-out.ts'
import { hashPassword } from '#server/auth/password.ts'
import { checkResetCode, confirmReset, requestReset } from '#server/auth/reset.ts'
import { authenticate, endSessionsOf, startSession } from '#server/auth/session.ts'
import { type SignIn, answerPassword } from '#server/auth/sign-in.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { createPerson, testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T09:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
let addresses = 0
const from = (over: Partial<SignIn> = {}): SignIn => ({
  db: database.db,
  auth: testAuth,
  now: start,
  caller: { address: `198.51.100.${++addresses}`, device: null },
  ...over,
})
const mailTo = (email: string) =>
  database.db.selectFrom('outbox').selectAll().where('recipient', '=', email).orderBy('id', 'desc').execute()
const codeFor = async (email: string) => /\b\d{6}\b/.exec((await mailTo(email))[0]?.body ?? '')?.[0] as string
const other = (code: string) => (code === '000000' ? '000001' : '000000')
const invalid = { status: 400, code: 'authorization-code-invalid', detail: 'Invalid authorization code' }
const chosen = 'Chosen-Pass-2'
const waiting = sql<{ count: number }>`select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'`

describe('a forgotten password', () => {
  test('is replaced by a code, which is checked without using it up and then used once', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email.toUpperCase())
    const code = await codeFor(person.email)
    for (let time = 0; time < 7; time += 1) await checkResetCode(context, person.email, code)
    await confirmReset(context, { email: person.email, code, password: chosen })
    expect(await answerPassword(from(), { email: person.email, password: chosen })).toHaveProperty('challenge')
    await expect(answerPassword(from(), person)).rejects.toMatchObject({ code: 'credentials-invalid' })
    await expect(confirmReset(context, { email: person.email, code, password: 'Another-Pass-3' })).rejects.toMatchObject(invalid)
  })

  test('resetting it ends every session and does not skip two-factor', async () => {
    const person = await createPerson(database.db)
    const tokens = await Promise.all(
      [1, 2].map(() =>
        database.db
          .transaction()
          .execute(async (tx) => (await startSession(tx, person.id, from().caller, testAuth, start)).token),
      ),
    )
    const context = from()
    await requestReset(context, person.email)
    const halfWay = (await answerPassword(context, person)) as { session: string }
    await confirmReset(context, { email: person.email, code: await codeFor(person.email), password: chosen })
    for (const token of tokens)
      await expect(authenticate(database.db, token, start, { ...testAuth, activity: true })).rejects.toMatchObject({
        code: 'session-expired',
      })
    const challenges = await database.db.selectFrom('challenges').selectAll().where('person_id', '=', person.id).execute()
    expect(challenges).toEqual([])
    expect(halfWay.session).toBeTruthy()
    expect(await answerPassword(context, { email: person.email, password: chosen })).toMatchObject({
      challenge: 'SOFTWARE_TOKEN_MFA',
    })
    const kept = await database.db
      .selectFrom('people')
      .select('totp_secret')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(kept.totp_secret).toBe(person.totpSecret)
  })

  test('a concurrent sign-in with the old password does not survive the reset', async () => {
    const person = await createPerson(database.db)
    const signingIn = await database.db.transaction().execute(async (tx) => {
      await sql`select from people where id = ${person.id} for update`.execute(tx)
      const answer = answerPassword(from(), person).catch((error: unknown) => error)
      await vi.waitUntil(async () => (await waiting.execute(database.db)).rows[0]?.count === 1, 5_000)
      const password_hash = await hashPassword(chosen, testAuth.passwordCost)
      await tx.updateTable('people').set({ password_hash }).where('id', '=', person.id).execute()
      await endSessionsOf(tx, person.id, 'PASSWORD_CHANGED', start)
      return [answer]
    })
    expect(await signingIn[0]).toMatchObject({ code: 'credentials-invalid' })
    expect(await answerPassword(from(), { email: person.email, password: chosen })).toHaveProperty('challenge')
  })

  test('a code or link requested while the e-mail changes is useless to the old address', async () => {
    const person = await createPerson(database.db)
    const context = from()
    const links = await database.db.transaction().execute(async (tx) => {
      await lockOut(tx, person.id, 'PASSWORD_CHANGED', start)
      await tx
        .updateTable('people')
        .set({ email: `new.${person.email}` })
        .where('id', '=', person.id)
        .execute()
      const asked = requestDeviceLink(context, person.email)
      await requestReset(context, person.email)
      await vi.waitUntil(async () => (await waiting.execute(database.db)).rows[0]?.count === 1, 5_000)
      return [asked]
    })
    await links[0]
    const [mail, ...others] = await mailTo(person.email)
    expect([mail?.subject, others]).toEqual(['Your password reset code', []])
    const code = /\b\d{6}\b/.exec(mail?.body ?? '')?.[0] as string
    await expect(confirmReset(context, { email: person.email, code, password: chosen })).rejects.toMatchObject(invalid)
    const signIn = { email: `new.${person.email}`, password: person.password }
    expect(await answerPassword(from(), signIn)).toHaveProperty('challenge')
  })

  test('[ERR-005] a wrong code is refused, and after five wrong ones the right one, too', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email)
    const code = await codeFor(person.email)
    for (let time = 0; time < 5; time += 1)
      await expect(checkResetCode(context, person.email, other(code))).rejects.toMatchObject(invalid)
    await expect(confirmReset(context, { email: person.email, code, password: chosen })).rejects.toMatchObject(invalid)
  })

  test('a hundred concurrent guesses count as five', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email)
    const code = await codeFor(person.email)
    const guess = other(code)
    await Promise.allSettled(Array.from({ length: 100 }, () => checkResetCode(context, person.email, guess)))
    const kept = await database.db
      .selectFrom('reset_codes')
      .select('tries')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    expect(kept.tries).toBe(5)
  })

  test('[ERR-005] a code is valid for 10 minutes', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email)
    const code = await codeFor(person.email)
    await checkResetCode({ ...context, now: later(599) }, person.email, code)
    await expect(checkResetCode({ ...context, now: later(600) }, person.email, code)).rejects.toMatchObject(invalid)
  })

  test('a code used twice concurrently sets one password', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email)
    const code = await codeFor(person.email)
    const results = await Promise.allSettled(
      [1, 2, 3].map((n) => confirmReset(context, { email: person.email, code, password: `Chosen-Pass-${n}` })),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })

  test('other people can neither use up the tries nor replace the code by requesting another', async () => {
    const person = await createPerson(database.db)
    const context = from()
    await requestReset(context, person.email)
    const code = await codeFor(person.email)
    const stranger = from()
    for (let time = 0; time < 6; time += 1)
      await expect(checkResetCode(stranger, person.email, code)).rejects.toMatchObject(invalid)
    await requestReset(stranger, person.email)
    await checkResetCode(context, person.email, code)
  })

  test('an unknown e-mail gets the same answer, and no mail is sent', async () => {
    const context = from()
    await expect(requestReset(context, 'nobody@example.com')).resolves.toBeUndefined()
    expect(await mailTo('nobody@example.com')).toEqual([])
    await expect(checkResetCode(context, 'nobody@example.com', '123456')).rejects.toMatchObject(invalid)
  })

  test('repeated requests are limited, so that no mailbox is flooded', async () => {
    const person = await createPerson(database.db)
    const context = from()
    for (let time = 0; time < 8; time += 1) await requestReset(context, person.email)
    expect(await mailTo(person.email)).toHaveLength(5)
    for (let time = 0; time < 30; time += 1) await requestReset(from(), person.email)
    expect(await mailTo(person.email)).toHaveLength(20)
    await requestReset({ ...context, now: later(3601) }, person.email)
    expect(await mailTo(person.email)).toHaveLength(21)
  })
})
