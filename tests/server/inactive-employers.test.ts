import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { moveInvoices } from '#server/money/billing/clock.ts'
import { setToday } from '#tests/support/bank.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { waitingForLocks } from '#tests/support/locks.ts'
import { createInvoice } from '#tests/support/money.ts'
import { asking } from '#tests/support/asking.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

const today = '2026-06-15'
let server: TestServer
let admin: SignedIn
let employerId: number
let employeeId: number
let balanceId: number

const { send } = asking(
  () => server,
  () => admin,
)
const put = async (status: 'ACTIVE' | 'INACTIVE') => {
  const { version } = (await send('GET', `/employers/${employerId}`)).body
  expect((await send('PUT', `/employers/${employerId}/status`, { status, version })).status).toBe(200)
}
/** What the app does when somebody withdraws. */
const withdraw = (status: 'PENDING' | 'COMPLETE' | 'FAIL' = 'PENDING') =>
  createTransaction(server.db, { employeeId, balanceId, status, amount: 2_000 })
const refused = 'The employer is inactive: its employees cannot withdraw.'

beforeAll(async () => {
  server = await createServer()
  await setToday(server.owner, today)
  admin = await personWith(server, [2, 3, 9, 15, 1002, 1013, 1014], 'Ada Admin')
})
afterAll(() => server.close())
let companies = 0
beforeEach(async () => {
  const { employerIds } = await createCompany(server.db, `Cove ${++companies}`, 1)
  employerId = employerIds[0] as number
  await sql`insert into lms_configurations (employer_id, payment_method) values (${employerId}, 'SELF_PAY')`.execute(server.owner)
  ;({ id: employeeId } = await createEmployee(server.owner, { employerId, linked: {} }))
  balanceId = await createBalance(server.owner, employeeId, { available: 50_000, start: '2026-06-15', end: '2026-06-21' })
})

test('[EMR-004] employees of a disabled employer cannot withdraw until it is active again', async () => {
  await withdraw()
  await put('INACTIVE')
  await expect(withdraw()).rejects.toThrow(refused)
  await expect(withdraw('COMPLETE')).rejects.toThrow(refused)
  // The failed request is recorded, and earlier requests are settled.
  await withdraw('FAIL')
  await sql`update transactions set status = 'COMPLETE', settled_at = now() where work_period_balance_id = ${balanceId}
    and status = 'PENDING'`.execute(server.owner)
  expect((await send('GET', `/employees/${employeeId}/can-unpause`)).body).toMatchObject({ can_unpause: false })
  expect(await send('POST', `/employees/${employeeId}/work-period-balances/additional-transaction`, {})).toMatchObject({
    status: 409,
    body: { code: 'employer-inactive', detail: 'The employer is inactive.' },
  })
  await put('ACTIVE')
  await withdraw()
  const { rows } = await sql`select status, count(*)::int as count from transactions where work_period_balance_id = ${balanceId}
    group by 1 order by 1`.execute(server.db)
  expect(rows).toEqual([
    { status: 'COMPLETE', count: 1 },
    { status: 'FAIL', count: 1 },
    { status: 'PENDING', count: 1 },
  ])
})

test('[EMR-004] a withdrawal concurrent to the de-activation waits for it, and is refused', async () => {
  let drawn: Promise<unknown> = Promise.resolve()
  await server.owner.transaction().execute(async (tx) => {
    await sql`update employers set status = 'INACTIVE' where id = ${employerId}`.execute(tx)
    drawn = withdraw().catch((error: Error) => error.message)
    await expect.poll(() => waitingForLocks(server)).toBe(1)
  })
  expect(await drawn).toBe(refused)
})

test('[EMR-004] in the demo nobody of a disabled employer withdraws, but its invoices continue', async () => {
  await sql`insert into settings (name, value) values ('seed', 'demo') on conflict (name) do update set value = 'demo'`.execute(
    server.owner,
  )
  await sql`update work_period_balances set is_open = false, work_period_start = '2026-06-01', work_period_end = '2026-06-07'
    where id = ${balanceId}`.execute(server.owner)
  const { id } = await createInvoice(server.owner, {
    employerId,
    status: 'DRAFT',
    periodStart: '2026-06-01',
    periodEnd: '2026-06-07',
    reportDate: today,
    lines: [],
  })
  await put('INACTIVE')
  expect((await moveInvoices({ db: server.db }, { processor: null })).failed).toBe(0)
  const { rows } = await sql`select status, (select count(*)::int from transactions where employee_id = ${employeeId}) as drawn
    from invoices where id = ${id}`.execute(server.db)
  expect(rows).toEqual([{ status: 'ON_DEDUCTION_FILE', drawn: 0 }])
  await sql`delete from settings where name = 'seed'`.execute(server.owner)
})
