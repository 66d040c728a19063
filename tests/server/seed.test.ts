import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { dropDefinitions } from '#server/seed/load.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { takeLaterSteps } from '#server/tables/later-steps.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const size = { employees: 6_000, today: '2026-01-31' }
let server: TestServer

beforeAll(async () => {
  server = await createServer()
  await seedDemo(server.owner, size, { inSteps: true })
  // As two servers started on it concurrently would.
  await Promise.all([takeLaterSteps(server.owner), takeLaterSteps(server.owner)])
})
afterAll(() => server.close())

const one = async (statement: ReturnType<typeof sql>): Promise<Record<string, number>> =>
  (await (statement as ReturnType<typeof sql<Record<string, number>>>).execute(server.db)).rows[0] as Record<string, number>

/** The constraints, indexes and triggers of all tables; those of partitions follow their table. */
const schemaOf = async (db: TestDatabase['db']): Promise<unknown[]> =>
  (
    await sql`
      select conrelid::regclass::text as of, conname as name, concat(pg_get_constraintdef(oid), ' ', convalidated) as says from pg_constraint
        where connamespace = 'public'::regnamespace and not (select relispartition from pg_class where pg_class.oid = conrelid)
      union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
        and not (select relispartition from pg_class where pg_class.oid = tablename::regclass)
      union all select tgrelid::regclass::text, case when tgisinternal then '' else tgname end, concat(tgenabled, ' ', tgtype, ' ', tgfoid::regproc)
        from pg_trigger where not (select relispartition from pg_class where pg_class.oid = tgrelid)
      order by 1, 2, 3`.execute(db)
  ).rows

test('users are consistent: no linked one is deleted, a review has a check, some lack employees', async () => {
  const { users, alone, deleted, torn, unchecked, elsewhere, addresses } = await one(sql`
    select count(*)::int as users, (count(*) filter (where e.id is null))::int as alone,
      (count(*) filter (where u.status = 'DELETED'))::int as deleted,
      (count(*) filter (where u.status = 'DELETED' and e.id is not null))::int as torn,
      (count(*) filter (where (u.kyc_status is null) <> (c.id is null)))::int as unchecked,
      (count(*) filter (where u.employer_id is distinct from e.employer_id))::int as elsewhere,
      (count(a.user_id))::int as addresses
    from users u left join employees e on e.user_id = u.id left join identity_checks c on c.user_id = u.id
    left join current_addresses a on a.user_id = u.id`)
  expect([torn, unchecked, elsewhere]).toEqual([0, 0, 0])
  expect(deleted).toBeGreaterThan(5)
  expect(alone).toBeGreaterThan(deleted as number)
  expect((addresses as number) / (users as number)).toBeGreaterThan(0.9)
})

test('[CONST-009] the demo company is the same every time, to the cent, in steps or in one transaction', async () => {
  const twin: TestDatabase = await createDatabase()
  const alone = kyselyOn(
    openPool({ url: twin.ownerUrl, name: 'seed', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 1 }),
  )
  try {
    const schema = await schemaOf(alone)
    await seedDemo(alone, size)
    await takeLaterSteps(alone)
    expect(await schemaOf(alone)).toEqual(schema)
    expect(await schemaOf(server.owner)).toEqual(schema)
    // Indexes are created after the rows and without WAL, which keeps the first start short.
    await sql`select pg_stat_force_next_flush()`.execute(alone)
    const { rows } = await sql<{ logged: number }>`
      select wal_bytes::bigint as logged from pg_stat_get_backend_wal(pg_backend_pid())`.execute(alone)
    expect((rows[0]?.logged ?? Number.NaN) / size.employees).toBeLessThan(2_200)
    const sum = sql<{ sum: string }>`
      select md5(string_agg(md5((employees.*)::text || coalesce((balances.*)::text, '')), '' order by employees.id)) as sum
      from employees left join (select employee_id, work_period_start, earned_amount, limit_amount, taken_amount, pending_amount
        from work_period_balances where is_open) balances on employee_id = employees.id
      union all select md5(string_agg(md5(concat_ws(' ', id, user_id, kind, last_four, status, added_at, deleted_at)), '' order by id)) from linked_accounts
      union all select md5(string_agg(md5(rewards::text), '' order by id)) from rewards`
    const [here, there] = [await sum.execute(server.db), await sum.execute(twin.db)]
    expect(here.rows).toEqual(there.rows)
    expect(here.rows).toHaveLength(3)
  } finally {
    await alone.destroy()
    await twin.drop()
  }
})

test.each(['employees', 'users'] as const)(
  'the words of the names of %s are indexed, so that a misspelled one is found',
  async (table) => {
    const { missing, known } = await one(sql`
    with words as (select distinct word from ${sql.table(table)}, string_to_table(name_key, ' ') word where char_length(word) between 3 and 40)
    select count(*) filter (where not exists (select from name_words w where w.word = words.word)) as missing,
      count(*) as known from words where word !~ '[0-9@]'`)
    expect(missing).toBe(0)
    expect(known).toBeGreaterThan(50)
  },
)

test('[CARD-009] the demo has its size, three brands, and the proportions of the service', async () => {
  const counts = await one(sql`
    select count(*) as employees, min(id) as first, count(distinct brand) as brands, count(user_id)::float8 / count(*) as linked,
      count(*) filter (where status = 'PAUSED') as paused, count(*) filter (where phone_number like '%555-01%') as phones,
      count(phone_number) as numbers, count(*) filter (where email !~ '@example[.](com|org|net)$') as strange from employees`)
  expect(counts).toMatchObject({ employees: 6_000, brands: 3, strange: 0 })
  expect(counts.phones).toBe(counts.numbers)
  expect(counts.first).toBeGreaterThan(100_001)
  expect(counts.linked).toBeGreaterThan(0.2)
  expect(counts.linked).toBeLessThan(0.35)
  expect(counts.paused).toBeGreaterThan(50)
  const lowest = await one(sql`select min(id) as id from organizations`)
  expect(lowest.id).toBe(100_001)
  const ids = await one(sql`select count(*) as all, count(distinct id) as distinct from (select id from employees union all
    select id from users union all select id from employers union all select id from organizations) ids`)
  expect(ids.all).toBe(ids.distinct)
})

describe('pay', () => {
  test.each([
    ['ENUM-010', 'WEEKLY'],
    ['ENUM-011', 'BI_WEEKLY'],
    ['ENUM-012', 'SEMI_MONTHLY'],
    ['ENUM-013', 'MONTHLY'],
  ])('[%s] an employee is paid %s', async (_, frequency) => {
    expect(payFrequencies).toContain(frequency)
    const headers = await signInAs(server, 'priya.raman@example.com')
    const { body } = await call(server, 'GET', `/employees?limit=3&pay-frequency=${frequency}`, { headers })
    expect(body.employees.map((employee: { pay_frequency: string }) => employee.pay_frequency)).toEqual([
      frequency,
      frequency,
      frequency,
    ])
  })

  test('[ENUM-014] [ENUM-015] rates are cents per hour, or per year for a salary', async () => {
    const headers = await signInAs(server, 'priya.raman@example.com')
    const { body } = await call(server, 'GET', '/employees?limit=200&sort=name', { headers })
    const known = body.employees.filter((employee: { pay_type: string | null }) => employee.pay_type)
    expect(new Set(known.map((employee: { pay_type: string }) => employee.pay_type))).toEqual(new Set(['HOURLY', 'SALARY']))
    for (const { pay_type, rate_amount } of known) {
      expect(rate_amount).toBeGreaterThanOrEqual(pay_type === 'SALARY' ? 3_000_000 : 1_500)
      expect(rate_amount).toBeLessThanOrEqual(pay_type === 'SALARY' ? 10_000_000 : 4_500)
    }
  })
})

describe('history', () => {
  const hasEvent = async (status: string, category: string) => {
    const { employee_id } = await one(sql`
      select employees.id as employee_id from audit_events join employees
        on entity_id = case entity when 'user' then user_id else employees.id end::text
      where audit_events.status = ${status} and category = ${category} limit 1`)
    const headers = await signInAs(server, 'sam.okoye@example.com')
    const { body } = await call(server, 'GET', `/employees/${employee_id}/events`, { headers })
    expect(body.events).toContainEqual(expect.objectContaining({ status, category }))
  }

  test.each([
    ['ENUM-016', 'Paused', 'user'],
    ['ENUM-017', 'Resumed', 'user'],
    ['ENUM-018', 'CREATE', 'user'],
    ['ENUM-019', 'DEACTIVATE', 'card'],
    ['ENUM-023', 'address_changed', 'user'],
    ['ENUM-025', 'CREATE', 'card'],
  ])('[%s] a history has %s in the category %s', (_, status, category) => hasEvent(status, category))

  test.each([
    ['Additional Transaction', 'user'],
    ['KYC Details Changed', 'user'],
    ['Phone Removal', 'user'],
    ['Bank account deleted', 'user'],
  ])('a history has %s in the category %s', (status, category) => hasEvent(status, category))

  test('[ENUM-016] everybody who is paused has an event for it, by the same person at the same time', async () => {
    const without = await one(sql`
      select count(*) as count from employees where status = 'PAUSED' and not exists (
        select 1 from audit_events where entity = 'employee' and entity_id = employees.id::text and audit_events.status = 'Paused'
          and at = paused_at and actor_name = paused_by_name)`)
    expect(without.count).toBe(0)
  })
})

test('[ENUM-025] linked accounts have every state, and every deleted card has an event', async () => {
  const { rows } = await sql<{ kind: string; status: string; count: number }>`
    select kind, status, count(*)::int as count from linked_accounts group by 1, 2`.execute(server.db)
  for (const kind of ['BANK_ACCOUNT', 'CARD'])
    for (const status of ['ACTIVE', 'PENDING', 'FAIL', 'DELETED'])
      expect(rows.find((row) => row.kind === kind && row.status === status)?.count, `${kind} ${status}`).toBeGreaterThan(2)
  const without = await one(sql`
    select count(*) as count from linked_accounts account where kind = 'CARD' and account.status = 'DELETED' and not exists (
      select 1 from audit_events e where entity = 'user' and entity_id = account.user_id::text and category = 'card'
        and e.status = 'DEACTIVATE' and at = deleted_at and actor_name = deleted_by_name
        and text = concat(brand, ' ', last_four, E'\n', deletion_reason, E'\n', deletion_notes))`)
  expect(without.count).toBe(0)
  const odd = await one(sql`select count(*) as count from linked_accounts
    where added_at > ${size.today}::date + 1 or deleted_at < added_at or deleted_at > ${size.today}::date + 1`)
  expect(odd.count).toBe(0)
})

test('rewards have every state, and consistent dates', async () => {
  const { rows } = await sql<{ status: string }>`select distinct status from rewards order by 1`.execute(server.db)
  expect(rows.map(({ status }) => status)).toEqual(['EXPIRED', 'GRANTED', 'PENDING'])
  const odd = await one(sql`select count(*) as count from rewards where earned_date > ${size.today} or granted_date < earned_date
    or granted_date > ${size.today} or (status = 'PENDING') <> (granted_date is null and expiry_date >= ${size.today})`)
  expect(odd.count).toBe(0)
})

test('[CARD-011] [PERM-003] the demo account manager sees one organization and one employer of another', async () => {
  const headers = await signInAs(server, 'maya.lindt@example.com')
  const { body } = await call(server, 'GET', '/employers?limit=200', { headers })
  const organizations = body.employers.map((employer: { organization_id: number }) => employer.organization_id)
  expect(new Set(organizations).size).toBe(2)
  expect(organizations.length).toBeGreaterThan(2)
  const all = await one(sql`select count(*) as count from employers`)
  expect(organizations.length).toBeLessThan(all.count as number)
})

test('[CARD-009] a renamed employer is sorted by its new name', async () => {
  const { id } = await one(sql`select id from employers order by name_key desc limit 1`)
  await server.db
    .updateTable('employers')
    .set({ internal_name: 'Aaa First' })
    .where('id', '=', id as number)
    .execute()
  const headers = await signInAs(server, 'priya.raman@example.com')
  const { body } = await call(server, 'GET', '/employees?sort=employer&limit=1&include=employer', { headers })
  expect(body.employees[0].employer.name).toBe('Aaa First')
})

test('steps for foreign keys in opposite directions lock their tables in one order', async () => {
  let locked: string[] = []
  const dropped = server.owner.transaction().execute(async (tx) => {
    locked = (await dropDefinitions(tx)).flatMap(({ references }) => references.map(({ tables }) => tables.join(' ')))
    throw new Error('rolled back')
  })
  await expect(dropped).rejects.toThrow('rolled back')
  const between = locked.filter((tables) => tables.includes('ach_results') && tables.includes('repayments'))
  expect(between.length).toBeGreaterThan(1)
  expect(new Set(between)).toEqual(new Set(['ach_results repayments']))
})
