import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar.ts'
import { permissionIds } from '#domain/permissions.ts'
import { businessDate } from '#server/tables/business-date.ts'
import type { Tx } from '#server/tables/database.ts'
import { createBalance, createCompany, createEmployee, createTransaction } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let employerId: number
let today: string

beforeAll(async () => {
  server = await createServer()
  const company = await createCompany(server.db, 'Harbor')
  employerId = company.employerIds[0] as number
  await sql`insert into configurations (organization_id, withdraw_limit_type, withdraw_limit_amount, single_withdraw_amount_max,
    withdraw_amount_max, transaction_fee, requests_per_cycle, daily_hours_limit, timekeeping_approval_threshold)
    values (${company.organizationId}, 'PERCENTAGE', 4000, 30000, 60000, 299, 1, 24, 0)`.execute(server.db)
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
  today = await businessDate(server.db as unknown as Tx)
})
afterAll(() => server.close())

const at = (id: number) => `/employees/${id}/work-period-balances`
const get = (path: string, headers = admin) => call(server, 'GET', path, { headers })
const headersWith = async (...permissions: number[]) => signInAs(server, await createPerson(server.db, { permissions }))
const headersWithout = (...ids: number[]) => headersWith(...permissionIds.filter((id) => !ids.includes(id)))

/** An employee with a current open period, who has used the one request of the cycle. */
async function worker({ used = 1, kyc = 'APPROVED' }: { used?: number; kyc?: string } = {}) {
  const { id } = await createEmployee(server.db, { employerId, linked: { kyc } })
  const balanceId = await createBalance(server.db, id, { available: 200_00, start: addDays(today, -3), end: addDays(today, 3) })
  for (let nth = 0; nth < used; nth += 1)
    await createTransaction(server.db, { employeeId: id, balanceId, status: 'COMPLETE', amount: 50_00, fee: 2_99 })
  return { id, balanceId }
}
const grant = (id: number, headers: Headers = admin, body: unknown = {}) =>
  call(server, 'POST', `${at(id)}/additional-transaction`, { headers, body })
const grantsOf = async (id: number): Promise<number> =>
  (
    await sql<{ count: number }>`select count(*) as count from additional_transactions where employee_id = ${id}`.execute(
      server.db,
    )
  ).rows[0]?.count ?? Number.NaN

describe('balances', () => {
  test('[API-113] are listed newest first by cursor, the open one with its requests and report date', async () => {
    const { id, balanceId } = await worker()
    const past = await Promise.all(
      [1, 2, 3].map((weeks) =>
        createBalance(server.db, id, {
          available: weeks * 10_00,
          start: addDays(today, -3 - 7 * weeks),
          end: addDays(today, 3 - 7 * weeks),
          open: false,
        }),
      ),
    )
    const { status, body } = await get(`${at(id)}?limit=3`)
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data.map((one: { id: number }) => one.id)).toEqual([balanceId, past[0], past[1]])
    expect(body.data[0]).toEqual({
      id: balanceId,
      period_start: addDays(today, -3),
      period_end: addDays(today, 3),
      is_open: true,
      earned_amount: 400_00,
      limit_amount: 200_00,
      taken_amount: 52_99,
      pending_amount: 0,
      available_amount: 147_01,
      version: 2,
    })
    expect(body.current).toMatchObject({ id: balanceId, requests: { per_cycle: 1, granted: 0, used: 1, left: 0 } })
    expect(body.current.report_date > addDays(today, 3)).toBe(true)
    expect(body.additional_transaction).toEqual({ allowed: true, code: null, reason: null })
    const rest = await get(`${at(id)}?limit=3&lek=${encodeURIComponent(body.lek)}`)
    expect(rest.body.data.map((one: { id: number }) => one.id)).toEqual([past[2]])
    expect(rest.body.lek).toBeNull()
    // The report date is that of the pay group, if it has one.
    await sql`with g as (insert into pay_groups (employer_id, name, external_code, payroll_frequency, adjustment_type, first_start_date,
        first_end_date, first_report_date, first_payment_date) values (${employerId}, 'A', ${`A-${id}`}, 'WEEKLY', 'SAME_DAY', ${addDays(today, -3)},
        ${addDays(today, 3)}, ${addDays(today, -1)}, ${addDays(today, 4)}) returning *)
      insert into pay_periods select id, first_start_date, first_end_date, first_report_date, first_payment_date from g`.execute(
      server.db,
    )
    expect((await get(at(id))).body).toMatchObject({
      current: { report_date: addDays(today, -1) },
      additional_transaction: { allowed: false, reason: 'The report date of this pay period has passed.' },
    })
    await sql`delete from pay_periods`.execute(server.owner)
    await sql`delete from pay_groups`.execute(server.owner)
  })

  test('[API-113] need their right and access to the employee', async () => {
    const { id } = await worker()
    expect((await get(at(id), await headersWithout(15))).status).toBe(403)
    const stranger = await signInAs(
      server,
      await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: permissionIds }),
    )
    expect((await get(at(id), stranger)).status).toBe(404)
    expect((await grant(id, stranger)).status).toBe(404)
  })

  test('withdrawn amounts are computed by the database only, for every change of status', async () => {
    const { id, balanceId } = await worker({ used: 0 })
    const transaction = await createTransaction(server.db, {
      employeeId: id,
      balanceId,
      status: 'PENDING',
      amount: 30_00,
      fee: 1_00,
    })
    const figures = async () => {
      const [one] = (await get(at(id))).body.data
      return [one.taken_amount, one.pending_amount, one.available_amount]
    }
    expect(await figures()).toEqual([0, 31_00, 169_00])
    const setTransactionStatus = (status: string) =>
      sql`update transactions set status = ${status}, settled_at = now() where id = ${transaction}`.execute(server.db)
    await setTransactionStatus('COMPLETE')
    expect(await figures()).toEqual([31_00, 0, 169_00])
    await setTransactionStatus('FAIL')
    expect(await figures()).toEqual([0, 0, 200_00])
    expect((await get(`/employees/${id}`)).body.balance.available_amount).toBe(200_00)
    await expect(sql`update work_period_balances set taken_amount = 0`.execute(server.db)).rejects.toThrow('permission denied')
    await expect(sql`delete from transactions`.execute(server.db)).rejects.toThrow('permission denied')
    await expect(sql`update additional_transactions set notes = ''`.execute(server.db)).rejects.toThrow('permission denied')
  })

  test('withdrawn amounts follow from many rows in one statement, and from those that move', async () => {
    const { id, balanceId } = await worker({ used: 0 })
    const before = await createBalance(server.db, id, {
      available: 90_00,
      start: addDays(today, -10),
      end: addDays(today, -4),
      open: false,
    })
    const figures = async () =>
      (
        await sql`select taken_amount, pending_amount, (
            select coalesce(sum(amount + fee_amount) filter (where status = 'COMPLETE'), 0) || ' '
              || coalesce(sum(amount + fee_amount) filter (where status = 'PENDING'), 0)
            from transactions where work_period_balance_id = balance.id) as summed
          from work_period_balances balance where id in (${balanceId}, ${before}) order by id`.execute(server.db)
      ).rows
    const row = (taken_amount: number, pending_amount: number) => ({
      taken_amount,
      pending_amount,
      summed: `${taken_amount} ${pending_amount}`,
    })
    await sql`insert into transactions (organization_id, employee_id, work_period_balance_id, status, provider, amount, fee_amount,
        settled_at)
      select organization_id, ${id}, id, status, 'NORTHRAIL', nth * 10_00, 1_00, case when status <> 'PENDING' then now() end
      from work_period_balances, unnest(array['COMPLETE', 'PENDING', 'FAIL']) status, generate_series(1, 3) nth
      where id in (${balanceId}, ${before})`.execute(server.db)
    expect(await figures()).toEqual([row(63_00, 63_00), row(63_00, 63_00)])
    const change = (set: string, where: string) =>
      sql.raw(`update transactions set ${set} where employee_id = ${id} and ${where}`).execute(server.owner)
    await change(`work_period_balance_id = ${before}`, 'amount = 3000')
    expect(await figures()).toEqual([row(32_00, 32_00), row(94_00, 94_00)])
    await change(`fee_amount = 2_00, status = 'COMPLETE', settled_at = now()`, `status = 'PENDING'`)
    expect(await figures()).toEqual([row(66_00, 0), row(192_00, 0)])
    // To the partition of another month.
    await change(`requested_at = requested_at - interval '40 days'`, 'amount = 1000')
    expect(await figures()).toEqual([row(66_00, 0), row(192_00, 0)])
    await sql`delete from transactions where employee_id = ${id} and amount = 1000`.execute(server.owner)
    expect(await figures()).toEqual([row(43_00, 0), row(169_00, 0)])
  })
})

describe('an additional transaction', () => {
  test('[EMP-007] [API-115] [ENUM-020] is one more request; no money moves, and it is in the history', async () => {
    const { id } = await worker()
    const before = (await get(at(id))).body
    const { status, body } = await grant(id, admin, { notes: 'Rent is due' })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ id, version: 2 })
    const after = (await get(at(id))).body
    expect(after.data).toEqual(before.data)
    expect(after.current.requests).toEqual({ per_cycle: 1, granted: 1, used: 1, left: 1 })
    const [event] = (await get(`/employees/${id}/events`)).body.events
    expect(event).toMatchObject({
      status: 'Additional Transaction',
      category: 'user',
      text: 'Rent is due',
      actor: { name: 'Ada Admin' },
      changes: [{ field: 'additional_transactions', before: 0, after: 1 }],
    })
  })

  test('[EMP-015] is refused while a regular or granted request is left', async () => {
    const { id } = await worker({ used: 0 })
    const left = await grant(id)
    expect([left.status, left.body.code, left.body.detail]).toEqual([
      409,
      'transaction-remaining',
      'The employee has a transaction remaining.',
    ])
    const { id: other, balanceId } = await worker()
    await grant(other)
    const again = await grant(other)
    expect([again.status, again.body.code]).toEqual([409, 'grant-open'])
    // Once it is used, another one may be granted; a failed request leaves it open.
    const use = (status: 'FAIL' | 'PENDING') =>
      createTransaction(server.db, { employeeId: other, balanceId, status, amount: 20_00 })
    await use('FAIL')
    expect((await grant(other)).body.code).toBe('grant-open')
    await use('PENDING')
    expect((await grant(other)).status).toBe(200)
  })

  test.each([
    { used: 4, per_cycle: 2 },
    { used: 4, per_cycle: 1 },
    { used: 2, per_cycle: 2 },
  ])('[EMP-015] leaves exactly one request after $used were used of $per_cycle per cycle', async ({ used, per_cycle }) => {
    const { id, balanceId } = await worker({ used })
    const requests = async () => (await get(at(id))).body.current.requests
    const setPerCycle = (count: number) => sql`update configurations set requests_per_cycle = ${count}`.execute(server.db)
    await setPerCycle(per_cycle)
    expect((await grant(id)).status).toBe(200)
    for (const count of [per_cycle, 3, 9, 1]) {
      await setPerCycle(count)
      expect(await requests()).toMatchObject({ used, left: 1 })
      expect((await grant(id)).body).toMatchObject({ status: 409, code: 'grant-open' })
    }
    await setPerCycle(per_cycle)
    await createTransaction(server.db, { employeeId: id, balanceId, status: 'PENDING', amount: 20_00 })
    expect(await requests()).toMatchObject({ used: used + 1, left: 0 })
    expect((await grant(id)).status).toBe(200)
    expect(await requests()).toMatchObject({ granted: 2, left: 1 })
    await setPerCycle(1)
  })

  test('[EMP-015] [EMP-017] a bulk preview uses the same rules before anything is granted, and so does unlinking', async () => {
    const [free, left, none] = await Promise.all([
      worker(),
      worker({ used: 0 }),
      createEmployee(server.db, { employerId, linked: {} }),
    ])
    const dry = async (intent: string) => {
      const ids = [free.id, left.id, none.id]
      const body = { intent, body: {}, targets: { ids }, dry_run: true }
      const { status, body: run } = await call(server, 'POST', '/runs', { headers: admin, body })
      expect(status, JSON.stringify(run)).toBe(201)
      return [
        run.waiting,
        run.problems.map((row: { target_id: string; message: string }) => [Number(row.target_id), row.message]),
      ]
    }
    expect(await dry('employee.additional-transaction')).toEqual([
      1,
      [
        [left.id, 'The employee has a transaction remaining.'],
        [none.id, 'The balance cannot be loaded.'],
      ],
    ])
    // Of a past work period.
    const over = { start: addDays(today, -10), end: addDays(today, -4), open: false }
    await createBalance(server.db, free.id, { available: 50_00, pending: 20_00, ...over })
    expect(await dry('employee.unlink')).toEqual([2, [[free.id, 'A transaction is pending. Unlink when it has completed.']]])
  })

  test('[EMP-016] is refused to employees who are not eligible', async () => {
    const { id: paused } = await createEmployee(server.db, {
      employerId,
      linked: {},
      status: 'PAUSED',
      balance: { available: 0 },
    })
    expect((await grant(paused)).body.detail).toBe('Actions unavailable when in Paused.')
    const { id: ineligible } = await createEmployee(server.db, { employerId, linked: {}, status: 'INELIGIBLE' })
    expect((await grant(ineligible)).body.detail).toBe('Actions unavailable when in Ineligible.')
    const { id: denied } = await worker({ kyc: 'UNDER_REVIEW' })
    expect((await grant(denied)).body.code).toBe('not-identified')
    const closed = (await createCompany(server.db, 'Closed')).employerIds[0] as number
    await sql`update employers set status = 'INACTIVE' where id = ${closed}`.execute(server.db)
    const there = await createEmployee(server.db, { employerId: closed, linked: {}, balance: { available: 0 } })
    expect((await grant(there.id)).body.code).toBe('employer-inactive')
  })

  test('[EMP-017] is refused if the balance cannot be loaded', async () => {
    const { id } = await createEmployee(server.db, { employerId, linked: {} })
    const { body } = await get(at(id))
    expect(body).toMatchObject({
      data: [],
      current: null,
      additional_transaction: { allowed: false, code: 'balance-not-loaded' },
    })
    expect((await grant(id)).body).toMatchObject({ code: 'balance-not-loaded', detail: 'The balance cannot be loaded.' })
  })

  test('is refused after the report date', async () => {
    const { id } = await createEmployee(server.db, { employerId, linked: {} })
    const balanceId = await createBalance(server.db, id, {
      available: 10_00,
      start: addDays(today, -16),
      end: addDays(today, -10),
    })
    await createTransaction(server.db, { employeeId: id, balanceId, status: 'COMPLETE', amount: 5_00 })
    expect((await grant(id)).body.code).toBe('reported')
  })

  test('[PERM-034] needs both rights', async () => {
    const { id } = await worker()
    for (const lacking of [15, 1014]) expect((await grant(id, await headersWithout(lacking))).status).toBe(403)
    expect((await grant(id, await headersWith(15, 1014))).status).toBe(200)
  })

  test('[EMP-007] of several concurrent ones exactly one is granted, and a double submit grants once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await worker()
      const answers = await Promise.all(Array.from({ length: 6 }, () => grant(id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
      expect(await grantsOf(id)).toBe(1)
    }
    const { id } = await worker()
    const headers = { ...admin, 'idempotency-key': randomUUID() }
    const twins = await Promise.all([grant(id, headers), grant(id, headers)])
    expect(twins.map(({ status }) => status)).toEqual([200, 200])
    expect((await grant(id, headers)).status).toBe(200)
    expect(await grantsOf(id)).toBe(1)
  })
})

describe('adjusting a balance', () => {
  const adjust = (id: number, balanceId: number, body: unknown, headers = admin) =>
    call(server, 'PATCH', `${at(id)}/${balanceId}`, { headers, body })

  test('changes earned and withdrawable amounts, with a reason, by the current terms', async () => {
    const { id, balanceId } = await worker()
    const { status, body } = await adjust(id, balanceId, { earned_amount: 300_01, reason: 'Hours were missing', version: 1 })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({
      version: 2,
      balance: { id: balanceId, earned_amount: 300_01, limit_amount: 120_00, taken_amount: 52_99, available_amount: 67_01 },
    })
    expect((await get(`/employees/${id}`)).body).toEqual(body)
    const [event] = (await get(`/employees/${id}/events`)).body.events
    expect(event).toMatchObject({ status: 'Balance adjusted', text: 'Hours were missing', version: 2 })
    expect(event.changes).toContainEqual({ field: 'earned_amount', before: 400_00, after: 300_01 })
    // Back again by the same call, with the version that it left.
    const back = await adjust(id, balanceId, { earned_amount: 400_00, reason: 'Undone', version: 2 })
    expect(back.body.balance.earned_amount).toBe(400_00)
    const max = await adjust(id, balanceId, { earned_amount: 9_000_00, reason: 'All of it', version: 3 })
    expect(max.body.balance.limit_amount).toBe(600_00)
  })

  test('needs a reason, the current version, its right, and a period that is not over', async () => {
    const { id, balanceId } = await worker()
    const body = { earned_amount: 1_00, reason: 'Why', version: 1 }
    expect((await adjust(id, balanceId, { ...body, reason: ' ' })).status).toBe(422)
    expect((await adjust(id, balanceId, { ...body, earned_amount: -1 })).status).toBe(422)
    for (const lacking of [15, 16]) expect((await adjust(id, balanceId, body, await headersWithout(lacking))).status).toBe(403)
    const over = await createBalance(server.db, id, {
      available: 1,
      start: addDays(today, -30),
      end: addDays(today, -24),
      open: false,
    })
    expect((await adjust(id, over, body)).body).toMatchObject({ code: 'period-over', detail: 'This work period is over.' })
    const gone = await createEmployee(server.db, { employerId, linked: {}, status: 'OFFCYCLE_PAID' })
    const left = await createBalance(server.db, gone.id, { available: 0 })
    expect((await adjust(gone.id, left, body)).body.detail).toBe('Actions unavailable when in Off-cycle paid.')
    const { id: other } = await worker()
    expect((await adjust(other, balanceId, body)).status).toBe(404)
    const answers = await Promise.all([adjust(id, balanceId, body), adjust(id, balanceId, body)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('stale-version')
  })

  test('[PERM-003] without the right a balance is hidden in record, list, order, events and answers', async () => {
    const { id, balanceId } = await worker()
    await adjust(id, balanceId, { earned_amount: 777_77, reason: 'Earned 777.77', version: 1 })
    const blind = await headersWithout(15)
    const responses = [
      await get(`/employees/${id}`, blind),
      await get(`/employees?id=${id}&include=balance`, blind),
      await get(`/employees/${id}/events`, blind),
      await call(server, 'PATCH', `/employees/${id}`, {
        headers: blind,
        body: { status: 'PAUSED', reason: 'Look', version: 2 },
      }),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/77777|777\.77|31110|25811|earned_amount/)
    }
    expect(responses[2]?.body.events[0]).toMatchObject({ status: 'Balance adjusted', text: null, changes: [] })
    expect((await get('/employees?sort=available', blind)).status).toBe(403)
  })
})
