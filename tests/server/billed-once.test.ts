import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays } from '#domain/calendar.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createInvoice } from '#tests/support/money.ts'

let database: TestDatabase
let employerId: number
/** A Monday; the work period before it ended on Sunday. */
const monday = '2026-01-12'
const [start, end] = [addDays(monday, -7), addDays(monday, -1)]

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await setToday(database.db, monday)
  employerId = (await createCompany(database.db, 'Harbor')).employerIds[0] as number
})

const rows = async <Row>(statement: ReturnType<typeof sql<Row>>): Promise<Row[]> => (await statement.execute(database.db)).rows
/** The DRAFT of a pay group for a week, or another period, that is reported today. */
const draft = (companyCode: string, periodStart = start, periodEnd = end, reportDate = monday) =>
  createInvoice(database.db, { employerId, status: 'DRAFT', companyCode, lines: [], periodStart, periodEnd, reportDate })
const clock = async (today: string) => {
  await setToday(database.db, today)
  expect(await moveInvoices(database, { processor: null })).toMatchObject({ failed: 0 })
}

/** An employee who took $50.00 with the fee in the past week. */
async function employeeWithAdvance(payFrequency = 'WEEKLY', taken = 50_00) {
  const { id } = await createEmployee(database.db, { employerId, payFrequency, linked: {} })
  const balanceId = await createBalance(database.db, id, { available: 200_00, start, end })
  const transactionId =
    taken > 0
      ? await createTransaction(database.db, { employeeId: id, balanceId, status: 'COMPLETE', amount: taken - 2_99, fee: 2_99 })
      : 0
  return { id, balanceId, transactionId }
}

/** Billed cents of an employee, by the last day of the period of the invoice. */
const billed = async (id: number) =>
  Object.fromEntries(
    (
      await rows(sql<{ period_end: string; amount: number }>`
        select i.period_end, line.original_amount as amount from invoice_lines line join invoices i on i.id = line.invoice_id
        where line.employee_id = ${id} order by i.id`)
    ).map(({ period_end, amount }) => [period_end, amount]),
  )

test('advances are billed after the user was unlinked', async () => {
  const one = await employeeWithAdvance()
  await draft('W')
  await sql`update employees set user_id = null, status = 'ELIGIBLE' where id = ${one.id}`.execute(database.db)
  await clock(monday)
  expect(await billed(one.id)).toEqual({ [end]: 50_00 })
})

test('an advance that completes after its period was reported is on the next invoice, once', async () => {
  const one = await employeeWithAdvance()
  const late = await createTransaction(database.db, {
    employeeId: one.id,
    balanceId: one.balanceId,
    status: 'PENDING',
    amount: 20_00,
  })
  await draft('W')
  await clock(monday)
  await sql`update transactions set status = 'COMPLETE', settled_at = now() where id = ${late}`.execute(database.db)
  for (const days of [3, 8, 15, 22]) await clock(addDays(monday, days))
  expect(await billed(one.id)).toEqual({ [end]: 50_00, [addDays(end, 7)]: 20_00 })
})

test('an advance that completes when the draft already has a line is added to the line', async () => {
  const one = await employeeWithAdvance()
  const made = await createInvoice(database.db, {
    employerId,
    status: 'DRAFT',
    companyCode: 'W',
    lines: [{ employeeId: one.id, amount: 20_00 }],
    periodStart: start,
    periodEnd: end,
    reportDate: monday,
  })
  await sql`update work_period_balances set billed_amount = 2000 where id = ${one.balanceId}`.execute(database.db)
  await clock(monday)
  expect(await billed(one.id)).toEqual({ [end]: 50_00 })
  expect(await rows(sql`select original_amount from invoices where id = ${made.id}`)).toEqual([{ original_amount: 50_00 }])
})

test('an employee who changes to monthly pay is not billed again for the past weeks', async () => {
  const one = await employeeWithAdvance()
  await draft('W')
  await draft('M', '2026-01-01', '2026-01-31', '2026-02-03')
  await clock(monday)
  await sql`update employees set pay_frequency = 'MONTHLY' where id = ${one.id}`.execute(database.db)
  await createTransaction(database.db, { employeeId: one.id, balanceId: one.balanceId, status: 'COMPLETE', amount: 7_00 })
  for (const days of [8, 15, 22]) await clock(addDays(monday, days))
  expect(await billed(one.id)).toEqual({ [end]: 50_00, '2026-01-31': 7_00 })
})

test('an employee with a frequency that no pay group has is billed with the existing groups', async () => {
  const one = await employeeWithAdvance('SEMI_MONTHLY')
  await draft('W')
  await clock(monday)
  expect(await billed(one.id)).toEqual({ [end]: 50_00 })
})

test('for older data, a period counts as billed unless the draft for that period is open', async () => {
  const [sent, waiting] = [await employeeWithAdvance(), await employeeWithAdvance()]
  await sql`update work_period_balances set is_open = false where employee_id in (${sent.id}, ${waiting.id})`.execute(database.db)
  await sql`update work_period_balances set work_period_start = ${addDays(start, -7)}, work_period_end = ${addDays(end, -7)}
    where employee_id = ${sent.id}`.execute(database.db)
  await createInvoice(database.db, {
    employerId,
    lines: [{ employeeId: sent.id, amount: 50_00 }],
    periodStart: addDays(start, -7),
    periodEnd: addDays(end, -7),
  })
  await draft('W')
  await draft('M', '2026-01-01', '2026-01-31', '2026-02-03')
  await sql.raw(readFileSync('src/server/migrations/0023_billed_before.sql', 'utf8')).execute(database.owner)
  const noted = await rows(sql<{ employee_id: number; billed_amount: number }>`
    select employee_id, billed_amount from work_period_balances where employee_id in (${sent.id}, ${waiting.id}) order by 1`)
  expect(noted.map((one) => one.billed_amount)).toEqual([50_00, 0])
})
