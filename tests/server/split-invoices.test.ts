import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { asking } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let admin: SignedIn
const { good } = asking(
  () => server,
  () => admin,
)

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, [1, 2, 3, 4, 1016, 1020], 'Ada Admin')
})
afterAll(() => server.close())

const clock = async (...days: string[]) => {
  for (const day of days) {
    await setToday(server.owner, day)
    expect(await moveInvoices(server, { processor: null })).toMatchObject({ failed: 0 })
  }
}

test('[ENT-051] one invoice for each department where that is configured, each with its own people, and one for the rest', async () => {
  const employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  await sql`update employers set go_live_date = '2026-01-01' where id = ${employerId}`.execute(server.owner)
  await sql`insert into lms_configurations (employer_id, payment_method, split_invoices, show_amount_per_department_code)
    values (${employerId}, 'SELF_PAY', true, false)`.execute(server.owner)
  const people = new Map<string, number>()
  for (const [code, department] of [
    ['A1', 'A'],
    ['A2', 'A'],
    ['B1', 'B'],
    ['N1', null],
  ] as const) {
    const { id } = await createEmployee(server.db, { employerId, code, linked: {}, payFrequency: 'WEEKLY' })
    await sql`update employees set department_code = ${department} where id = ${id}`.execute(server.owner)
    people.set(code, id)
  }
  const taken = async (code: string, start: string, end: string, amount: number) => {
    const employeeId = people.get(code) as number
    const { rows } = await sql<{ id: number }>`select id from work_period_balances where employee_id = ${employeeId}
      and work_period_start = ${start}`.execute(server.db)
    const balanceId = rows[0]?.id ?? (await createBalance(server.db, employeeId, { available: 100_00, start, end }))
    await sql`update work_period_balances set earned_amount = 20000, limit_amount = 10000 where id = ${balanceId}`.execute(
      server.owner,
    )
    await createTransaction(server.db, { employeeId, balanceId, status: 'COMPLETE', amount })
  }
  const first = ['2026-06-15', '2026-06-21'] as const
  for (const [code, amount] of [
    ['A1', 10_00],
    ['A2', 5_00],
    ['B1', 7_00],
    ['N1', 3_00],
  ] as const)
    await taken(code, ...first, amount)
  await setToday(server.owner, '2026-06-15')
  const [start_date, end_date] = first
  await good('POST', '/organizations/paygroups', {
    employer_id: employerId,
    name: 'Weekly',
    external_code: 'WK-1',
    payroll_frequency: 'WEEKLY',
    adjustment_type: 'NEXT_BUSINESS_DAY',
    first_work_period: { start_date, end_date, report_date: '2026-06-23', payment_date: '2026-06-26' },
  })
  await clock('2026-06-15', '2026-06-22', '2026-06-23', '2026-06-24')
  const invoicesOf = async (start: string) =>
    (
      await sql<{ department: string | null; amount: number; lines: number }>`
        select department_code as department, original_amount as amount,
          (select count(*)::int from invoice_lines l where l.invoice_id = i.id) as lines
        from invoices i where employer_id = ${employerId} and period_start = ${start} order by department_code`.execute(server.db)
    ).rows
  expect(await invoicesOf(start_date)).toEqual([
    { department: 'A', amount: 15_00, lines: 2 },
    { department: 'B', amount: 7_00, lines: 1 },
    { department: null, amount: 3_00, lines: 1 },
  ])

  // Without it everybody is on one invoice from the next period on that is drafted.
  await sql`update lms_configurations set split_invoices = false where employer_id = ${employerId}`.execute(server.owner)
  await taken('A1', '2026-06-22', '2026-06-28', 4_00)
  await clock('2026-06-29', '2026-06-30', '2026-07-01', '2026-07-02')
  await taken('A1', '2026-06-29', '2026-07-05', 6_00)
  await taken('B1', '2026-06-29', '2026-07-05', 2_00)
  await clock('2026-07-06', '2026-07-07', '2026-07-08')
  const { rows } = await sql<{ amount: number; billed: number }>`
    select (select sum(original_amount)::int from invoices where employer_id = ${employerId}) as amount,
      (select sum(billed_amount)::int from work_period_balances b join employees e on e.id = b.employee_id
        where e.employer_id = ${employerId}) as billed`.execute(server.db)
  // What was taken in all, once.
  expect(rows).toEqual([{ amount: 37_00, billed: 37_00 }])
  expect((await invoicesOf('2026-07-06')).map(({ department }) => department)).toEqual([null])
})
