import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardLines, type LineId } from '#contract/dashboard.ts'
import { permissionIds } from '#domain/permissions.ts'
import { seedDemo } from '#server/seed/demo.ts'
import { countDashboard } from '#server/jobs/count-dashboard.ts'
import { countFigures } from '#server/tables/count-figures.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createInvoice, createRepayment, createWriteOff } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: SignedIn
/** Two unrelated companies; the first has two employers. */
let ours: Awaited<ReturnType<typeof createCompany>>
let theirs: typeof ours

beforeAll(async () => {
  server = await createServer()
  admin = await personWith(server, permissionIds)
  ours = await createCompany(server.db, 'Harbor', 2)
  theirs = await createCompany(server.db, 'Sable')
})
const ended: TestServer[] = []
afterAll(() => Promise.all([server, ...ended].map((each) => each.close())))

type Who = Pick<SignedIn, 'headers'>
const summary = async (who: Who = admin) => {
  const { status, body } = await call(server, 'GET', '/dashboard/summary', { headers: who.headers })
  expect(status).toBe(200)
  return body
}
/** Seconds since the last count. */
const age = ({ counted_at }: { counted_at: string }): number => (Date.now() - Date.parse(counted_at)) / 1000
const linesOf = async (who?: Who): Promise<Record<string, [count: number, amount: number | null]>> =>
  Object.fromEntries(
    Object.entries<{ count: number; amount: number | null }>((await summary(who)).lines).map(([id, line]) => [
      id,
      [line.count, line.amount],
    ]),
  )
const manager = async (...grants: ({ organizationId: number } | { employerId: number })[]) => {
  const person = await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: permissionIds, grants })
  return { id: person.id, headers: await signInAs(server, person) }
}
const count = () => countFigures(server.db)
/** Noon of the business day N days ago: subtracting hours could hit another day around a clock change. */
const noonBefore = async (days: number): Promise<Date> => {
  const { rows } = await sql<{ noon: Date }>`
    select (business_date() - ${days}::int + time '12:00') at time zone 'America/New_York' as noon`.execute(server.db)
  return (rows[0] as { noon: Date }).noon
}

test('[SCR-007] is empty before the first count, then has every line that the person may act on', async () => {
  expect(await summary()).toMatchObject({ counted_at: null, lines: {}, plots: { advances: [], recovery: [] } })
  await count()
  expect(age(await summary())).toBeLessThan(30)
  const lines = await linesOf()
  expect(Object.keys(lines)).toEqual(dashboardLines.map(({ id }) => id))
  expect(Object.values(lines).every(([rows]) => rows === 0)).toBe(true)
})

test('each line matches its list, and sums what is outstanding, suggested, repaid or taken', async () => {
  const [first, second] = ours.employerIds as [number, number]
  await createInvoice(server.db, { employerId: first, original: 70_00, dueDate: -1 })
  await createInvoice(server.db, { employerId: second, original: 30_00, paid: 10_00, dueDate: -40 })
  await createInvoice(server.db, { employerId: first, original: 5_00, dueDate: 0 })
  await createInvoice(server.db, { employerId: first, status: 'RETURNED', original: 9_00, dueDate: 3 })
  const invoice = await createInvoice(server.db, { employerId: first, status: 'ON_DEDUCTION_FILE', original: 80_00 })
  await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 12_00 })
  await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: second }, amount: 44_00 })
  await sql`update employers set status = 'INACTIVE' where id = ${second}`.execute(server.owner)
  for (const days of [31, 29])
    await sql`update employees set status = 'PAUSED', status_before_pause = 'ELIGIBLE', pause_reason = 'R', paused_by_name = 'S',
      paused_at = ${await noonBefore(days)} where id = ${(await createEmployee(server.db, { employerId: first })).id}`.execute(
      server.owner,
    )
  await count()
  expect(await linesOf()).toMatchObject({
    'overdue-invoices': [2, 90_00],
    'returned-debits': [1, 9_00],
    'write-offs-to-approve': [1, 12_00],
    'deductions-to-approve': [1, 80_00],
    'unallocated-repayments': [1, 44_00],
    'employers-without-lms': [1, null],
    'paused-long': [1, null],
  })
  expect((await summary()).plots.ages).toEqual({
    NOT_DUE: { count: 2, amount: 14_00 },
    DAYS_1_TO_30: { count: 1, amount: 70_00 },
    DAYS_31_TO_60: { count: 1, amount: 20_00 },
    DAYS_61_TO_90: { count: 0, amount: 0 },
    OVER_90_DAYS: { count: 0, amount: 0 },
  })
})

test('[PERM-003] an account manager has the figures of granted companies only, while the grant lasts', async () => {
  const [first, second] = ours.employerIds as [number, number]
  const whole = await manager({ organizationId: ours.organizationId })
  const single = await manager({ employerId: second })
  const other = await manager({ organizationId: theirs.organizationId })
  const third = (await createCompany(server.db, 'Tarn')).employerIds[0] as number
  // Overlapping grants, and an employer of another organization.
  const both = await manager({ organizationId: ours.organizationId }, { employerId: second }, { employerId: third })
  await createInvoice(server.db, { employerId: third, original: 7_00, dueDate: -2 })
  const none = await manager()
  await createRepayment(server.db, { debtor: { type: 'ORGANIZATION', id: ours.organizationId }, amount: 3_00 })
  await count()
  expect((await linesOf(whole))['overdue-invoices']).toEqual([2, 90_00])
  expect((await linesOf(whole))['unallocated-repayments']).toEqual([2, 47_00])
  expect((await linesOf(both))['overdue-invoices']).toEqual([3, 97_00])
  expect((await linesOf(both))['unallocated-repayments']).toEqual([2, 47_00])
  // Repayments of the organization itself need a grant of the organization.
  expect((await linesOf(single))['unallocated-repayments']).toEqual([1, 44_00])
  expect((await linesOf(single))['overdue-invoices']).toEqual([1, 20_00])
  for (const stranger of [other, none])
    expect(Object.values(await linesOf(stranger)).map(([rows]) => rows)).toEqual(dashboardLines.map(() => 0))
  await sql`insert into access_grants (person_id, employer_id) values (${none.id}, ${first})`.execute(server.owner)
  expect((await linesOf(none))['overdue-invoices']).toEqual([1, 70_00])
  await sql`delete from access_grants where person_id = ${whole.id}`.execute(server.owner)
  expect((await linesOf(whole))['overdue-invoices']).toEqual([0, 0])
  expect(Object.values<{ count: number }>((await summary(whole)).plots.ages).every((each) => each.count === 0)).toBe(true)
})

test('a bank result without a debit is counted for admins only', async () => {
  await sql`insert into ach_results (trace_number, code, amount, effective_date, state, problem, taken_at)
    values ('999', 'R01', 500, business_date(), 'UNMATCHED', 'NO_DEBIT', now())`.execute(server.owner)
  const whole = await manager({ organizationId: ours.organizationId }, { organizationId: theirs.organizationId })
  await count()
  expect((await linesOf())['unmatched-bank-results']).toEqual([1, 5_00])
  expect((await linesOf(whole))['unmatched-bank-results']).toEqual([0, 0])
})

test('each line and each plot has its own permissions', async () => {
  const idsOf = async (permissions: readonly number[]) => Object.keys(await linesOf(await personWith(server, permissions)))
  const nobody = await personWith(server, [])
  expect((await call(server, 'GET', '/dashboard/summary', { headers: nobody.headers })).status).toBe(403)
  expect(await idsOf([7])).toEqual([])
  expect(await idsOf([2])).toEqual(['paused-long'])
  expect(await idsOf([2, 15])).toEqual(['reporting-tomorrow', 'paused-long'])
  expect(await idsOf([3])).toEqual(['employers-without-lms'])
  const billing = await idsOf([1])
  expect(billing).not.toContain('write-offs-to-approve')
  expect(billing).not.toContain('deductions-to-approve')
  expect(await idsOf([1, 1008])).toContain('write-offs-to-approve')
  expect((await summary(await personWith(server, [2]))).plots).toEqual({
    ages: null,
    advances: null,
    recovery: null,
    imports: null,
  })
  expect((await summary(await personWith(server, [7]))).plots).toMatchObject({ ages: null, recovery: null })
})

test('counts advances by business day without failed ones, recovery by the week of the due date', async () => {
  const employerId = theirs.employerIds[0] as number
  const { id } = await createEmployee(server.db, { employerId })
  const balanceId = await createBalance(server.db, id, { available: 500_00 })
  const of = { employeeId: id, balanceId }
  const { rows } = await sql<{ today: string; week: string; now: Date }>`select business_date() as today,
    (date_trunc('week', business_date()::timestamp)::date - 7) as week, now() as now`.execute(server.db)
  const { today, week, now } = rows[0] as (typeof rows)[number]
  await createTransaction(server.db, { ...of, status: 'COMPLETE', amount: 40_00, fee: 3_00, at: now })
  await createTransaction(server.db, { ...of, status: 'PENDING', amount: 10_00, at: now })
  await createTransaction(server.db, { ...of, status: 'FAIL', amount: 77_00, at: now })
  await createTransaction(server.db, { ...of, status: 'COMPLETE', amount: 20_00, at: await noonBefore(28) })
  await createTransaction(server.db, { ...of, status: 'COMPLETE', amount: 20_00, at: await noonBefore(32) })
  await createInvoice(server.db, { employerId, status: 'CLOSED', original: 60_00, paid: 60_00, dueDate: week })
  await createInvoice(server.db, { employerId, original: 40_00, paid: 15_00, dueDate: week })
  await createInvoice(server.db, { employerId, status: 'DRAFT', original: 99_00, dueDate: week })
  await count()
  const { plots } = await summary(await manager({ employerId }))
  expect(plots.advances.at(-1)).toEqual({ date: today, count: 2, amount: 50_00 })
  expect(plots.advances.map(({ amount }: { amount: number }) => amount)).toEqual([20_00, 50_00])
  expect(plots.recovery).toEqual([{ week, billed_amount: 100_00, recovered_amount: 75_00 }])
})

test('counts imports and failed ones by business day, within permission and access', async () => {
  const [first, second] = ours.employerIds as [number, number]
  const { rows } = await sql<{ today: string; now: Date }>`select business_date() as today, now() as now`.execute(server.db)
  const { today, now } = rows[0] as (typeof rows)[number]
  let n = 0
  const addImport = async (employerId: number | null, organizationId: number, status: string, days: number) => {
    n += 1
    return sql`insert into imports (organization_id, employer_id, kind, source, file_name, file_key, size, hash, status, received_at,
        received_by, received_by_name, finished_at)
      values (${organizationId}, ${employerId}, 'EMPLOYEE', 'UPLOAD', ${`f${n}_ee.csv`}, ${`f${n}_ee`}, 1, ${String(n)}, ${status},
        ${days === 0 ? now : await noonBefore(days)}, 'x', 'Somebody', ${status === 'PAUSED' ? null : now})`.execute(server.owner)
  }
  await addImport(first, ours.organizationId, 'SUCCESS', 0)
  await addImport(first, ours.organizationId, 'FAIL', 0)
  await addImport(second, ours.organizationId, 'PAUSED', 0)
  await addImport(null, ours.organizationId, 'FAIL', 0)
  await addImport(theirs.employerIds[0] as number, theirs.organizationId, 'SUCCESS', 29)
  await addImport(theirs.employerIds[0] as number, theirs.organizationId, 'SUCCESS', 30)
  await count()
  const importsOf = async (who?: Who) => (await summary(who)).plots.imports
  const before = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10)
  expect(await importsOf()).toEqual([
    { date: before, count: 1, failed: 0 },
    { date: today, count: 4, failed: 2 },
  ])
  expect(await importsOf(await manager({ employerId: first }))).toEqual([{ date: today, count: 2, failed: 1 }])
  expect(await importsOf(await manager({ organizationId: ours.organizationId }))).toEqual([{ date: today, count: 4, failed: 2 }])
  expect(await importsOf(await manager({ organizationId: theirs.organizationId }))).toEqual([
    { date: before, count: 1, failed: 0 },
  ])
  expect(await importsOf(await manager())).toEqual([])
  expect(
    await importsOf(
      await personWith(
        server,
        permissionIds.filter((id) => id !== 1020),
      ),
    ),
  ).toBeNull()
})

test('people whose pay period reports tomorrow match the filter of their list', async () => {
  const employerId = theirs.employerIds[0] as number
  const of = async (payFrequency: string, end: string, days: number) => {
    const { id } = await createEmployee(server.db, { employerId, payFrequency, balance: null })
    await sql`insert into work_period_balances (employee_id, work_period_start, work_period_end, is_open, earned_amount, limit_amount)
      values (${id}, business_date() - 20, business_date() + ${days}::int, true, 0, 0)`.execute(server.owner)
    return end === 'hit' ? id : null
  }
  const hit = await of('MONTHLY', 'hit', -1)
  await of('WEEKLY', 'another frequency', -1)
  await of('MONTHLY', 'another period', 3)
  await sql`with pay as (
      insert into pay_groups (employer_id, name, external_code, payroll_frequency, adjustment_type, first_start_date, first_end_date,
        first_report_date, first_payment_date)
      values (${employerId}, 'M', 'M', 'MONTHLY', 'SAME_DAY', business_date() - 20, business_date() - 1, business_date() + 1, business_date() + 2)
      returning id)
    insert into pay_periods select id, business_date() - 20, business_date() - 1, business_date() + 1, business_date() + 2 from pay`.execute(
    server.owner,
  )
  await count()
  expect((await linesOf())['reporting-tomorrow']?.[0]).toBe(1)
  const { body } = await call(server, 'GET', '/employees?reports=TOMORROW', { headers: admin.headers })
  expect(body.employees.map(({ id }: { id: number }) => id)).toEqual([hit])
  const unseeing = await personWith(server, [2])
  expect((await call(server, 'GET', '/employees?reports=TOMORROW', { headers: unseeing.headers })).status).toBe(403)
})

test('a recount changes outdated figures only, and skips those just counted', async () => {
  const kept = async () =>
    (
      await sql<{
        at: string
      }>`select string_agg(xmin::text, ',' order by measure, part, company_type, company_id) as at from dashboard_figures`.execute(
        server.db,
      )
    ).rows[0]?.at
  const before = await kept()
  await count()
  expect(await kept()).toBe(before)
  const at = async () => (await sql<{ at: Date }>`select counted_at as at from dashboard_rounds`.execute(server.db)).rows[0]?.at
  const last = await at()
  expect(await countDashboard(server.services)).toBe(true)
  expect(await at()).toEqual(last)
  await sql`update dashboard_rounds set counted_at = now() - interval '1 minute'`.execute(server.owner)
  expect(age(await summary())).toBeGreaterThanOrEqual(60)
  await countDashboard(server.services)
  expect(age(await summary())).toBeLessThan(30)
  await sql`delete from write_offs where status = 'PENDING'`.execute(server.owner)
  await count()
  expect((await linesOf())['write-offs-to-approve']).toEqual([0, 0])
})

/** Query parameters whose names differ from those of their filters. */
const parametersOf: Partial<Record<LineId, Record<string, string>>> = {
  'failed-repayments': { 'reconciliation-status': 'FAILED', 'origin-not': 'RETURN' },
  'pending-repayments': { 'reconciliation-status': 'PENDING' },
  'stranded-refunds': { 'stranded-refund': 'YES' },
  'flagged-debtors': { 'debtor-flagged': 'YES' },
  'debits-without-account': { 'debit-without-account': 'YES' },
}
const namesOf = (search: string): [string, string][] =>
  [...new URLSearchParams(search)].flatMap(([name, value]) => (name.endsWith('_value') ? [[name.slice(0, -6), value]] : []))

test('each line of the demo company counts the rows of its list, for various grants', async () => {
  ended.push(server)
  server = await createServer()
  admin = await personWith(server, permissionIds)
  await seedDemo(server.owner, { employees: 600, today: '2026-06-15' })
  await sql`update ach_results set state = 'UNMATCHED', problem = 'REPEATED', taken_at = now()
    where id in (select id from ach_results order by id limit 3)`.execute(server.owner)
  await count()
  const { rows } = await sql<{
    organization_id: number
    id: number
  }>`select employers.organization_id, employers.id from employers join invoices on invoices.employer_id = employers.id
    where invoices.outstanding_amount > 0 group by 1, 2 order by count(*) desc limit 1`.execute(server.db)
  const { organization_id: organizationId = 0, id: employerId = 0 } = rows[0] ?? {}
  // The line of flagged debtors needs access to the debtor, which may be the organization.
  await sql`insert into debtor_flags (debtor_type, debtor_id, invoice_id, reason)
    select debtor_type, debtor_id, min(id), 'R02' from invoices where employer_id = ${employerId} group by 1, 2`.execute(
    server.owner,
  )
  await count()
  const least = new Map<Who, number>([
    [admin, 5],
    [await manager({ organizationId }), 5],
    [await manager({ employerId }), 1],
    [await manager(), 0],
  ])
  for (const [who, lists] of least) {
    const lines = await linesOf(who)
    const listed: Record<string, number> = {}
    for (const { id, reads, search } of dashboardLines) {
      const query = new URLSearchParams(parametersOf[id] ?? namesOf(search))
      const { body, status } = await call(server, 'GET', `${reads.path}/count?${query}`, { headers: who.headers })
      expect([id, status]).toEqual([id, 200])
      listed[id] = body.count
    }
    expect(Object.fromEntries(Object.entries(lines).map(([id, [rows]]) => [id, rows]))).toEqual(listed)
    const some = Object.values(listed).filter((rows) => rows > 0).length
    expect([lists, lists === 0 ? some : some >= lists]).toEqual([lists, lists === 0 ? 0 : true])
  }
})
