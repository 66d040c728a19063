import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthReply } from '#contract/authentication.ts'
import { unseal } from '#server/auth/sealing.ts'
import { digest } from '#server/auth/secret.ts'
import { authenticate } from '#server/auth/session.ts'
import { answerCode, answerPassword, answerRecoveryCode, type SignIn } from '#server/auth/sign-in.ts'
import { codeOfStep, stepAt } from '#server/auth/totp.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { type TestPerson, createPerson, testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T09:00:10Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
let addresses = 0
const newAddress = () => ({ address: `203.0.113.${++addresses}`, device: null as string | null })

const from = (over: Partial<SignIn> = {}): SignIn => ({
  db: database.db,
  auth: testAuth,
  now: start,
  caller: newAddress(),
  ...over,
})

type Challenge = Extract<AuthReply, { challenge: unknown }>
type Token = Extract<AuthReply, { access_token: unknown }>
const password = async (context: SignIn, person: TestPerson) => (await answerPassword(context, person)) as Challenge
const code = async (context: SignIn, challenge: Challenge, secret: string, away = 0) =>
  (await answerCode(context, challenge.user_id, {
    step: challenge.challenge === 'MFA_SETUP' ? 'VERIFY_SOFTWARE_TOKEN' : 'SOFTWARE_TOKEN_MFA',
    session: challenge.session,
    code: codeOfStep(secret, stepAt(context.now) + away),
  })) as Token
const signIn = async (context: SignIn, person: TestPerson, away = 0) =>
  code(context, await password(context, person), person.totpSecret as string, away)
const wrong = { password: 'Wrong-Pass-1' }

describe('the steps', () => {
  test('[AUTH-004] [AUTH-005] a password returns a challenge, its code a token', async () => {
    const person = await createPerson(database.db)
    const context = from()
    const challenge = await password(context, person)
    expect(challenge).toEqual({ challenge: 'SOFTWARE_TOKEN_MFA', session: expect.any(String), user_id: person.id })
    const reply = await code(context, challenge, person.totpSecret as string)
    expect(reply).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      expires_at: later(8 * 3600).toISOString(),
      device: expect.stringMatching(/^[\w-]{43}$/),
    })
    const actor = await authenticate(database.db, reply.access_token, start, { ...testAuth, activity: true })
    expect(actor).toMatchObject({ id: person.id, email: person.email, kind: 'ADMIN' })
    const kept = await database.db.selectFrom('sessions').select('token_hash').where('person_id', '=', person.id).execute()
    expect(kept).toEqual([{ token_hash: digest(reply.access_token) }])
  })

  test('[AUTH-002] [AUTH-003] without an authenticator one is set up, and stored once its first code is right', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const context = from()
    const challenge = await password(context, person)
    expect(challenge.challenge).toBe('MFA_SETUP')
    expect(challenge.otpauth_uri).toContain(`secret=${challenge.secret}`)
    const secret = challenge.secret as string
    await expect(code(context, challenge, secret, 5)).rejects.toMatchObject({ status: 401, code: 'code-invalid' })
    expect((await password(context, person)).challenge).toBe('MFA_SETUP')
    expect(await code(context, challenge, secret)).toHaveProperty('access_token')
    expect((await password(from(), person)).challenge).toBe('SOFTWARE_TOKEN_MFA')
  })

  test('of two concurrent set-ups the first authenticator stays', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const context = from()
    const [one, other] = [await password(context, person), await password(context, person)]
    await code(context, one, one.secret as string)
    await expect(code(context, other, other.secret as string)).rejects.toMatchObject({ status: 401 })
    const { totp_secret } = await database.db
      .selectFrom('people')
      .select('totp_secret')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(totp_secret).not.toContain(one.secret)
    expect(unseal(testAuth.sealingKey, totp_secret as string, person.id)).toBe(one.secret)
  })

  test('the e-mail is case-insensitive', async () => {
    const person = await createPerson(database.db)
    expect(await password(from(), { ...person, email: person.email.toUpperCase() })).toHaveProperty('challenge')
  })

  test('a challenge is valid for its step, person and session, once and within 5 minutes', async () => {
    const person = await createPerson(database.db)
    const other = await createPerson(database.db)
    const context = from()
    const challenge = await password(context, person)
    const body = { step: 'SOFTWARE_TOKEN_MFA', session: challenge.session, code: '000000' } as const
    const expired = { status: 401, code: 'challenge-expired' }
    await expect(answerCode(context, person.id, { ...body, step: 'VERIFY_SOFTWARE_TOKEN' })).rejects.toMatchObject(expired)
    await expect(answerCode(context, other.id, body)).rejects.toMatchObject(expired)
    await expect(answerCode(context, person.id, { ...body, session: 'x' })).rejects.toMatchObject(expired)
    await expect(code({ ...context, now: later(300) }, challenge, person.totpSecret as string)).rejects.toMatchObject(expired)
    await code({ ...context, now: later(299) }, challenge, person.totpSecret as string)
    await expect(code({ ...context, now: later(299) }, challenge, person.totpSecret as string)).rejects.toMatchObject(expired)
  })

  test('a person removed between password and code is not let in', async () => {
    const person = await createPerson(database.db)
    const context = from()
    const challenge = await password(context, person)
    await database.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', person.id).execute()
    await expect(code(context, challenge, person.totpSecret as string)).rejects.toMatchObject({ code: 'challenge-expired' })
  })

  test('a person who was removed or has no password yet cannot sign in', async () => {
    const removed = await createPerson(database.db)
    await database.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', removed.id).execute()
    const invited = await createPerson(database.db)
    await database.db.updateTable('people').set({ password_hash: null }).where('id', '=', invited.id).execute()
    for (const person of [removed, invited])
      await expect(password(from(), person)).rejects.toMatchObject({ status: 401, code: 'credentials-invalid' })
  })
})

describe('a code', () => {
  test('is never accepted twice', async () => {
    const person = await createPerson(database.db)
    await signIn(from(), person)
    await expect(signIn(from(), person)).rejects.toMatchObject({ status: 401, code: 'code-invalid' })
    await signIn(from(), person, 1)
    await expect(signIn(from({ now: later(30) }), person, 0)).rejects.toMatchObject({ code: 'code-invalid' })
  })

  test('used concurrently succeeds once', async () => {
    const person = await createPerson(database.db)
    const challenges = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const context = from()
        return { context, challenge: await password(context, person) }
      }),
    )
    const results = await Promise.allSettled(
      challenges.map(({ context, challenge }) => code(context, challenge, person.totpSecret as string)),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    const sessions = await database.db.selectFrom('sessions').selectAll().where('person_id', '=', person.id).execute()
    expect(sessions).toHaveLength(1)
  })
})

describe('recovery codes', () => {
  /** Sets up an authenticator; returns its secret and the ten codes. */
  const setUp = async (person: TestPerson) => {
    const context = from()
    const challenge = await password(context, person)
    const { recovery_codes } = await code(context, challenge, challenge.secret as string)
    return { secret: challenge.secret as string, codes: recovery_codes as string[] }
  }
  const recover = async (person: TestPerson, recoveryCode: string, { replace = false, context = from() } = {}) => {
    const { user_id, session } = await password(context, person)
    return answerRecoveryCode(context, user_id, { session, recovery_code: recoveryCode, new_authenticator: replace })
  }
  const plain = (shown: string) => shown.replaceAll('-', '')
  const refused = { status: 401, code: 'code-invalid', detail: 'That recovery code is not right or was used already.' }

  test('set-up returns ten codes once, and only their hashes are stored', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const { codes, secret } = await setUp(person)
    expect(new Set(codes).size).toBe(10)
    for (const each of codes) expect(each).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    const rows = await database.db.selectFrom('recovery_codes').selectAll().where('person_id', '=', person.id).execute()
    expect(rows).toHaveLength(10)
    for (const each of codes) expect(JSON.stringify(rows)).not.toContain(plain(each))
    const context = from({ now: later(30) })
    expect(await code(context, await password(context, person), secret)).not.toHaveProperty('recovery_codes')
  })

  test('each code signs in once, and the response has the number of remaining codes', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const { codes } = await setUp(person)
    expect(await recover(person, plain(codes[0] as string))).toMatchObject({
      access_token: expect.any(String),
      recovery_codes_left: 9,
    })
    await expect(recover(person, plain(codes[0] as string))).rejects.toMatchObject(refused)
    expect(await recover(person, plain(codes[1] as string))).toMatchObject({ recovery_codes_left: 8 })
  })

  test('one code sent concurrently signs in once', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const [first] = (await setUp(person)).codes
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => recover(person, plain(first as string))))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('the code of another person is refused', async () => {
    const [one, other] = [
      await createPerson(database.db, { totpSecret: null }),
      await createPerson(database.db, { totpSecret: null }),
    ]
    const { codes } = await setUp(one)
    await setUp(other)
    await expect(recover(other, plain(codes[0] as string))).rejects.toMatchObject(refused)
  })

  test('five wrong codes close the challenge and count as failures of the account', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    await setUp(person)
    const context = from()
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(recover(person, '0'.repeat(16), { context })).rejects.toMatchObject(refused)
    await expect(password(context, person)).rejects.toMatchObject({ status: 429, code: 'too-many-attempts' })
  })

  test('a new authenticator replaces the current one once its first code is right', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const { codes, secret } = await setUp(person)
    const context = from({ now: later(60) })
    const challenge = (await recover(person, plain(codes[0] as string), { replace: true, context })) as Challenge
    expect(challenge).toMatchObject({ challenge: 'MFA_SETUP', user_id: person.id, secret: expect.any(String) })
    expect(challenge.secret).not.toBe(secret)
    // Until then the current one is valid.
    const before = from({ now: later(60) })
    expect(await code(before, await password(before, person), secret)).toHaveProperty('access_token')
    const reply = await code(context, challenge, challenge.secret as string)
    expect(reply.recovery_codes).toHaveLength(10)
    const after = from({ now: later(120) })
    await expect(code(after, await password(after, person), secret)).rejects.toMatchObject({ code: 'code-invalid' })
    expect(await code(after, await password(after, person), challenge.secret as string)).toHaveProperty('access_token')
    await expect(recover(person, plain(codes[1] as string))).rejects.toMatchObject(refused)
  })

  test('a set-up challenge accepts no recovery code', async () => {
    const person = await createPerson(database.db, { totpSecret: null })
    const { codes } = await setUp(person)
    await database.db.updateTable('people').set({ totp_secret: null }).where('id', '=', person.id).execute()
    await expect(recover(person, plain(codes[0] as string))).rejects.toMatchObject({ code: 'challenge-expired' })
  })
})

describe('a phone with a wrong clock', () => {
  test.each([
    [-6, 'about 3 minutes ago'],
    [2, 'about 1 minute from now'],
    [60, 'about 30 minutes from now'],
  ])('is named when its code is %i steps away, and the code is not accepted later', async (away, when) => {
    const person = await createPerson(database.db)
    await signIn(from(), person)
    await expect(signIn(from(), person, away)).rejects.toMatchObject({
      status: 401,
      code: 'code-invalid',
      detail: `That is the code of ${when}. Check the clock of your phone: let it set the time by itself, then enter the next code.`,
    })
    await expect(signIn(from({ now: later(Math.max(away * 30, 0)) }), person, Math.min(away, 0))).rejects.toMatchObject({
      code: 'code-invalid',
    })
  })

  test('is not named for a used code or a code that is not valid at any near time', async () => {
    const person = await createPerson(database.db)
    const sentence = 'That code is not right or was used already. Enter the next code of your authenticator.'
    await expect(signIn(from(), person, 61)).rejects.toMatchObject({ detail: sentence })
    await signIn(from(), person)
    await expect(signIn(from(), person)).rejects.toMatchObject({ detail: sentence })
  })
})

describe('too many attempts', () => {
  const locked = { status: 429, code: 'too-many-attempts' }

  test('5 failures lock for a minute, the next for two, up to 15 minutes', async () => {
    const person = await createPerson(database.db)
    const context = from()
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(password(context, { ...person, ...wrong })).rejects.toMatchObject({ code: 'credentials-invalid' })
    await expect(password(context, person)).rejects.toMatchObject({
      ...locked,
      detail: 'Too many attempts. Try again in 60 seconds.',
      extra: { retry_after: 60 },
    })
    await expect(password({ ...context, now: later(59) }, person)).rejects.toMatchObject(locked)
    let seconds = 0
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      seconds += minutes * 60
      await expect(password({ ...context, now: later(seconds) }, { ...person, ...wrong })).rejects.toMatchObject({
        code: 'credentials-invalid',
      })
      const next = Math.min(minutes * 2, 15)
      await expect(password({ ...context, now: later(seconds) }, person)).rejects.toMatchObject({
        ...locked,
        extra: { retry_after: next * 60 },
      })
    }
    expect(await password({ ...context, now: later(seconds + 900) }, person)).toHaveProperty('challenge')
  })

  test('an unknown e-mail gets the same answers and locks', async () => {
    const nobody = { email: 'nobody@example.com', password: 'Wrong-Pass-1' }
    const person = await createPerson(database.db)
    const answers = async (context: SignIn, who: { email: string; password: string }) => {
      const seen: unknown[] = []
      for (let attempt = 0; attempt < 7; attempt += 1)
        await answerPassword(context, who).catch((error) => seen.push({ ...error, message: error.message }))
      return seen
    }
    const unknown = await answers(from(), nobody)
    expect(unknown).toHaveLength(7)
    expect(unknown).toEqual(await answers(from(), { ...person, ...wrong }))
  })

  test('password and code share the counter, which a right password alone does not reset', async () => {
    const person = await createPerson(database.db)
    const context = from()
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const challenge = await password(context, person)
      await expect(code(context, challenge, person.totpSecret as string, 5)).rejects.toMatchObject({ code: 'code-invalid' })
    }
    await expect(password(context, { ...person, ...wrong })).rejects.toMatchObject({ code: 'credentials-invalid' })
    await expect(password(context, person)).rejects.toMatchObject(locked)
  })

  test('a complete sign-in resets the failures', async () => {
    const person = await createPerson(database.db)
    const context = from()
    for (const hours of [0, 24, 48]) {
      const now = later(hours * 3600)
      for (let attempt = 0; attempt < 4; attempt += 1)
        await expect(password({ ...context, now }, { ...person, ...wrong })).rejects.toMatchObject({
          code: 'credentials-invalid',
        })
      expect(await signIn({ ...context, now }, person)).toHaveProperty('access_token')
    }
  })

  test('of a hundred concurrent guesses at most five are judged', async () => {
    const person = await createPerson(database.db)
    const context = from()
    const challenge = await password(context, person)
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, () => code(context, challenge, person.totpSecret as string, 9)),
    )
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'in'))
    const validated = codes.filter((one) => one === 'code-invalid').length
    expect(validated).toBeGreaterThan(0)
    expect(validated).toBeLessThanOrEqual(5)
    expect(codes.filter((one) => one === 'too-many-attempts' || one === 'link-needed')).toHaveLength(100 - validated)
  })
})
