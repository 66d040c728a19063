import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { asking } from '#tests/support/asking.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createInvoice } from '#tests/support/money.ts'
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

/** A live employer, with or without an invoice per department; returns its id. */
async function employer(name: string, { split }: { split: boolean }): Promise<number> {
  const employerId = (await createCompany(server.db, name)).employerIds[0] as number
  await sql`update employers set go_live_date = '2026-01-01' where id = ${employerId}`.execute(server.owner)
  await sql`insert into lms_configurations (employer_id, payment_method, split_invoices, show_amount_per_department_code)
    values (${employerId}, 'SELF_PAY', ${split}, false)`.execute(server.owner)
  return employerId
}

/** An employee with weekly pay; returns the id. */
async function hired(employerId: number, code: string, department: string | null): Promise<number> {
  const { id } = await createEmployee(server.db, { employerId, code, linked: {}, payFrequency: 'WEEKLY' })
  await sql`update employees set department_code = ${department} where id = ${id}`.execute(server.owner)
  return id
}

const first = ['2026-06-15', '2026-06-21'] as const
/** A pay group whose first week is `first`. */
const payWeekly = (employer_id: number) =>
  good('POST', '/organizations/paygroups', {
    employer_id,
    name: 'Weekly',
    external_code: 'WK-1',
    payroll_frequency: 'WEEKLY',
    adjustment_type: 'NEXT_BUSINESS_DAY',
    first_work_period: { start_date: first[0], end_date: first[1], report_date: '2026-06-23', payment_date: '2026-06-26' },
  })

/** An advance of an employee in a week, whose period the clock may have opened already; returns the id of its balance. */
async function taken(employeeId: number, start: string, end: string, amount: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from work_period_balances where employee_id = ${employeeId}
    and work_period_start = ${start}`.execute(server.db)
  const balanceId = rows[0]?.id ?? (await createBalance(server.db, employeeId, { available: 100_00, start, end }))
  await sql`update work_period_balances set earned_amount = 20000, limit_amount = 10000 where id = ${balanceId}`.execute(
    server.owner,
  )
  await createTransaction(server.db, { employeeId, balanceId, status: 'COMPLETE', amount })
  return balanceId
}

test('a renamed department gets no more invoices, nor does one that only has a credit', async () => {
  const employerId = await employer('Renaming', { split: true })
  const [worker, owed] = [await hired(employerId, 'W', 'OPS'), await hired(employerId, 'O', 'CARE')]
  await taken(worker, '2026-06-15', '2026-06-21', 10_00)
  // An amount was billed that was not taken after all.
  const less = await taken(owed, '2026-06-08', '2026-06-14', 10_00)
  await sql`update work_period_balances set billed_amount = taken_amount + 500 where id = ${less}`.execute(server.owner)
  await setToday(server.owner, '2026-06-15')
  await payWeekly(employerId)
  await clock('2026-06-15', '2026-06-22', '2026-06-23', '2026-06-24')
  const departments = async () =>
    (
      await sql<{ department: string; invoices: number }>`
        select department_code as department, count(*)::int as invoices from invoices
        where employer_id = ${employerId} and department_code is not null group by 1 order by 1`.execute(server.db)
    ).rows
  const before = await departments()
  expect(before.map(({ department }) => department)).toEqual(['OPS'])

  await sql`update employees set department_code = 'OPERATIONS' where id = ${worker}`.execute(server.owner)
  await taken(worker, '2026-06-22', '2026-06-28', 20_00)
  for (const week of [0, 1, 2, 3, 4]) {
    const day = (on: number) => new Date(Date.UTC(2026, 5, on + 7 * week)).toISOString().slice(0, 10)
    await clock(day(29), day(30), day(31), day(32))
  }
  const after = await departments()
  expect(after.map(({ department }) => department)).toEqual(['OPERATIONS', 'OPS'])
  // The existing draft is reported empty, and no other one follows.
  expect(after.find(({ department }) => department === 'OPS')?.invoices).toBeLessThanOrEqual(3)
  const { rows } = await sql<{
    department: string
    amount: number
  }>`select department_code as department, sum(original_amount)::int as amount
    from invoices where employer_id = ${employerId} group by 1 having sum(original_amount) > 0 order by 1`.execute(server.db)
  expect(rows).toEqual([
    { department: 'OPERATIONS', amount: 20_00 },
    { department: 'OPS', amount: 10_00 },
  ])
})

test('[ENT-051] where configured each department has an invoice with its own people, and the rest another', async () => {
  const employerId = await employer('Harbor', { split: true })
  const people = new Map<string, number>()
  for (const [code, department] of [
    ['A1', 'A'],
    ['A2', 'A'],
    ['B1', 'B'],
    ['N1', null],
  ] as const) {
    people.set(code, await hired(employerId, code, department))
  }
  const addAdvance = (code: string, start: string, end: string, amount: number) =>
    taken(people.get(code) as number, start, end, amount)
  for (const [code, amount] of [
    ['A1', 10_00],
    ['A2', 5_00],
    ['B1', 7_00],
    ['N1', 3_00],
  ] as const)
    await addAdvance(code, ...first, amount)
  await setToday(server.owner, '2026-06-15')
  await payWeekly(employerId)
  await clock('2026-06-15', '2026-06-22', '2026-06-23', '2026-06-24')
  const invoicesOf = async (start: string) =>
    (
      await sql<{ department: string | null; amount: number; lines: number }>`
        select department_code as department, original_amount as amount,
          (select count(*)::int from invoice_lines l where l.invoice_id = i.id) as lines
        from invoices i where employer_id = ${employerId} and period_start = ${start} order by department_code`.execute(server.db)
    ).rows
  expect(await invoicesOf(first[0])).toEqual([
    { department: 'A', amount: 15_00, lines: 2 },
    { department: 'B', amount: 7_00, lines: 1 },
    { department: null, amount: 3_00, lines: 1 },
  ])

  // Without it everybody is on one invoice from the next drafted period on.
  await sql`update lms_configurations set split_invoices = false where employer_id = ${employerId}`.execute(server.owner)
  await addAdvance('A1', '2026-06-22', '2026-06-28', 4_00)
  await clock('2026-06-29', '2026-06-30', '2026-07-01', '2026-07-02')
  await addAdvance('A1', '2026-06-29', '2026-07-05', 6_00)
  await addAdvance('B1', '2026-06-29', '2026-07-05', 2_00)
  await clock('2026-07-06', '2026-07-07', '2026-07-08')
  const { rows } = await sql<{ amount: number; billed: number }>`
    select (select sum(original_amount)::int from invoices where employer_id = ${employerId}) as amount,
      (select sum(billed_amount)::int from work_period_balances b join employees e on e.id = b.employee_id
        where e.employer_id = ${employerId}) as billed`.execute(server.db)
  // All taken amounts, once.
  expect(rows).toEqual([{ amount: 37_00, billed: 37_00 }])
  expect((await invoicesOf('2026-07-06')).map(({ department }) => department)).toEqual([null])
})

test('a re-activated employer is billed again, including amounts from before', async () => {
  const employerId = await employer('Returning', { split: false })
  const worker = await hired(employerId, 'W', null)
  await setToday(server.owner, '2026-06-15')
  await payWeekly(employerId)
  await clock('2026-06-15')
  const status = (is: string) => sql`update employers set status = ${is} where id = ${employerId}`.execute(server.owner)
  await status('INACTIVE')
  await clock('2026-06-23', '2026-06-30', '2026-07-07', '2026-07-14')
  const drafts = async () =>
    (
      await sql<{
        start: string
      }>`select period_start as start from invoices where employer_id = ${employerId} and status = 'DRAFT'
        order by 1`.execute(server.db)
    ).rows.map(({ start }) => start)
  expect(await drafts()).toEqual([])
  await status('ACTIVE')
  // Belonging to a past period that no invoice bills any more.
  await taken(worker, '2026-06-22', '2026-06-28', 8_00)
  await clock('2026-07-15')
  // The current and the next period, but none of those in which nobody could withdraw.
  expect(await drafts()).toEqual(['2026-07-13', '2026-07-20'])
  await clock('2026-07-15')
  expect(await drafts()).toHaveLength(2)
  await taken(worker, '2026-07-13', '2026-07-19', 12_00)
  await clock('2026-07-20', '2026-07-21', '2026-07-22')
  const { rows } = await sql<{
    start: string
    amount: number
  }>`select period_start as start, original_amount::int as amount from invoices
    where employer_id = ${employerId} and original_amount > 0`.execute(server.db)
  expect(rows).toEqual([{ start: '2026-07-13', amount: 20_00 }])
})

test('with department invoices only, people of other departments get another invoice', async () => {
  const employerId = await employer('Departments', { split: true })
  const [old, young, none] = [
    await hired(employerId, 'O', 'OLD'),
    await hired(employerId, 'Y', 'YOUNG'),
    await hired(employerId, 'N', null),
  ]
  await createInvoice(server.db, {
    employerId,
    status: 'DRAFT',
    companyCode: 'C-100',
    departmentCode: 'OLD',
    periodStart: '2026-06-15',
    periodEnd: '2026-06-21',
    issueDate: '2026-06-22',
    reportDate: '2026-06-23',
    dueDate: '2026-06-30',
    lines: [],
  })
  for (const [id, amount] of [
    [old, 5_00],
    [young, 6_00],
    [none, 7_00],
  ] as const)
    await taken(id, '2026-06-15', '2026-06-21', amount)
  await clock('2026-06-23', '2026-06-24')
  const { rows } = await sql<{
    department: string | null
    amount: number
  }>`select department_code as department, original_amount::int as amount
    from invoices where employer_id = ${employerId} and period_start = '2026-06-15' order by 1`.execute(server.db)
  expect(rows).toEqual([
    { department: 'OLD', amount: 5_00 },
    { department: 'YOUNG', amount: 6_00 },
    { department: null, amount: 7_00 },
  ])
})
