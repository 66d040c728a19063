import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TimeEntryStatus } from '#domain/time-entry.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createTimeEntry } from '#tests/support/time.ts'

let database: TestDatabase
let employerId: number

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  employerId = (await createCompany(database.db, 'Harbor')).employerIds[0] as number
})

/** An employee with an open week from 28 December to 3 January. */
async function weekly(payFrequency: string): Promise<number> {
  const { id } = await createEmployee(database.db, { employerId, payFrequency, linked: {} })
  await createBalance(database.db, id, { available: 200_00, start: '2025-12-28', end: '2026-01-03' })
  return id
}

/** A pay group of the employer with these periods, by first and last day. */
const payGroup = async (frequency: string, derived: boolean, ...periods: readonly (readonly [string, string])[]) => {
  const [first] = periods as [readonly [string, string]]
  await sql`insert into pay_groups (employer_id, name, external_code, payroll_frequency, adjustment_type, derived, first_start_date,
      first_end_date, first_report_date, first_payment_date)
    values (${employerId}, 'A', 'A', ${frequency}, 'SAME_DAY', ${derived}, ${first[0]}, ${first[1]}, ${first[1]}, ${first[1]}::date + 1)`.execute(
    database.db,
  )
  for (const [start, end] of periods)
    await sql`insert into pay_periods select id, ${start}, ${end}, ${end}, ${end}::date + 1 from pay_groups where employer_id = ${employerId}`.execute(
      database.db,
    )
}

const periodsOf = async (id: number) =>
  (
    await sql<{ period: string }>`
      select work_period_start || ' ' || work_period_end || case when is_open then ' open' else '' end as period
      from work_period_balances where employee_id = ${id} order by work_period_start offset 1`.execute(database.db)
  ).rows.map(({ period }) => period)

async function clock(today: string): Promise<void> {
  await setToday(database.db, today)
  expect(await moveInvoices(database, { processor: null })).toMatchObject({ failed: 0 })
}

test('on a change to monthly pay the period ends with the month, and no day lacks a period', async () => {
  const id = await weekly('MONTHLY')
  await payGroup('MONTHLY', false, ['2026-01-01', '2026-01-31'], ['2026-02-01', '2026-02-28'])
  await clock('2026-02-10')
  expect(await periodsOf(id)).toEqual(['2026-01-04 2026-01-31', '2026-02-01 2026-02-28 open'])
})

test('an unconfirmed pay group derives the next periods from its last one', async () => {
  const id = await weekly('MONTHLY')
  await payGroup('MONTHLY', true, ['2025-11-01', '2025-11-30'])
  await clock('2026-02-10')
  expect(await periodsOf(id)).toEqual(['2026-01-04 2026-01-31', '2026-02-01 2026-02-28 open'])
})

test('periods with a later start also leave the days before them in a period', async () => {
  const id = await weekly('MONTHLY')
  await payGroup('MONTHLY', false, ['2026-02-01', '2026-02-28'])
  await clock('2026-02-10')
  expect(await periodsOf(id)).toEqual(['2026-01-04 2026-01-31', '2026-02-01 2026-02-28 open'])
})

test('approved time of a day before its period was opened is earned in that period', async () => {
  const id = await weekly('WEEKLY')
  await sql`insert into configurations (employer_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    values (${employerId}, 'PERCENTAGE', 5000, 300000)`.execute(database.db)
  const worked = (date: string, status: TimeEntryStatus, earned: number) =>
    createTimeEntry(database.db, { employeeId: id, employerId, date, status, earned })
  await worked('2026-01-03', 'AUTO', 1_00)
  await worked('2026-01-04', 'AUTO', 160_00)
  await worked('2026-01-05', 'APPROVED', 80_01)
  await worked('2026-01-05', 'PENDING', 7_00)
  await worked('2026-01-06', 'REJECTED', 9_00)
  await clock('2026-01-05')
  const { rows } = await sql`select earned_amount as earned, limit_amount as limit from work_period_balances
    where employee_id = ${id} and is_open`.execute(database.db)
  expect(rows).toEqual([{ earned: 240_01, limit: 120_00 }])
})

test('the clock and other locks of an employee wait for each other without a deadlock', async () => {
  const id = await weekly('WEEKLY')
  await setToday(database.db, '2026-01-05')
  const waits = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
    ).rows[0]?.n
  let clockRuns: Promise<unknown> = Promise.resolve()
  await database.db.transaction().execute(async (tx) => {
    await sql`select from employees where id = ${id} for update`.execute(tx)
    clockRuns = moveInvoices(database, { processor: null })
    await expect.poll(waits).toBe(1)
    await sql`set local lock_timeout = '500ms'`.execute(tx)
    await sql`update work_period_balances set earned_amount = 1 where employee_id = ${id}`.execute(tx)
  })
  expect(await clockRuns).toMatchObject({ failed: 0 })
  expect(await periodsOf(id)).toEqual(['2026-01-04 2026-01-10 open'])
})
