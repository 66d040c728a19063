import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transactionProviders, transactionStatuses } from '#domain/transaction.ts'
import { countsAsEarned, firstStatusOf, type TimeEntryStatus, timeEntryStatuses } from '#domain/time-entry.ts'
import { availableOf, drawnBy, isUse, limitOf } from '#domain/work-period.ts'
import { addDays } from '#domain/calendar.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { makePast } from '#server/boot/make-past.ts'
import { hasPastLeft } from '#server/seed/past-periods.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

const today = '2026-01-31'
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  await seedDemo(database.owner, { employees: 6_000, today })
})
afterAll(() => database.drop())

const rows = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> => (await statement.execute(database.owner)).rows
const count = async (statement: ReturnType<typeof sql<{ count: number }>>): Promise<number> =>
  (await rows(statement))[0]?.count ?? Number.NaN

test('what nobody looks at first comes later, once, wherever it was broken off', async () => {
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

test('[CONST-009] what is available follows from the terms, what was earned and what is out', async () => {
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

test('[TRX-001] [TRX-004] of every balance, COMPLETE is what was taken, PENDING what is pending, and neither is above the limit', async () => {
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
    is_open && drawn ? [drawn.filter(({ status }) => isUse(status)).length] : [],
  )
  expect(Math.max(...uses)).toBeGreaterThan(1)
})

test('what was taken in a period is the share of its invoices', async () => {
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

test('[TRX-002] [TRX-003] [ENUM-027] advances come at the rates of the service, in every status, from both processors', async () => {
  const [told] = await rows(sql<{
    each: number
    a_year: number
    least: number
    most: number
    statuses: string[]
    providers: string[]
    late: number
  }>`
    select avg(amount) filter (where status = 'COMPLETE')::float8 as each, min(amount) as least, max(amount) as most,
      count(*) filter (where status = 'COMPLETE')::float8 / (select count(distinct employee_id) from work_period_balances) * 365 / 100 as a_year,
      array_agg(distinct status) as statuses, array_agg(distinct provider) as providers,
      count(*) filter (where requested_at > ${today}::date + interval '8 hours')::int as late from transactions`)
  expect(told?.statuses.sort()).toEqual([...transactionStatuses].sort())
  expect(told?.providers.sort()).toEqual([...transactionProviders].sort())
  expect(told?.each).toBeGreaterThan(80_00)
  expect(told?.each).toBeLessThan(160_00)
  expect(told?.a_year).toBeGreaterThan(15)
  expect(told?.a_year).toBeLessThan(40)
  expect(told?.least).toBeGreaterThanOrEqual(5_00)
  expect(told?.late).toBe(0)
})

test('[ENUM-020] an additional transaction of the last months is granted in the period that it was made in', async () => {
  expect(
    await count(sql`
    select count(*) as count from audit_events event join work_period_balances balance on entity_id = employee_id::text
      and at::date between work_period_start and work_period_end
    where intent = 'employee.additional-transaction' and not exists (
      select from additional_transactions given where given.work_period_balance_id = balance.id)`),
  ).toBe(0)
  expect(await count(sql`select count(*) as count from additional_transactions`)).toBeGreaterThan(10)
})

test('[TKS-001, TKS-002, TKS-003, TKS-004] what is approved of the time of a work period comes to what was earned in it', async () => {
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
  for (const { id, earned_amount, is_open, entries, ...terms } of periods) {
    const counted = entries.filter(({ status }) => countsAsEarned(status))
    expect([id, counted.reduce((sum, entry) => sum + entry.earned_amount, 0)]).toEqual([id, earned_amount])
    for (const { status, minutes } of entries) {
      if (status === 'AUTO' || status === 'PENDING') expect([id, firstStatusOf(minutes, terms)]).toEqual([id, status])
      if (status === 'PENDING') expect(is_open).toBe(true)
    }
  }
  const entries = periods.flatMap((period) => period.entries)
  for (const status of timeEntryStatuses) expect(entries.filter((entry) => entry.status === status).length).toBeGreaterThan(3)
  const weekend = entries.filter(({ weekday }) => weekday > 5).length
  expect(weekend / entries.length).toBeLessThan(0.02)
})

test('time closes work periods and opens the next, and what is taken in them is what invoices are made of', async () => {
  const later = addDays(today, 12)
  expect((await moveInvoices({ db: database.db }, { today: later })).failed).toBe(0)
  expect(await count(sql`select count(*) as count from work_period_balances where is_open and work_period_end < ${later}`)).toBe(
    0,
  )
  // One for each period without a gap, for everybody who may draw.
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
  const filled = sql`select line.original_amount, balance.taken_amount from invoices i join invoice_lines line on line.invoice_id = i.id
    left join work_period_balances balance on balance.employee_id = line.employee_id and work_period_start = i.period_start
      and work_period_end = i.period_end
    where i.status <> 'DRAFT' and i.period_end between ${today}::date and ${later}::date`
  expect(await count(sql`select count(*) as count from (${filled}) line`)).toBeGreaterThan(100)
  expect(
    await count(sql`select count(*) as count from (${filled}) line where taken_amount is distinct from original_amount`),
  ).toBe(0)
})
