import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { digest } from '#server/auth/secret.ts'
import { actorOf, authenticate, bearerToken, endSession, startSession } from '#server/auth/session.ts'
import { forgetOld } from '#server/auth/housekeeping.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'
import { createPerson, testAuth } from '#tests/support/people.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const start = new Date('2026-03-02T09:00:00Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)
const caller = { address: '203.0.113.1', device: null }
const begin = (personId: string, auth = testAuth) =>
  database.db.transaction().execute(async (tx) => (await startSession(tx, personId, caller, auth, start)).token)
const who = (token: string | null, now: Date, activity = true) => authenticate(database.db, token, now, { ...testAuth, activity })

describe('a session', () => {
  test('[CONST-013] [ERR-007] ends after 15 minutes without activity, and says so', async () => {
    const token = await begin((await createPerson(database.db)).id)
    await who(token, later(899), false)
    await expect(who(token, later(900))).rejects.toMatchObject({
      status: 401,
      code: 'session-idle',
      detail: 'Your session has expired due to inactivity. Please login again to continue working.',
    })
  })

  test('[CONST-013] the idle timeout is configurable', async () => {
    const token = await begin((await createPerson(database.db)).id, { ...testAuth, idleSeconds: 60 })
    await who(token, later(59), false)
    await expect(who(token, later(60))).rejects.toMatchObject({ code: 'session-idle' })
  })

  test('is kept alive by activity', async () => {
    const token = await begin((await createPerson(database.db)).id)
    for (let minutes = 14; minutes <= 70; minutes += 14) expect(await who(token, later(minutes * 60))).toBeTruthy()
  })

  test('is not kept alive by background requests', async () => {
    const token = await begin((await createPerson(database.db)).id)
    for (let seconds = 5; seconds < 900; seconds += 5) await who(token, later(seconds), false)
    await expect(who(token, later(900), false)).rejects.toMatchObject({ code: 'session-idle' })
  })

  test('cannot be revived by late activity', async () => {
    const token = await begin((await createPerson(database.db)).id)
    for (const seconds of [900, 901]) await expect(who(token, later(seconds))).rejects.toMatchObject({ code: 'session-idle' })
  })

  test('records activity at most every 15 seconds', async () => {
    const person = await createPerson(database.db)
    const token = await begin(person.id)
    const written = async () =>
      (
        await database.db
          .selectFrom('sessions')
          .select('last_active_at')
          .where('person_id', '=', person.id)
          .executeTakeFirstOrThrow()
      ).last_active_at
    await who(token, later(15))
    expect(await written()).toEqual(start)
    await who(token, later(16))
    expect(await written()).toEqual(later(16))
  })

  test('[ERR-006] ends after 8 hours in any case', async () => {
    const token = await begin((await createPerson(database.db)).id)
    for (let seconds = 600; seconds < 8 * 3600; seconds += 600) await who(token, later(seconds))
    await expect(who(token, later(8 * 3600))).rejects.toMatchObject({
      status: 401,
      code: 'session-expired',
      detail: 'Your session has expired. Please login again.',
    })
  })

  test('[ERR-006] ends with a sign-out or the removal of the person; an unknown token is answered alike', async () => {
    const expired = { status: 401, code: 'session-expired' }
    const person = await createPerson(database.db)
    const [one, other] = [await begin(person.id), await begin(person.id)]
    await database.db.transaction().execute((tx) => endSession(tx, digest(one), start))
    await expect(who(one, start)).rejects.toMatchObject(expired)
    await who(other, start)
    await database.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', person.id).execute()
    await expect(who(other, start)).rejects.toMatchObject(expired)
    await expect(who('never', start)).rejects.toMatchObject(expired)
  })

  test('[ERR-006] is invalid if it started in the future or ends later than allowed after a clock error', async () => {
    const expired = { status: 401, code: 'session-expired' }
    const ahead = later(30 * 86_400)
    const person = await createPerson(database.db)
    const startAt = (now: Date, auth = testAuth) =>
      database.db.transaction().execute(async (tx) => (await startSession(tx, person.id, caller, auth, now)).token)
    const token = await startAt(ahead)
    await who(token, ahead)
    for (const moment of [start, later(86_400), later(30 * 86_400 - 61)])
      await expect(who(token, moment)).rejects.toMatchObject(expired)
    // Clocks of two servers may differ slightly.
    await who(await startAt(later(59)), start)
    await expect(who(await startAt(start, { ...testAuth, absoluteSeconds: 9 * 3600 }), start)).rejects.toMatchObject(expired)
  })

  test('[ERR-007] is idle if its last activity is in the future after a clock error', async () => {
    const token = await begin((await createPerson(database.db)).id)
    await who(token, later(600))
    await expect(who(token, later(60))).rejects.toMatchObject({ code: 'session-idle' })
  })

  test('without a token nobody is signed in', async () => {
    await expect(who(null, start)).rejects.toMatchObject({ status: 401, code: 'not-signed-in' })
  })

  test('is deleted a week after its end', async () => {
    const person = await createPerson(database.db)
    await begin(person.id)
    const left = () => database.db.selectFrom('sessions').select('person_id').where('person_id', '=', person.id).execute()
    await forgetOld(database.db, later(8 * 3600 + 7 * 86_400 - 60))
    expect(await left()).toHaveLength(1)
    await forgetOld(database.db, later(8 * 3600 + 7 * 86_400 + 60))
    expect(await left()).toHaveLength(0)
  })
})

describe('the rights of a request', () => {
  test('combine groups and single permissions, and are read at each request', async () => {
    const person = await createPerson(database.db, { groups: [2], permissions: [1013], kind: 'ACCOUNT_MANAGER' })
    const token = await begin(person.id)
    const actor = await who(token, start)
    expect(actor.kind).toBe('ACCOUNT_MANAGER')
    expect(actor.groupIds).toEqual([2])
    expect([...actor.held].sort((a, b) => a - b)).toEqual([2, 3, 6, 10, 1013])
    await database.db.deleteFrom('person_groups').where('person_id', '=', person.id).execute()
    expect([...(await who(token, start)).held]).toEqual([1013])
    await database.db.insertInto('person_groups').values({ person_id: person.id, group_id: 1 }).execute()
    // Admin-only permissions have no effect for an account manager, however they were assigned.
    expect([...(await who(token, start)).held]).toEqual([1013])
    const admin = await createPerson(database.db, { groups: [1] })
    expect((await who(await begin(admin.id), start)).held.size).toBe(permissionIds.length)
  })
})

test('background work has the current rights, until its session ends or its person is removed', async () => {
  const person = await createPerson(database.db, { groups: [2] })
  const sessionId = digest(await begin(person.id))
  expect(await actorOf(database.db, person.id, sessionId)).toMatchObject({ id: person.id, groupIds: [2], sessionId })
  await database.db.deleteFrom('person_groups').where('person_id', '=', person.id).execute()
  expect((await actorOf(database.db, person.id, sessionId))?.held.size).toBe(0)
  await database.db.transaction().execute((tx) => endSession(tx, sessionId, start))
  expect(await actorOf(database.db, person.id, sessionId)).toBeNull()
  const other = digest(await begin(person.id))
  await database.db.updateTable('people').set({ status: 'DELETED' }).where('id', '=', person.id).execute()
  expect(await actorOf(database.db, person.id, other)).toBeNull()
})

test('a bearer token is read only from its header', () => {
  expect(bearerToken('Bearer abc_-1')).toBe('abc_-1')
  expect(bearerToken('bearer abc')).toBe('abc')
  for (const wrong of [undefined, '', 'abc', 'Basic abc', 'Bearer ', 'Bearer a b', `Bearer ${'a'.repeat(201)}`, 'Bearer a\0'])
    expect(bearerToken(wrong)).toBeNull()
})
