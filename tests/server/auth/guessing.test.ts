import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuthReply } from '#contract/authentication.ts'
import { openDeviceLink, requestDeviceLink } from '#server/auth/device-link.ts'
import { atAccount, fromNetwork, giveBackGuess, obstacleTo, takeGuess } from '#server/limits/guesses.ts'
import { checkResetCode, requestReset } from '#server/auth/reset.ts'
import { digest } from '#server/auth/secret.ts'
import { type SignIn, answerCode, answerPassword } from '#server/auth/sign-in.ts'
import { codeOfStep, nextUnusedCode, stepAt } from '#server/auth/totp.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { type TestPerson, createPerson, testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T09:00:10Z')
const day = 86_400
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
let addresses = 0
/** A different one of 254 addresses at each call. */
const attacker = () => `203.0.113.${(addresses++ % 254) + 1}`

const at = (seconds: number, address = '198.51.100.1', device: string | null = null): SignIn => ({
  db: database.db,
  auth: testAuth,
  now: later(seconds),
  caller: { address, device },
})

type Challenge = Extract<AuthReply, { challenge: unknown }>
const password = async (context: SignIn, person: TestPerson) => (await answerPassword(context, person)) as Challenge
const code = (context: SignIn, { user_id, session }: Challenge, typed: string) =>
  answerCode(context, user_id, { step: 'SOFTWARE_TOKEN_MFA', session, code: typed })
const rightCode = (context: SignIn, person: TestPerson) => codeOfStep(person.totpSecret as string, stepAt(context.now))
const wrongCode = (context: SignIn, person: TestPerson) => codeOfStep(person.totpSecret as string, stepAt(context.now) + 9)
/** A complete sign-in; returns the cookie of the browser. */
async function signIn(context: SignIn, person: TestPerson): Promise<string> {
  const reply = await code(context, await password(context, person), rightCode(context, person))
  return 'access_token' in reply ? (reply.device as string) : ''
}
const wrong = (person: { email: string }) => ({ email: person.email, password: 'Wrong-Pass-1' })
const tooMany = { status: 429, code: 'too-many-attempts' }
const linkNeeded = { status: 403, code: 'link-needed' }
const judgedWrong = ['credentials-invalid', 'code-invalid', 'authorization-code-invalid']
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'in', seconds: 0 }),
    (error) => ({ code: error.code as string, seconds: (error.extra?.retry_after ?? 0) as number }),
  )

/** Guesses as often as allowed, each time from another address; returns when guesses were judged (seconds), and the refusals. */
async function guessFor(seconds: number, from: number, attempt: (context: SignIn) => Promise<unknown>) {
  const validated: number[] = []
  const refusals = new Set<string>()
  for (let now = from; now < from + seconds; ) {
    const { code: what, seconds: wait } = await outcome(attempt({ ...at(now, attacker()), patience: 0 }))
    if (judgedWrong.includes(what)) validated.push(now)
    else refusals.add(what)
    now += wait || (what === 'link-needed' ? 3_600 : 0)
  }
  return { validated, refusals: [...refusals].sort() }
}

/** Records a hundred guesses, a minute apart, as the first two tests below produce. */
async function spend({ email }: TestPerson, from: number): Promise<void> {
  for (let time = 0; time < 100; time += 1)
    expect(await takeGuess(database.db, atAccount(digest('account', email)), later(from + time * 60))).toBe(null)
}

/** Maximum number of guesses judged within any one day. */
const maxInADay = (validated: number[]) =>
  Math.max(...validated.map((from) => validated.filter((each) => each >= from && each < from + day).length))

describe('colleagues behind one address', () => {
  /** The order of arrival differs from the order of start: the last to start is counted first. */
  const moments = [0.4, 0.3, 0.2, 0.1, 0]

  test('five sign in at once with password and code without delaying each other', async () => {
    const colleagues = await Promise.all(moments.map(() => createPerson(database.db)))
    const address = attacker()
    for (const now of [100, 100 + 3_600]) {
      const signedIn = colleagues.map((person, index) => {
        const context = { ...at(now + (moments[index] as number), address), patience: 0 }
        return outcome(signIn(context, person))
      })
      expect((await Promise.all(signedIn)).map((each) => each.code)).toEqual(moments.map(() => 'in'))
    }
  })

  test('a guess that started earlier than the last one counted is not early while no delay is due', async () => {
    const bound = fromNetwork(digest('from', attacker()))
    for (const moment of moments) expect(await takeGuess(database.db, bound, later(200 + moment))).toBe(null)
    for (const moment of moments) {
      expect(await obstacleTo(database.db, bound, later(200 + moment))).toBe(null)
      await giveBackGuess(database.db, bound, later(200 + moment))
    }
    // Twenty wrong guesses cause a delay in any order.
    for (let time = 0; time < 20; time += 1) await takeGuess(database.db, bound, later(300 - time / 100))
    await takeGuess(database.db, bound, later(301))
    expect(await takeGuess(database.db, bound, later(301))).toMatchObject({ kind: 'early' })
  })
})

test('a guess that is given back removes its own delay, not that of a later wrong one', async () => {
  const bound = atAccount(digest('account', 'given-back@example.com'))
  const take = (seconds: number) => takeGuess(database.db, bound, later(seconds))
  for (let time = 0; time < 5; time += 1) expect(await take(0)).toBe(null)
  expect(await take(10)).toBe(null)
  expect(await take(11)).toBe(null)
  await giveBackGuess(database.db, bound, later(10))
  expect(await obstacleTo(database.db, bound, later(12))).toEqual({ kind: 'early', milliseconds: 1_000 })
  await giveBackGuess(database.db, bound, later(11))
  expect(await obstacleTo(database.db, bound, later(12))).toBe(null)
})

describe('guessing from 254 addresses', () => {
  test('at most 100 codes of an account are judged per day; known devices still sign in', async () => {
    const person = await createPerson(database.db)
    const device = await signIn(at(-day), person)
    let challenge: Challenge | null = null
    const { validated, refusals } = await guessFor(1.02 * day, 0, async (context) => {
      challenge ??= await password(context, person)
      return code(context, challenge, wrongCode(context, person)).catch((error) => {
        if (error.code === 'challenge-expired') challenge = null
        throw error
      })
    })
    expect(maxInADay(validated)).toBe(100)
    expect(validated.length).toBeLessThanOrEqual(160)
    expect(refusals).toEqual(['challenge-expired', 'link-needed'])
    await signIn(at(1.1 * day, '198.51.100.1', device), person)
    // Five without a delay, then delays of one second, two, four, and finally a minute.
    const gaps = validated.slice(1, 100).map((each, index) => each - (validated[index] as number))
    expect(gaps.slice(0, 13)).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])
    expect(gaps.at(-1)).toBe(60)
  })

  test('passwords, codes and reset codes share the limit of 100; unknown e-mails are treated alike', async () => {
    const person = await createPerson(database.db)
    const results = []
    for (const email of [person.email, 'nobody.at.all@example.com']) {
      let turn = 0
      addresses = 0
      const eitherWay = (context: SignIn): Promise<unknown> => {
        turn += 1
        return turn % 2 ? answerPassword(context, wrong({ email })) : checkResetCode(context, email, '000000')
      }
      results.push(await guessFor(day, 0, eitherWay))
    }
    expect(results[0]?.validated).toHaveLength(100)
    expect(results[1]).toEqual(results[0])
  })

  test('of 254 concurrent codes for one challenge at most five are judged, one at a time', async () => {
    const person = await createPerson(database.db)
    const challenge = await password(at(0), person)
    const results = await Promise.all(
      Array.from({ length: 254 }, () => {
        const context = at(0, attacker())
        return outcome(code(context, challenge, wrongCode(context, person)))
      }),
    )
    expect(results.filter((result) => result.code === 'code-invalid').length).toBeLessThanOrEqual(5)
  })

  test('a challenge accepts at most five answers, however long the pauses between them', async () => {
    const person = await createPerson(database.db)
    const challenge = await password(at(0), person)
    for (let time = 0; time < 5; time += 1)
      await expect(code(at(time * 40, attacker()), challenge, wrongCode(at(time * 40), person))).rejects.toMatchObject({
        code: 'code-invalid',
      })
    await expect(code(at(200, attacker()), challenge, rightCode(at(200), person))).rejects.toMatchObject({
      status: 401,
      code: 'challenge-expired',
      detail: 'These were too many wrong codes. Start again with your password.',
    })
  })

  test('an address that tries many accounts has growing delays, too', async () => {
    const answers = []
    for (let time = 0; time < 30; time += 1)
      answers.push(
        (await outcome(answerPassword({ ...at(0, '192.0.2.77'), patience: 0 }, wrong({ email: `spray-${time}@example.com` }))))
          .code,
      )
    expect(answers).toEqual([...Array(21).fill('credentials-invalid'), ...Array(9).fill('too-many-attempts')])
  })
})

describe('a known device', () => {
  test('is never locked out by somebody else, and locks out nobody else', async () => {
    const person = await createPerson(database.db)
    const device = await signIn(at(0), person)
    for (let time = 0; time < 5; time += 1)
      await expect(answerPassword(at(60), wrong(person))).rejects.toMatchObject({ code: 'credentials-invalid' })
    await expect(password(at(60), person)).rejects.toMatchObject(tooMany)
    for (const address of ['198.51.100.1', '198.51.100.2'])
      expect(await password(at(60, address, device), person)).toHaveProperty('challenge')
    expect(await password(at(60, '198.51.100.3'), person)).toHaveProperty('challenge')
  })

  test('must hold the secret issued for this account: no guess, no copy, none used before', async () => {
    const [person, other] = [await createPerson(database.db), await createPerson(database.db)]
    const made = 'made-up-by-the-browser-000000001'
    const first = await signIn(at(0, '198.51.100.1', made), person)
    const own = await signIn(at(60, '198.51.100.1', first), person)
    const ofOther = await signIn(at(0), other)
    await spend(person, 100)
    for (const device of [made, first, ofOther, own.slice(0, -1), '1', ''])
      await expect(password(at(7_300, '198.51.100.1', device), person)).rejects.toMatchObject(linkNeeded)
    expect(await password(at(7_300, '198.51.100.1', own), person)).toHaveProperty('challenge')
    const kept = await database.db.selectFrom('known_devices').selectAll().where('person_id', '=', person.id).execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(own)
  })

  test('serves everybody who signs in with one browser', async () => {
    const [one, two] = [await createPerson(database.db), await createPerson(database.db)]
    const first = await signIn(at(0), one)
    const both = await signIn(at(0, '198.51.100.1', first), two)
    await spend(one, 100)
    for (const person of [one, two]) expect(await password(at(7_300, '198.51.100.1', both), person)).toHaveProperty('challenge')
  })

  test('has five tries of its own before a lock, and is unknown after twenty wrong ones', async () => {
    const person = await createPerson(database.db)
    const device = await signIn(at(-100), person)
    let now = 0
    let validated = 0
    const codes: string[] = []
    while (codes.length < 400) {
      const { code: what, seconds } = await outcome(
        answerPassword({ ...at(now, '198.51.100.9', device), patience: 0 }, wrong(person)),
      )
      codes.push(what)
      if (what === 'link-needed' && seconds === 0) break
      if (what === 'credentials-invalid') validated += 1
      now += seconds
    }
    expect(codes.slice(0, 6)).toEqual([...Array(5).fill('credentials-invalid'), 'too-many-attempts'])
    expect(validated).toBe(120)
  })
})

describe('a link by mail', () => {
  const linkFor = async (email: string) => {
    const mails = await database.db.selectFrom('outbox').select('body').where('recipient', '=', email).orderBy('id').execute()
    return mails.map(({ body }) => /\/device#token=([\w-]{43})/.exec(body)?.[1] as string)
  }

  test('lets the browser that opens it sign in once after the limit of 100, with a password', async () => {
    const person = await createPerson(database.db)
    await spend(person, 0)
    const now = 2 * 3_600
    await expect(password(at(now), person)).rejects.toMatchObject(linkNeeded)
    await requestDeviceLink(at(now), person.email.toUpperCase())
    const [token = ''] = await linkFor(person.email)
    const opened = await Promise.allSettled([1, 2, 3].map(() => openDeviceLink(at(now), token)))
    const [got, ...more] = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect([got?.email, more]).toEqual([person.email, []])
    await expect(openDeviceLink(at(now), token)).rejects.toMatchObject({ status: 410, code: 'link-invalid' })
    await expect(password(at(now), person)).rejects.toMatchObject(linkNeeded)
    await expect(password(at(now + 1_801, '198.51.100.1', got?.device), person)).rejects.toMatchObject(linkNeeded)
    const device = await signIn(at(now + 60, '198.51.100.1', got?.device), person)
    expect(await password(at(now + 2 * day, '198.51.100.1', device), person)).toHaveProperty('challenge')
  })

  test('lasts an hour, goes to known people only, and is limited; one valid link always exists', async () => {
    const person = await createPerson(database.db)
    await requestDeviceLink(at(0), 'nobody.at.all@example.com')
    expect(await linkFor('nobody.at.all@example.com')).toEqual([])
    for (let time = 0; time < 9; time += 1) await requestDeviceLink(at(0, attacker()), person.email)
    const tokens = await linkFor(person.email)
    expect(tokens).toHaveLength(4)
    await expect(openDeviceLink(at(3_600), tokens[0] as string)).rejects.toMatchObject({ code: 'link-invalid' })
    expect(await openDeviceLink(at(3_599), tokens[1] as string)).toHaveProperty('device')
    await requestDeviceLink(at(3_601), person.email)
    expect(await linkFor(person.email)).toHaveLength(5)
  })
})

describe('a clock that was wrong', () => {
  const year = 365 * day

  test('locks, delays and daily limits dated a year ahead delay nobody', async () => {
    const person = await createPerson(database.db)
    for (let time = 0; time < 5; time += 1)
      await expect(answerPassword(at(year), wrong(person))).rejects.toMatchObject({ code: 'credentials-invalid' })
    await expect(password(at(year), person)).rejects.toMatchObject(tooMany)
    expect(await password(at(0), person)).toHaveProperty('challenge')

    const other = await createPerson(database.db)
    await spend(other, year)
    await expect(password(at(year + 7_200), other)).rejects.toMatchObject(linkNeeded)
    expect(await password(at(0), other)).toHaveProperty('challenge')
  })

  test('a code accepted in the future locks nobody out, and is not accepted again at its own time', async () => {
    const person = await createPerson(database.db)
    await signIn(at(year), person)
    await signIn(at(year + 60), person)
    const { totp_last_step } = await database.db
      .selectFrom('people')
      .select('totp_last_step')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(nextUnusedCode(person.totpSecret as string, totp_last_step, later(0))).toMatchObject({ wait: 0 })
    await signIn(at(0), person)
    await expect(signIn(at(0), person)).rejects.toMatchObject({ code: 'code-invalid' })
    for (const seconds of [year, year + 60])
      await expect(signIn(at(seconds, attacker()), person)).rejects.toMatchObject({ code: 'code-invalid' })
    await signIn(at(year + 120, attacker()), person)
  })

  test('setting the clock back does not make a used code valid again', async () => {
    const person = await createPerson(database.db)
    await signIn(at(0), person)
    await signIn(at(3_600), person)
    await expect(signIn(at(0, attacker()), person)).rejects.toMatchObject({ code: 'code-invalid' })
  })
})

test('reset codes are limited per network and hour for all e-mails, except for known devices', async () => {
  const person = await createPerson(database.db)
  const device = await signIn(at(0), person)
  const kept = async () =>
    Number(
      (
        await database.db
          .selectFrom('reset_codes')
          .select((is) => is.fn.countAll().as('count'))
          .where('network', '=', '192.0.2.5')
          .executeTakeFirstOrThrow()
      ).count,
    )
  for (let time = 0; time < 60; time += 1) await requestReset(at(0, '192.0.2.5'), `flood-${time}@example.com`)
  expect(await kept()).toBe(30)
  await requestReset(at(0, '192.0.2.5', device), person.email)
  expect(await kept()).toBe(31)
  await requestReset(at(3_601, '192.0.2.5'), 'flood-later@example.com')
  expect(await kept()).toBe(32)
})

describe('all networks of one owner', () => {
  /** One of the 65,536 networks of a /48. */
  const network = (block: number, at: number) => `2001:db8:${block.toString(16)}:${at.toString(16)}::1`
  const rowsOf = async (table: 'guesses' | 'attempt_limits' | 'reset_codes') =>
    Number(
      (
        await database.db
          .selectFrom(table)
          .select((is) => is.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )

  test('have an hourly limit of guesses over all accounts; other networks are still judged', async () => {
    const before = [await rowsOf('guesses'), await rowsOf('attempt_limits')] as const
    const guessed: string[] = []
    for (let time = 0; time < 500; time += 1)
      guessed.push(
        (await outcome(checkResetCode({ ...at(0, network(1, time)), patience: 0 }, `block-${time}@example.com`, '123456'))).code,
      )
    expect([guessed.indexOf('too-many-attempts'), new Set(guessed.slice(301))]).toEqual([301, new Set(['too-many-attempts'])])
    // The block, and for each guess its network and its account.
    expect([(await rowsOf('guesses')) - before[0], await rowsOf('attempt_limits')]).toEqual([1 + 2 * 301, before[1]])
    const other = { ...at(0, network(2, 1)), patience: 0 }
    expect((await outcome(checkResetCode(other, 'block-0@example.com', '123456'))).code).toBe('authorization-code-invalid')
    // A second later the next guess is judged, from any of them.
    const next = { ...at(1, network(1, 9_000)), patience: 0 }
    expect((await outcome(checkResetCode(next, 'block-next@example.com', '123456'))).code).toBe('authorization-code-invalid')
  })

  test('have an hourly limit of reset codes; one network alone does not use it up', async () => {
    for (let time = 0; time < 400; time += 1) await requestReset(at(0, network(3, 1)), `alone-${time}@example.com`)
    const neighbour = await createPerson(database.db)
    await requestReset(at(0, network(3, 2)), neighbour.email)
    const mailed = () => database.db.selectFrom('outbox').select('id').where('recipient', '=', neighbour.email).execute()
    expect(await mailed()).toHaveLength(1)
    const before = await rowsOf('reset_codes')
    for (let time = 0; time < 400; time += 1) await requestReset(at(0, network(3, 10 + time)), `many-${time}@example.com`)
    expect((await rowsOf('reset_codes')) - before).toBe(300 - 30 - 1)
    await requestReset(at(0, network(4, 1)), neighbour.email)
    await requestReset(at(3_601, network(3, 1)), neighbour.email)
    expect(await mailed()).toHaveLength(3)
  })
})
