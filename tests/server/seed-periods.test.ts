import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionProviders, transactionStatuses, usesRequest } from '#domain/transaction.ts'
import { countsAsEarned, firstStatusOf, type TimeEntryStatus, timeEntryStatuses } from '#domain/time-entry.ts'
import { availableOf, drawnBy, limitOf } from '#domain/work-period.ts'
import { addDays } from '#domain/calendar.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { greet } from '#server/boot/greet.ts'
import { makePast } from '#server/boot/make-past.ts'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { isWithoutPast } from '#server/seed/past-periods.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

const today = '2026-01-31'
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await seedDemo(database.owner, { employees: 3_000, today })
})
afterAll(() => database.drop())

const rows = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> => (await statement.execute(database.owner)).rows
const count = async (statement: ReturnType<typeof sql<{ count: number }>>): Promise<number> =>
  (await rows(statement))[0]?.count ?? Number.NaN

test('data not needed at first is added later, once, also after an interruption', async () => {
  expect(await count(sql`select count(*) as count from transactions`)).toBe(0)
  expect(await hasPastLeft(database.db)).toBe(true)
  const stopped = new AbortController()
  stopped.abort()
  await makePast(database.owner, stopped.signal)
  expect(await hasPastLeft(database.db)).toBe(true)
  await Promise.all([makePast(database.owner), makePast(database.owner)])
  expect(await hasPastLeft(database.db)).toBe(false)
  expect(await count(sql`select count(*) as count from transactions`)).toBeGreaterThan(1_000)
  await makePast(database.owner)
  expect(
    await count(sql`select count(*) as count from (select from work_period_balances group by employee_id, work_period_start
    having count(*) > 1) twice`),
  ).toBe(0)
})

test('[CONST-009] what is available follows from terms, earnings and open advances', async () => {
  const open = await rows(sql<{
    earned_amount: number
    limit_amount: number
    taken_amount: number
    pending_amount: number
    available_amount: number
    shown: number
    withdraw_limit_type: 'PERCENTAGE' | 'AMOUNT'
    withdraw_limit_amount: number
    withdraw_amount_max: number
  }>`select balance.*, e.available_amount as shown, terms.withdraw_limit_type, terms.withdraw_limit_amount, terms.withdraw_amount_max
    from work_period_balances balance join employees e on e.id = employee_id join employers on employers.id = e.employer_id
    cross join lateral (select * from configurations given where given.employer_id = e.employer_id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) terms where is_open`)
  expect(open.length).toBeGreaterThan(500)
  for (const one of open) {
    expect(one.limit_amount).toBe(limitOf(one.earned_amount, one))
    expect(one.available_amount).toBe(availableOf(one))
    expect(one.shown).toBe(one.available_amount)
  }
  expect(open.filter((one) => one.taken_amount > 0).length).toBeGreaterThan(100)
  expect(open.filter((one) => one.pending_amount > 0).length).toBeGreaterThan(10)
})

test('[TRX-001] [TRX-004] in every balance, COMPLETE is taken, PENDING is pending, and neither exceeds the limit', async () => {
  const balances = await rows(sql<{
    id: number
    limit_amount: number
    taken_amount: number
    pending_amount: number
    is_open: boolean
    drawn: { status: string; amount: number; fee_amount: number }[] | null
  }>`select balance.*, (select json_agg(json_build_object('status', status, 'amount', amount, 'fee_amount', fee_amount))
      from transactions where work_period_balance_id = balance.id) as drawn from work_period_balances balance`)
  expect(balances.length).toBeGreaterThan(5_000)
  for (const { id, limit_amount, taken_amount, pending_amount, drawn } of balances) {
    expect([id, drawnBy(drawn ?? [])]).toEqual([id, { taken_amount, pending_amount }])
    expect(taken_amount + pending_amount).toBeLessThanOrEqual(limit_amount)
  }
  const uses = balances.flatMap(({ is_open, drawn }) =>
    is_open && drawn ? [drawn.filter(({ status }) => usesRequest.some((use) => use === status)).length] : [],
  )
  expect(Math.max(...uses)).toBeGreaterThan(1)
})

test('amounts taken in a period are its share of the invoices', async () => {
  expect(
    await count(sql`
    select count(*) as count from work_period_balances balance left join lateral (
      select sum(line.original_amount) as amount from invoice_lines line join invoices i on i.id = line.invoice_id
      where line.employee_id = balance.employee_id and i.period_start = work_period_start and i.period_end = work_period_end) billed on true
    where coalesce(billed.amount, 0) <> taken_amount`),
  ).toBe(0)
  expect(
    await count(sql`
    select count(*) as count from invoice_lines line join invoices i on i.id = line.invoice_id
    where i.period_end >= ${today}::date - 92 and not exists (select from work_period_balances balance
      where balance.employee_id = line.employee_id and work_period_start = i.period_start)`),
  ).toBe(0)
})

test('[TRX-002] [TRX-003] [ENUM-027] advances have the rates of the service, every status, and both processors', async () => {
  const [totals] = await rows(sql<{
    each: number
    a_year: number
    min: number
    max: number
    statuses: string[]
    providers: string[]
    late: number
  }>`
    select avg(amount) filter (where status = 'COMPLETE')::float8 as each, min(amount) as min, max(amount) as max,
      count(*) filter (where status = 'COMPLETE')::float8 / (select count(distinct employee_id) from work_period_balances) * 365 / 100 as a_year,
      array_agg(distinct status) as statuses, array_agg(distinct provider) as providers,
      count(*) filter (where requested_at > ${today}::date + interval '8 hours')::int as late from transactions`)
  expect(totals?.statuses.sort()).toEqual([...transactionStatuses.values].sort())
  expect(totals?.providers.sort()).toEqual([...transactionProviders].sort())
  expect(totals?.each).toBeGreaterThan(80_00)
  expect(totals?.each).toBeLessThan(160_00)
  expect(totals?.a_year).toBeGreaterThan(15)
  expect(totals?.a_year).toBeLessThan(40)
  expect(totals?.min).toBeGreaterThanOrEqual(5_00)
  expect(totals?.late).toBe(0)
})

test('[ENUM-020] an additional transaction of the last months is granted in its own period', async () => {
  expect(
    await count(sql`
    select count(*) as count from audit_events event join work_period_balances balance on entity_id = employee_id::text
      and at::date between work_period_start and work_period_end
    where intent = 'employee.additional-transaction' and not exists (
      select from additional_transactions given where given.work_period_balance_id = balance.id)`),
  ).toBe(0)
  expect(await count(sql`select count(*) as count from additional_transactions`)).toBeGreaterThan(10)
})

/** Checks all work periods with time entries: the approved time equals the earned amount. */
async function checkedPeriods() {
  const periods = await rows(sql<{
    id: number
    earned_amount: number
    is_open: boolean
    daily_hours_limit: number
    timekeeping_approval_threshold: number
    entries: { status: TimeEntryStatus; minutes: number; earned_amount: number; weekday: number }[]
  }>`select balance.id, balance.earned_amount, balance.is_open, terms.daily_hours_limit, terms.timekeeping_approval_threshold,
      (select json_agg(json_build_object('status', status, 'minutes', minutes, 'earned_amount', earned_amount,
        'weekday', extract(isodow from work_date))) from time_entries entry
        where entry.employee_id = balance.employee_id and work_date between work_period_start and work_period_end) as entries
    from work_period_balances balance join employees e on e.id = employee_id join employers on employers.id = e.employer_id
    cross join lateral (select * from configurations given where given.employer_id = e.employer_id
      or given.organization_id = employers.organization_id order by given.employer_id nulls last limit 1) terms
    where exists (select from time_entries entry where entry.employee_id = balance.employee_id
      and work_date between work_period_start and work_period_end)`)
  expect(periods.length).toBeGreaterThan(500)
  for (const { id, earned_amount, entries, ...terms } of periods) {
    const counted = entries.filter(({ status }) => countsAsEarned(status))
    expect([id, counted.reduce((sum, entry) => sum + entry.earned_amount, 0)]).toEqual([id, earned_amount])
    for (const { status, minutes } of entries) {
      if (status === 'AUTO' || status === 'PENDING') expect([id, firstStatusOf(minutes, terms)]).toEqual([id, status])
    }
  }
  return periods
}

test('[TKS-001, TKS-002, TKS-003, TKS-004] the approved time of a work period equals what was earned in it', async () => {
  const periods = await checkedPeriods()
  for (const { is_open, entries } of periods) expect(is_open || entries.every(({ status }) => status !== 'PENDING')).toBe(true)
  const entries = periods.flatMap((period) => period.entries)
  for (const status of timeEntryStatuses.values)
    expect(entries.filter((entry) => entry.status === status).length).toBeGreaterThan(3)
  const weekend = entries.filter(({ weekday }) => weekday > 5).length
  expect(weekend / entries.length).toBeLessThan(0.02)
})

test('the clock closes and opens work periods, and invoices bill the advances in them', async () => {
  const later = addDays(today, 12)
  expect((await moveInvoices({ db: database.db }, { today: later })).failed).toBe(0)
  expect(await count(sql`select count(*) as count from work_period_balances where is_open and work_period_end < ${later}`)).toBe(
    0,
  )
  // One per period without a gap, for everybody who may withdraw.
  expect(
    await count(sql`
    select count(*) as count from employees e where status in ('ACTIVE', 'PAUSED') and exists (
      select from work_period_balances b where b.employee_id = e.id) and (select count(*) from work_period_balances b
      where b.employee_id = e.id and b.is_open and ${later} between work_period_start and work_period_end) <> 1`),
  ).toBe(0)
  expect(
    await count(sql`
    select count(*) as count from (select work_period_start - lag(work_period_end) over (partition by employee_id order by work_period_start) as gap
      from work_period_balances where work_period_end >= ${today}) steps where gap <> 1`),
  ).toBe(0)
  expect(
    await count(sql`
    select count(*) as count from work_period_balances b left join lateral (select
      coalesce(sum(amount + fee_amount) filter (where status = 'COMPLETE'), 0) as taken from transactions where work_period_balance_id = b.id) t on true
    where b.taken_amount <> t.taken or b.taken_amount > b.limit_amount`),
  ).toBe(0)
  // Pending advances have completed with the invoice of their period.
  const pending = (over: string) => sql<{ count: number }>`
    select count(*) as count from transactions t join work_period_balances b on b.id = t.work_period_balance_id
    where t.status = 'PENDING' and b.work_period_end < ${over}::date`
  expect(await count(pending(addDays(later, -5)))).toBe(0)
  const filled = sql`select line.original_amount, balance.taken_amount from invoices i join invoice_lines line on line.invoice_id = i.id
    left join work_period_balances balance on balance.employee_id = line.employee_id and work_period_start = i.period_start
      and work_period_end = i.period_end
    where i.status <> 'DRAFT' and i.period_end between ${today}::date and ${later}::date`
  expect(await count(sql`select count(*) as count from (${filled}) line`)).toBeGreaterThan(100)
  expect(
    await count(sql`select count(*) as count from (${filled}) line where taken_amount is distinct from original_amount`),
  ).toBe(0)
})

test('[TKS-001] passing days in the demo are worked: each has its time entries and earnings', async () => {
  const later = addDays(today, 12)
  const keeps = sql`e.employer_id % 5 < 2`
  const working = sql`work_period_balances balance join employees e on e.id = balance.employee_id
    where e.status in ('ACTIVE', 'PAUSED') and e.user_id is not null and e.rate_amount is not null
      and work_period_end > ${today}::date and work_period_start <= ${later}::date`
  const worked = sql`select from time_entries entry where entry.employee_id = e.id and work_date = day::date`
  const days = sql`generate_series(greatest(work_period_start, ${today}::date + 1), least(work_period_end, ${later}::date), '1 day') as day`
  expect(
    await count(sql`select count(*) as count from ${working} and ${keeps} and exists (
      select from ${days} where extract(isodow from day) < 6 and not exists (${worked}))`),
  ).toBe(0)
  expect(
    await count(sql`select count(*) as count from ${working} and exists (
      select from ${days} where (extract(isodow from day) > 5 or not (${keeps})) and exists (${worked}))`),
  ).toBe(0)
  expect((await checkedPeriods()).length).toBeGreaterThan(700)
  // Employees without time files earn 40 hours a week, up to the day.
  const rate = sql`case when pay_type = 'SALARY' then rate_amount / 2080 else rate_amount end`
  const passed = sql`(least(work_period_end, ${later}::date) - work_period_start + 1)`
  expect(await count(sql`select count(*) as count from ${working} and not (${keeps})`)).toBeGreaterThan(500)
  expect(
    await count(
      sql`select count(*) as count from ${working} and not (${keeps}) and earned_amount <> (${rate}) * (${passed} * 40 / 7)`,
    ),
  ).toBe(0)
  const shown = () =>
    rows(sql`select sum(earned_amount) as earned, sum(version) as versions, sum(limit_amount) as limits,
    (select count(*) from time_entries) as entries from work_period_balances`)
  const before = await shown()
  // Interrupted before it was recorded: nothing is done twice.
  await sql`update settings set value = ${today} where name = 'demo-worked-to'`.execute(database.owner)
  expect((await moveInvoices({ db: database.db }, { today: later })).failed).toBe(0)
  expect(await shown()).toEqual(before)
})

test('manual adjustments and data outside of the demo are left alone', async () => {
  const [later, after] = [12, 13].map((days) => addDays(today, days)) as [string, string]
  const [one] = await rows(sql<{
    id: number
  }>`select balance.id from work_period_balances balance join employees e on e.id = employee_id
    where is_open and employer_id % 5 >= 2 and work_period_end > ${later}::date and status = 'ACTIVE' and rate_amount is not null limit 1`)
  const earned = () =>
    rows(
      sql`select sum(earned_amount) filter (where id = ${one?.id})::float8 as adjusted, sum(earned_amount)::float8 as all from work_period_balances`,
    )
  await sql`update work_period_balances set earned_amount = 123 where id = ${one?.id}`.execute(database.owner)
  const before = await earned()
  await sql`update settings set value = 'none' where name = 'seed'`.execute(database.owner)
  expect((await moveInvoices({ db: database.db }, { today: after, processor: null })).failed).toBe(0)
  expect(await earned()).toEqual(before)
  await sql`update settings set value = 'demo' where name = 'seed'`.execute(database.owner)
  expect((await moveInvoices({ db: database.db }, { today: after })).failed).toBe(0)
  const [now] = (await earned()) as [{ adjusted: number; all: number }]
  expect(now.adjusted).toBe(123)
  expect(now.all).toBeGreaterThan((before[0] as { all: number }).all)
  await checkedPeriods()
})

test('a demo company from before transactions reports that it has none', async () => {
  expect(await isWithoutPast(database.db)).toBe(false)
  await sql`delete from settings where name = 'past-periods'`.execute(database.owner)
  expect(await isWithoutPast(database.db)).toBe(true)
  expect((await moveInvoices({ db: database.db }, { today: addDays(today, 14) })).failed).toBe(0)
  const said: string[] = []
  const running = { address: 'http://127.0.0.1:3000', demo: true, indexing: false, past: false, close: async () => undefined }
  greet({ ...running, upgrading: false, unfinished: false, pastless: true, metrics: null }, (line) => said.push(line))
  expect(said).toContain(
    'This demo company was made by a version without transactions and has none. For one with them, start with another DATA_DIR.',
  )
})
