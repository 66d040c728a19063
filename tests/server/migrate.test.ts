import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { businessDate } from '#server/tables/business-date.ts'
import { isMigrated, migrate, migrationNames, migratorOf } from '#server/boot/migrate.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { ownerRole } from '#server/postgres/roles.ts'
import type { Database, Tx } from '#server/tables/database.ts'
import { putSetting } from '#server/tables/setting.ts'
import { type TestDatabase, asAdministrator, createDatabase } from '#tests/support/database.ts'
import { auditMoney } from '#tests/support/money-audit.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

test('migrations are numbered without gaps or duplicates, and all have run', async () => {
  const numbers = migrationNames().map((name) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(await isMigrated(database.db)).toBe(true)
})

test('two concurrent migrations do not disturb each other', async () => {
  await Promise.all([migrate(database.owner), migrate(database.owner), migrate(database.owner)])
  expect(await isMigrated(database.db)).toBe(true)
})

test('a concurrently dropped schema does not disturb an up-to-date database', async () => {
  let over = false
  const dropping = (async () => {
    while (!over) {
      await sql`create schema passing create table passing.plans (id int)`.execute(database.owner)
      await sql`drop schema passing cascade`.execute(database.owner)
    }
  })()
  try {
    for (let times = 0; times < 30; times++) await expect(migrate(database.owner)).resolves.toBeUndefined()
  } finally {
    over = true
    await dropping
  }
})

test('a migration that waits for a table lets others pass, and succeeds when it is free', async () => {
  const name = `in_use_${randomBytes(6).toString('hex')}`
  await asAdministrator(`create database ${name} owner ${ownerRole}`)
  const at = { url: database.ownerUrl.replace(/[^/]+$/, name), name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0 }
  const [migrating, reading] = [kyselyOn(openPool({ ...at, lockTimeout: 200 })), kyselyOn(openPool(at))]
  try {
    // The next one alters the table of SFTP users.
    await migratorOf(migrating).migrateTo('0068_similar_names')
    const look = (db: Kysely<Database>) => sql`select 1 from sftp_users`.execute(db)
    let migration = Promise.resolve()
    await reading.transaction().execute(async (dump) => {
      await look(dump)
      migration = migrate(migrating)
      const waiting = sql<{
        n: number
      }>`select count(*)::int as n from pg_locks where not granted and relation = 'sftp_users'::regclass`
      await expect.poll(async () => (await waiting.execute(reading)).rows[0]?.n).toBe(1)
      await look(reading)
      expect(await isMigrated(reading)).toBe(false)
    })
    await migration
    expect(await isMigrated(reading)).toBe(true)
  } finally {
    await Promise.all([migrating.destroy(), reading.destroy()])
    await asAdministrator(`drop database ${name} with (force)`)
  }
})

/** Fills a database that has the migrations before this one, migrates it, and checks the result. */
async function upgraded(
  { from, fill }: { from: string; fill: (db: Kysely<Database>) => Promise<unknown> },
  look: (db: Kysely<Database>) => Promise<void>,
) {
  const name = `before_${randomBytes(6).toString('hex')}`
  await asAdministrator(`create database ${name} owner ${ownerRole}`)
  const url = database.ownerUrl.replace(/[^/]+$/, name)
  const old = kyselyOn(openPool({ url, name: 'tests', businessTimeZone: 'UTC', statementTimeout: 0, connections: 1 }))
  try {
    const run = (migration: string) => sql.raw(readFileSync(`src/server/migrations/${migration}.sql`, 'utf8')).execute(old)
    const names = migrationNames()
    const at = names.findIndex((each) => each.startsWith(from))
    for (const each of names.slice(0, at)) await run(each)
    await fill(old)
    for (const each of names.slice(at)) await run(each)
    await look(old)
  } finally {
    await old.destroy()
    await asAdministrator(`drop database ${name} with (force)`)
  }
}

test('the migration adds the entries of unallocated money, also where a return took a part', async () => {
  const fill = (old: Kysely<Database>) =>
    sql`insert into repayments (id, debtor_type, debtor_id, amount, unallocated_amount, repayment_date, origin,
      reconciliation_status, ach_state, failure, returns_id) values
      (1, 'EMPLOYER', 1, 5000, 3000, '2026-01-01', 'USER', 'PENDING', null, null, null),
      (2, 'EMPLOYER', 1, -2000, -2000, '2026-01-02', 'RETURN', 'RECONCILED', null, null, 1),
      (3, 'EMPLOYER', 1, 700, 700, '2026-01-03', 'ACH_ENTRY', 'PENDING', 'PENDING', null, null),
      (4, 'EMPLOYER', 1, 800, 800, '2026-01-04', 'ACH_ENTRY', 'FAILED', 'COMPLETED', 'UNMATCHED', null),
      (5, 'EMPLOYER', 1, 900, 0, '2026-01-05', 'USER', 'FAILED', null, 'RETURNED', null),
      (6, 'EMPLOYER', 1, -900, -900, '2026-01-06', 'RETURN', 'RECONCILED', null, null, 5),
      (7, 'EMPLOYER', 1, 600, 600, '2026-01-07', 'ACH_ENTRY', 'PENDING', 'COMPLETED', null, null)`.execute(old)
  await upgraded({ from: '0008', fill }, async (db) => {
    const { rows } = await sql`select repayment_id, amount, kind from ledger_entries order by id`.execute(db)
    expect(rows).toEqual(
      [
        [1, 5000],
        [2, -2000],
        [5, 900],
        [6, -900],
        [7, 600],
      ].map(([repayment_id, amount]) => ({ repayment_id, amount, kind: 'UNALLOCATED' })),
    )
    expect(await auditMoney(db)).toEqual([])
  })
})

test('events from before the monthly partitions stay, whatever the clock, and ids continue', async () => {
  const add = (old: Kysely<Database>, at: string) =>
    sql`insert into audit_events (at, actor_id, actor_name, intent, entity, entity_id, status, version)
      values (${at}::timestamptz, 'x', 'X', 'x', 'organization', '7', 'Changed', 1)`.execute(old)
  const ahead = new Date(Date.now() + 80 * 86_400_000).toISOString()
  const fill = async (old: Kysely<Database>) => {
    await add(old, '2019-05-05T00:00:00Z')
    await add(old, ahead)
  }
  await upgraded({ from: '0036', fill }, async (db) => {
    await add(db, new Date().toISOString())
    await add(db, new Date(Date.parse(ahead) + 40 * 86_400_000).toISOString())
    const { rows } = await sql`select id, belongs_to, tableoid::regclass::text as part from audit_events order by id`.execute(db)
    const before = { belongs_to: 'organization:7', part: 'audit_events_before' }
    const month = new Date(Date.parse(ahead) + 40 * 86_400_000).toISOString().slice(0, 7).replace('-', '_')
    expect(rows).toEqual([
      { id: 1, ...before },
      { id: 2, ...before },
      { id: 3, ...before },
      { id: 4, belongs_to: 'organization:7', part: `audit_events_${month}` },
    ])
  })
})

test('text folding has not changed for any characters', async () => {
  const first = readFileSync('src/server/migrations/0002_companies_employees.sql', 'utf8')
  const definition = first.slice(first.indexOf('create function fold('), first.indexOf('create table organizations'))
  const text = fc.oneof(
    fc.string({ unit: 'binary' }).filter((each) => !each.includes('\0') && each.isWellFormed()),
    fc.string({ unit: fc.constantFrom(..."-'’–_ IiİıÉéßẞØøŁłĐđΣσςǅǆﬁÅ\u0301\u030a\u200b\t漢😀aZ09") }),
  )
  const odd = fc.sample(text, { numRuns: 2_000, seed: 1 })
  await database.owner.transaction().execute(async (tx) => {
    await sql.raw(definition.replace('create function fold(', 'create function pg_temp.fold_before(')).execute(tx)
    const { rows } = await sql`
      select value, fold(value) as now, pg_temp.fold_before(value) as before from unnest(${["O'Brien-Smith", 'Jean-Luc', ...odd]}::text[]) as odd(value)
      where fold(value) is distinct from pg_temp.fold_before(value)`.execute(tx)
    expect(rows).toEqual([])
    const known = await sql`select fold('O''Brien-Ørsted') as name, fold('O''BRIEN-SMITH') as plain, fold(null) as none`.execute(
      tx,
    )
    expect(known.rows).toEqual([{ name: 'obrien orsted', plain: 'obrien smith', none: null }])
  })
})

test('bigint is read as a number, a date as text, and a value above 2^53 is an error', async () => {
  const { rows } =
    await sql`select 9007199254740991::bigint as big, '{1,null}'::bigint[] as many, date '2026-02-28' as day`.execute(database.db)
  expect(rows[0]).toEqual({ big: 9_007_199_254_740_991, many: [1, null], day: '2026-02-28' })
  await expect(sql`select 9007199254740993::bigint`.execute(database.db)).rejects.toThrow('past what a number can be')
})

test('the business date is that of the business time zone, moved by the demo clock', async () => {
  const inNewYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date())
  const moved = new Date(`${inNewYork}T00:00:00Z`)
  moved.setUTCDate(moved.getUTCDate() + 10)
  expect(await businessDate(database.db as unknown as Tx)).toBe(inNewYork)
  await putSetting(database.db, 'demo-offset-days', '10')
  expect(await businessDate(database.db as unknown as Tx)).toBe(moved.toISOString().slice(0, 10))
})
