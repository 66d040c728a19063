import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessDate } from '#server/clock.ts'
import { isMigrated, migrate, migrationNames } from '#server/migrate.ts'
import type { Tx } from '#server/route.ts'
import { putSetting } from '#server/tables/setting.ts'
import { type TestDatabase, createDatabase } from '#tests/support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('migrations are numbered without gaps or repeats, and all have run', async () => {
  const numbers = migrationNames().map((name) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(await isMigrated(database.db)).toBe(true)
})

test('two processes that migrate at once do not disturb each other', async () => {
  await Promise.all([migrate(database.db), migrate(database.db), migrate(database.db)])
  expect(await isMigrated(database.db)).toBe(true)
})

test('bigint is read as a number, a date as its text, and one past 2^53 is an error instead of a wrong number', async () => {
  const { rows } =
    await sql`select 9007199254740991::bigint as big, '{1,null}'::bigint[] as many, date '2026-02-28' as day`.execute(database.db)
  expect(rows[0]).toEqual({ big: 9_007_199_254_740_991, many: [1, null], day: '2026-02-28' })
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow('past what a number can be')
})

test('the business date is the one of the business time zone, moved by the demo clock', async () => {
  const inNewYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())
  const moved = new Date(`${inNewYork}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + 10)
  expect(await businessDate(database.db as unknown as Tx)).toBe(inNewYork)
  await putSetting(database.db, 'demo-offset-days', '10')
  expect(await businessDate(database.db as unknown as Tx)).toBe(moved.toISOString().slice(0, 10))
})

test('a database that is newer than the code is refused', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_from_the_future', '2099-01-01')`.execute(database.db)
  await expect(migrate(database.db)).rejects.toThrow('The database is newer than this version of Admin Portal')
})
