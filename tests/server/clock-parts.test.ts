import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#domain/calendar.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { beginning, type Place } from '#server/money/billing/people.ts'
import { recalculateLimits } from '#server/money/billing/work-periods.ts'
import { setToday } from '#tests/support/bank.ts'
import { createCompany } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createInvoice } from '#tests/support/money.ts'

let database: TestDatabase
/** A Monday; the work period before it ended on Sunday. */
const monday = '2026-01-12'
const [start, end] = [addDays(monday, -7), addDays(monday, -1)]
/** More than two transactions work for. */
const people = 4_500
const atOnce = 2_000

beforeAll(async () => {
  database = await createDatabase()
  await setToday(database.db, monday)
})
afterAll(() => database.drop())

const one = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row> =>
  (await statement.execute(database.db)).rows[0] as Row

/** An employer whose people each took $10.01 or more in the week that has ended, and its draft for that week, to report today. */
async function largeEmployer(name: string): Promise<{ employerId: number; invoiceId: number }> {
  const { employerIds } = await createCompany(database.db, name)
  const employerId = employerIds[0] as number
  const mail = `%@${name.toLowerCase()}.example.com`
  await sql`insert into users (brand, first_name, last_name, email, status)
    select 'DAYLINE', 'Mia', 'Torres', replace(${mail}, '%', n::text), 'ACTIVE' from generate_series(1, ${people}::int) n`.execute(
    database.db,
  )
  await sql`insert into employees (organization_id, employer_id, user_id, first_name, last_name, employee_code, status, flow, brand,
      pay_type, pay_frequency, rate_amount)
    select (select organization_id from employers where id = ${employerId}), ${employerId}, id, first_name, last_name, 'C-' || id, 'ACTIVE',
      'PAYROLL', brand, 'HOURLY', 'WEEKLY', 2150 from users where email like ${mail} order by id`.execute(database.db)
  await sql`insert into work_period_balances (organization_id, employee_id, work_period_start, work_period_end, is_open, earned_amount,
      limit_amount)
    select organization_id, id, ${start}, ${end}, true, 40000, 20000 from employees where employer_id = ${employerId} order by id`.execute(
    database.db,
  )
  await sql`insert into transactions (organization_id, employee_id, work_period_balance_id, status, provider, amount, fee_amount,
      requested_at, settled_at)
    select b.organization_id, b.employee_id, b.id, 'COMPLETE', 'NORTHRAIL', 1000 + row_number() over (order by b.employee_id), 0, now(), now()
    from work_period_balances b join employees e on e.id = b.employee_id where e.employer_id = ${employerId}`.execute(database.db)
  const { id } = await createInvoice(database.db, {
    employerId,
    status: 'DRAFT',
    companyCode: 'W',
    lines: [],
    periodStart: start,
    periodEnd: end,
    reportDate: monday,
  })
  return { employerId, invoiceId: id }
}

/** The totals of a round for one employer, and the number of transactions in which it was billed. */
const totalsOf = ({ employerId, invoiceId }: { employerId: number; invoiceId: number }) =>
  one(sql`
    select i.status, i.original_amount as total, (select count(*)::int from invoice_lines where invoice_id = i.id) as lines,
      (select sum(original_amount)::bigint from invoice_lines where invoice_id = i.id) as of_lines,
      (select sum(amount)::bigint from ledger_entries where invoice_id = i.id) as of_ledger,
      (select count(*)::int from ledger_entries where invoice_id = i.id) as entries,
      (select count(*)::int from work_period_balances b join employees e on e.id = b.employee_id
        where e.employer_id = i.employer_id and b.is_open and b.work_period_start = ${monday}) as opened,
      (select count(*)::int from work_period_balances b join employees e on e.id = b.employee_id
        where e.employer_id = i.employer_id and b.taken_amount <> b.billed_amount) as unbilled
    from invoices i where i.id = ${invoiceId} and i.employer_id = ${employerId}`)

/** The connection that waits for a lock, another one than `before`. */
async function waiting(before: number | null = null): Promise<number> {
  const seen: { pid: number | null } = { pid: null }
  const isOther = async () => {
    Object.assign(
      seen,
      await one(sql<{ pid: number | null }>`select max(pid) as pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`),
    )
    return seen.pid !== null && seen.pid !== before
  }
  await expect.poll(isOther).toBe(true)
  return seen.pid as number
}

test('a large employer is billed in parts; cut off in the middle, it ends with the same totals', async () => {
  const stopped = await largeEmployer('Harbor')
  const all = people * 1_000 + (people * (people + 1)) / 2
  await database.db.transaction().execute(async (tx) => {
    // Somebody in the second part is held, first while periods are opened, then while advances are billed.
    await sql`select from work_period_balances where employee_id = (
      select id from employees where employer_id = ${stopped.employerId} order by id offset 3000 limit 1) for update`.execute(tx)
    const round = moveInvoices(database, { processor: null })
    const opening = await waiting()
    expect(await totalsOf(stopped)).toMatchObject({ opened: atOnce, lines: 0, unbilled: people })
    await sql`select pg_terminate_backend(${opening}::int)`.execute(tx)
    const billing = await waiting(opening)
    expect(await totalsOf(stopped)).toMatchObject({ status: 'DRAFT', lines: atOnce, unbilled: people - atOnce, entries: 1 })
    await sql`select pg_terminate_backend(${billing}::int)`.execute(tx)
    expect(await round).toMatchObject({ failed: 2, reported: 0 })
  })
  const undisturbed = await largeEmployer('Quay')
  expect(await moveInvoices(database, { processor: null })).toMatchObject({ failed: 0, reported: 2 })
  const expected = { total: all, lines: people, of_lines: all, of_ledger: all, entries: 3, opened: people, unbilled: 0 }
  expect(await totalsOf(undisturbed)).toEqual({ status: 'ON_DEDUCTION_FILE', ...expected })
  expect(await totalsOf(stopped)).toEqual({ status: 'ON_DEDUCTION_FILE', ...expected })
})

test('limits follow a configuration in parts of the people, from the first again if it changes', async () => {
  const { employerId } = await largeEmployer('Mole')
  const { id } = await one(sql<{
    id: number
  }>`insert into configurations (employer_id, withdraw_limit_type, withdraw_limit_amount,
    withdraw_amount_max, reckoned) values (${employerId}, 'AMOUNT', 30000, 300000, false) returning id`)
  const limits = async () =>
    (
      await sql<{
        amount: number
        count: number
      }>`select b.limit_amount as amount, count(*)::int as count from work_period_balances b
        join employees e on e.id = b.employee_id where e.employer_id = ${employerId} and b.is_open group by 1 order by 1`.execute(
        database.db,
      )
    ).rows.map(({ amount, count }) => [amount, count])
  const next = (from: Place) => database.db.transaction().execute((tx) => recalculateLimits(tx, id, from))
  const first = await next(beginning)
  expect(await limits()).toEqual([
    [20_000, people - atOnce],
    [30_000, atOnce],
  ])
  await sql`update configurations set withdraw_limit_amount = 25000, version = version + 1 where id = ${id}`.execute(database.db)
  let parts = 0
  for (let from = first; from; parts += 1) from = await next(from)
  expect(await limits()).toEqual([[25_000, people]])
  // Three with people, and one that notes the end.
  expect(parts).toBe(4)
  expect(await one(sql`select reckoned from configurations where id = ${id}`)).toEqual({ reckoned: true })
})
