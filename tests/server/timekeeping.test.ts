import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTimekeeping, type TimeEntry } from '#contract/timekeeping.ts'
import { timeEntryStatuses } from '#domain/time-entry.ts'
import type { Actor } from '#server/access/actor.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { timeEntryList } from '#server/tables/time-entry-list.ts'
import { createCompany, createEmployee, organizationOf } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, messagesOf, type TestServer } from '#tests/support/server.ts'
import { planOf } from '#tests/support/plans.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'
import { createTimeEntry } from '#tests/support/time.ts'

// Mia earned $500.00 in the open period and can withdraw half of it; each of her days is worth $160.00.
let server: TestServer
let employers: [number, number]
let mia: number
let approver: SignedIn
let today: string

beforeAll(async () => {
  server = await createServer()
  employers = (await createCompany(server.db, 'Harbor', 2)).employerIds as [number, number]
  mia = (await createEmployee(server.db, { employerId: employers[0], linked: {}, balance: { available: 250_00 } })).id
  const { rows } = await sql<{ start: string }>`
    update work_period_balances set earned_amount = 50000, limit_amount = 25000 where employee_id = ${mia}
    returning work_period_start as start`.execute(server.db)
  today = rows[0]?.start as string
  await sql`insert into configurations (employer_id, withdraw_limit_type, withdraw_limit_amount, withdraw_amount_max)
    values (${employers[0]}, 'PERCENTAGE', 5000, 300000)`.execute(server.db)
  approver = await personWith(server, [6, 8, 10, 15], 'Tia Approver')
})
afterAll(() => server.close())

const get = (path: string, { headers } = approver) => call(server, 'GET', path, { headers })
const patch = (id: number, body: unknown, { headers } = approver) =>
  call(server, 'PATCH', `/timekeeping/${id}`, { headers, body })
const entry = (more: Partial<Parameters<typeof createTimeEntry>[1]> = {}) =>
  createTimeEntry(server.db, { employeeId: mia, employerId: employers[0], date: today, ...more })
const idsOf = async (path: string, who = approver): Promise<number[]> => {
  const { status, body } = await get(path, who)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.time_entries.map((one: TimeEntry) => one.id)
}
const earned = async () =>
  (
    await sql<{ earned_amount: number; limit_amount: number }>`
      select earned_amount, limit_amount from work_period_balances where employee_id = ${mia} and is_open`.execute(server.db)
  ).rows[0]

test('[TKS-001, TKS-004] approving adds earnings to the open period, rejecting removes them again', async () => {
  const id = await entry()
  expect((await patch(id, { status: 'APPROVED', version: 1 })).body).toMatchObject({
    status: 'APPROVED',
    decided_by: { name: 'Tia Approver' },
    earned_amount: 160_00,
    version: 2,
  })
  expect(await earned()).toEqual({ earned_amount: 660_00, limit_amount: 330_00 })
  expect(await patch(id, { status: 'APPROVED', version: 2 })).toMatchObject({
    status: 409,
    body: { detail: 'This time entry is already approved.' },
  })
  expect((await patch(id, { status: 'REJECTED', reason: 'Not on site', version: 2 })).body).toMatchObject({
    status: 'REJECTED',
    decision_reason: 'Not on site',
  })
  expect(await earned()).toEqual({ earned_amount: 500_00, limit_amount: 250_00 })
  // Rejected and pending entries both earn nothing.
  expect((await patch(id, { status: 'PENDING', reason: 'Looked at again', version: 3 })).body).toMatchObject({
    status: 'PENDING',
    decided_by: null,
  })
  expect(await earned()).toEqual({ earned_amount: 500_00, limit_amount: 250_00 })
  const { body } = await get(`/timekeeping/${id}/history`)
  expect(body.events.map((event: { status: string; text: string | null }) => [event.status, event.text])).toEqual([
    ['Put back to pending', 'Looked at again'],
    ['Rejected', 'Not on site'],
    ['Approved', null],
  ])
})

test('[TKS-003] an auto-approved entry already earns, and can only be rejected', async () => {
  const id = await entry({ status: 'AUTO' })
  expect((await patch(id, { status: 'APPROVED', version: 1 })).status).toBe(409)
  expect((await patch(id, { status: 'REJECTED', reason: 'Twice', version: 1 })).status).toBe(200)
  expect(await earned()).toEqual({ earned_amount: 340_00, limit_amount: 170_00 })
  await patch(id, { status: 'APPROVED', version: 2 })
  expect(await earned()).toEqual({ earned_amount: 500_00, limit_amount: 250_00 })
})

test('rejecting more than is earned and approving it again restores the adjusted amount', async () => {
  const id = await entry({ status: 'AUTO' })
  await sql`update work_period_balances set earned_amount = 1000, limit_amount = 500 where employee_id = ${mia} and is_open`.execute(
    server.db,
  )
  await patch(id, { status: 'REJECTED', reason: 'Twice', version: 1 })
  expect(await earned()).toEqual({ earned_amount: 0, limit_amount: 0 })
  // An approval in the meantime first offsets what was taken back.
  const other = await entry()
  await patch(other, { status: 'APPROVED', version: 1 })
  expect(await earned()).toEqual({ earned_amount: 10_00, limit_amount: 5_00 })
  await patch(id, { status: 'APPROVED', version: 2 })
  expect(await earned()).toEqual({ earned_amount: 170_00, limit_amount: 85_00 })
  await patch(other, { status: 'REJECTED', reason: 'No', version: 2 })
  expect(await earned()).toEqual({ earned_amount: 10_00, limit_amount: 5_00 })
  await patch(id, { status: 'REJECTED', reason: 'Twice', version: 3 })
  expect(await earned()).toEqual({ earned_amount: 0, limit_amount: 0 })
  // A new adjustment discards what was taken back before.
  const adjuster = await personWith(server, [2, 15, 16, 98])
  const { body: now } = await get(`/employees/${mia}`, adjuster)
  const { rows } = await sql<{ id: number }>`select id from work_period_balances where employee_id = ${mia} and is_open`.execute(
    server.db,
  )
  const path = `/employees/${mia}/work-period-balances/${rows[0]?.id}`
  const changed = await call(server, 'PATCH', path, {
    headers: adjuster.headers,
    body: { earned_amount: 500_00, reason: 'As before', version: now.version },
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect(await earned()).toEqual({ earned_amount: 500_00, limit_amount: 250_00 })
})

test('two people who decide concurrently decide once', async () => {
  const id = await entry()
  const other = await personWith(server, [6, 10])
  const answers = await Promise.all([
    patch(id, { status: 'APPROVED', version: 1 }),
    patch(id, { status: 'APPROVED', version: 1 }, other),
    patch(id, { status: 'REJECTED', reason: 'No', version: 1 }, other),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  const { body } = await get(`/timekeeping/${id}`)
  expect((await earned())?.earned_amount).toBe(body.status === 'APPROVED' ? 660_00 : 500_00)
  if (body.status === 'APPROVED') await patch(id, { status: 'REJECTED', reason: 'No', version: 2 })
})

test('a balance adjustment based on data from before an approval gets a conflict', async () => {
  const one = await createEmployee(server.db, { employerId: employers[0], linked: {}, balance: { available: 250_00 } })
  const adjuster = await personWith(server, [2, 15, 16])
  const path = `/employees/${one.id}`
  const { balance, version } = (await get(path, adjuster)).body
  expect((await patch(await entry({ employeeId: one.id }), { status: 'APPROVED', version: 1 })).status).toBe(200)
  const adjust = (known: number) =>
    call(server, 'PATCH', `${path}/work-period-balances/${balance.id}`, {
      headers: adjuster.headers,
      body: { earned_amount: 1_00, reason: 'Hours were wrong', version: known },
    })
  const { status, body } = await adjust(version)
  expect([status, body.code]).toEqual([409, 'stale-version'])
  expect(body.facts.balance.earned_amount).toBe(balance.earned_amount + 160_00)
  expect((await adjust(body.facts.version)).status).toBe(200)
})

test('[EMP-011] time approved after an off-cycle termination leaves nothing to withdraw', async () => {
  const one = await createEmployee(server.db, { employerId: employers[0], linked: {}, balance: { available: 250_00 } })
  const id = await entry({ employeeId: one.id })
  const admin = await personWith(server, [2, 15, 17, 18])
  const path = `/employees/${one.id}`
  const off = await call(server, 'PATCH', `${path}/off-cycle-paid`, {
    headers: admin.headers,
    body: { off_cycle_paid: true, version: 1 },
  })
  expect(off.body.balance).toMatchObject({ limit_amount: 0, available_amount: 0 })
  expect((await patch(id, { status: 'APPROVED', version: 1 })).status).toBe(200)
  expect((await get(path, admin)).body.balance).toMatchObject({
    earned_amount: off.body.balance.earned_amount + 160_00,
    limit_amount: 0,
    available_amount: 0,
  })
})

test('nothing can be decided after the work period, or without the right', async () => {
  const id = await entry({ date: '2025-12-05' })
  await sql`insert into work_period_balances (organization_id, employee_id, work_period_start, work_period_end, is_open, earned_amount,
      limit_amount)
    values (${organizationOf(mia)}, ${mia}, '2025-12-01', '2025-12-07', false, 10000, 5000)`.execute(server.db)
  expect(await patch(id, { status: 'APPROVED', version: 1 })).toMatchObject({
    status: 409,
    body: { detail: 'This work period is over.' },
  })
  const reader = await personWith(server, [6])
  const open = await entry()
  expect((await patch(open, { status: 'APPROVED', version: 1 }, reader)).status).toBe(403)
  expect((await patch(open, { status: 'APPROVED', version: 1 }, await personWith(server, [10]))).status).toBe(403)
  expect((await get(`/timekeeping/${open}`, await personWith(server, [2]))).status).toBe(403)
})

test('the earnings of a day are hidden without read:wages, also from sorts and filters', async () => {
  const id = await entry()
  const reader = await personWith(server, [6])
  expect((await get(`/timekeeping/${id}`, reader)).body.earned_amount).toBeNull()
  expect((await get('/timekeeping?sort=earned_amount', reader)).status).toBe(422)
})

test('[API-117] the list accepts employee-id, page-size and lek, and pages without repeats', async () => {
  const { id: omar } = await createEmployee(server.db, { employerId: employers[1], firstName: 'Omar' })
  const made: number[] = []
  for (let day = 1; day <= 9; day++)
    made.push(
      await entry({
        employeeId: omar,
        employerId: employers[1],
        // Across the end of a month, which is another partition.
        date: day < 5 ? `2026-09-0${day}` : `2026-10-0${day}`,
        status: timeEntryStatuses.values[day % 4] ?? 'PENDING',
      }),
    )
  const found: number[] = []
  let lek = ''
  do {
    const { body } = await get(`/timekeeping?employee-id=${omar}&page-size=4${lek && `&lek=${lek}`}`)
    expect(body.time_entries.length).toBeLessThanOrEqual(4)
    found.push(...body.time_entries.map((one: TimeEntry) => one.id))
    lek = body.lek ? encodeURIComponent(body.lek) : ''
  } while (lek)
  expect(found).toEqual(made)
  expect(await idsOf(`/timekeeping?employee-id=${omar}&sort-order=desc`)).toEqual(made.toReversed())
  for (const [index, status] of timeEntryStatuses.values.entries()) {
    const expected = made.filter((_, at) => (at + 1) % 4 === index)
    expect(await idsOf(`/timekeeping?employee-id=${omar}&status=${status}`)).toEqual(expected)
    expect((await get(`/timekeeping/count?employee-id=${omar}&status=${status}`)).body.count).toBe(expected.length)
  }
  const range = 'worked-from=2026-09-03&worked-to=2026-10-05'
  expect(await idsOf(`/timekeeping?employee-id=${omar}&${range}`)).toEqual(made.slice(2, 5))
  expect(await idsOf(`/timekeeping?employee-id=${omar}&worked-on=2026-09-03`)).toEqual(made.slice(2, 3))
  expect((await get('/timekeeping?worked-on=03.09.2026')).status).toBe(422)
  expect((await get('/timekeeping?page-size=0')).status).toBe(422)
})

test('[API-044] the time of an employer between two days', async () => {
  const path = `/employers/${employers[1]}/timekeeping`
  const all = await idsOf(path)
  expect(all).toHaveLength(9)
  expect(await idsOf(`${path}?start=2026-09-02&end=2026-10-06`)).toEqual(all.slice(1, 6))
  const first = await get(`${path}?limit=5`)
  expect([
    ...first.body.time_entries.map((one: TimeEntry) => one.id),
    ...(await idsOf(`${path}?limit=5&lek=${encodeURIComponent(first.body.lek)}`)),
  ]).toEqual(all)
  const half = async (half: string) => messagesOf(await get(half))
  const both = 'A date range needs both dates.'
  expect(await half(`${path}?start=2026-09-02`)).toEqual({ status: 422, end: both })
  expect(await half(`${path}?end=2026-09-02`)).toEqual({ status: 422, start: both })
  expect(await half('/timekeeping?worked-from=2026-09-02')).toEqual({ status: 422, 'worked-to': both })
  expect(await half('/timekeeping/count?worked-to=2026-09-02')).toEqual({ status: 422, 'worked-from': both })
  expect((await get(`${path}?start=2026-10-06&end=2026-09-02`)).body.errors).toEqual([
    { path: 'end', message: 'The end must be after the start.' },
  ])
  expect((await get(`${path}?start=06.10.2026`)).status).toBe(422)
})

test('a run approves a whole filter, each entry once, and is undone in one step', async () => {
  const { id: lea } = await createEmployee(server.db, {
    employerId: employers[0],
    firstName: 'Lea',
    linked: {},
    // The worker also runs the clock, which closes past periods.
    balance: { available: 0, start: '2026-08-01', end: '2099-12-31' },
  })
  for (let day = 1; day <= 5; day++)
    await entry({ employeeId: lea, date: `2026-08-0${day}`, ...(day === 3 ? { status: 'REJECTED' } : {}) })
  const filter = { 'employee-id': String(lea), status: 'PENDING' }
  const started = await call(server, 'POST', '/runs', {
    headers: approver.headers,
    body: { intent: 'time-entry.approve', body: { status: 'APPROVED' }, targets: { filter }, command: 'time-entry.approve' },
  })
  expect(started.body).toMatchObject({ state: 'running', total: 4 })
  const stop = await startWorker(server.services)
  const statuses = async () =>
    (await get(`/timekeeping?employee-id=${lea}`)).body.time_entries.map((one: TimeEntry) => one.status)
  try {
    const rejected = ['APPROVED', 'APPROVED', 'REJECTED', 'APPROVED', 'APPROVED']
    await expect.poll(statuses).toEqual(rejected)
    await expect.poll(async () => (await get(`/runs/${started.body.id}`)).body.state).toBe('done')
    // Blocked people are named as on the screen.
    const again = await call(server, 'POST', '/runs', {
      headers: approver.headers,
      body: {
        intent: 'time-entry.approve',
        body: { status: 'APPROVED' },
        targets: { filter: { 'employee-id': String(lea) } },
        dry_run: true,
      },
    })
    expect(again.body.problems[0]).toMatchObject({ title: 'Lea Torres, 1 Aug 2026', state: 'blocked' })
    await call(server, 'POST', `/runs/${started.body.id}/undo`, { headers: approver.headers, body: {} })
    await expect.poll(statuses).toEqual(rejected.map((each) => (each === 'APPROVED' ? 'PENDING' : each)))
  } finally {
    await stop()
  }
})

test('[PERM-003] time worked for another employer is not found by any request', async () => {
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: [6, 10],
    grants: [{ employerId: employers[1] }],
  })
  const stranger = { ...approver, headers: await signInAs(server, person) }
  const id = await entry()
  expect((await get(`/timekeeping/${id}`, stranger)).status).toBe(404)
  expect((await get(`/timekeeping/${id}/history`, stranger)).status).toBe(404)
  expect((await patch(id, { status: 'APPROVED', version: 1 }, stranger)).status).toBe(404)
  expect(await idsOf(`/timekeeping?employee-id=${mia}`, stranger)).toEqual([])
  expect(await idsOf(`/timekeeping?id=${id}`, stranger)).toEqual([])
  expect((await get(`/timekeeping/count?employee-id=${mia}`, stranger)).body.count).toBe(0)
  expect((await get('/timekeeping/count', stranger)).body.count).toBe(9)
  expect((await get(`/employers/${employers[0]}/timekeeping`, stranger)).status).toBe(404)
})

test('a page of a person reads only the months of its rows, however many exist', async () => {
  const { id } = await createEmployee(server.db, { employerId: employers[0] })
  await sql`insert into monthly_partitions (parent, month)
    select 'time_entries', generate_series('2020-01-01', '2023-12-01', interval '1 month')::date`.execute(server.db)
  const add = (from: string, to: string) =>
    sql`insert into time_entries (organization_id, employee_id, employer_id, work_date, minutes, earned_amount, status)
      select ${organizationOf(id)}, ${id}, ${employers[0]}, day, 480, 16000, 'AUTO' from generate_series(${from}::date, ${to}::date, '1 day') as day`.execute(
      server.db,
    )
  const query = listTimekeeping.query.parse({ 'employee-id': String(id), 'sort-order': 'desc', limit: '50' })
  const actor = { kind: 'ADMIN', id: '00000000-0000-4000-8000-000000000001' } as Actor
  const page = () =>
    planOf(server, async (tx) => {
      const { rows } = await timeEntryList.page({ tx, actor }, query, null)
      expect(rows).toHaveLength(50)
      expect(rows[0]?.work_date).toBe('2023-12-31')
    })
  await add('2023-10-01', '2023-12-31')
  const few = await page()
  await add('2020-01-01', '2023-09-30')
  expect((await page()).chosen).toBe(few.chosen)
})
