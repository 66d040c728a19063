import { addMonths, format, parseISO } from 'date-fns'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTransactions } from '#contract/transactions.ts'
import { addDays } from '#domain/calendar.ts'
import { permissionIds } from '#domain/permissions.ts'
import { transactionProviders } from '#domain/transaction.ts'
import { moveInvoices } from '#server/money/billing/clock.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Position } from '#server/paging/keyset.ts'
import { transactionList } from '#server/tables/transactions.ts'
import { createBalance, createCompany, createEmployee, createTransaction, organizationOf } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { planOf } from '#tests/support/plans.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let mia: number
let period: number
let other: number
/** A person with many transactions. */
let busy: { id: number; balance: number }
const ids: number[] = []

beforeAll(async () => {
  server = await createServer()
  const [here, there] = (await createCompany(server.db, 'Harbor', 2)).employerIds as [number, number]
  ;({ id: mia } = await createEmployee(server.db, { employerId: here, linked: {} }))
  period = await createBalance(server.db, mia, { available: 900_00 })
  const earlier = await createBalance(server.db, mia, { available: 900_00, start: '2025-12-25', end: '2025-12-31', open: false })
  const all = ['COMPLETE', 'FAIL', 'DELETED', 'PENDING', 'COMPLETE'] as const
  for (const [day, status] of all.entries())
    ids.push(
      await createTransaction(server.db, {
        employeeId: mia,
        balanceId: day === 0 ? earlier : period,
        status,
        amount: (day + 1) * 10_00,
        fee: 2_99,
        provider: transactionProviders[day % 2] as string,
        at: new Date(Date.now() - (all.length - day) * 86_400_000),
      }),
    )
  const omar = await createEmployee(server.db, { employerId: there, linked: {} })
  other = await createTransaction(server.db, {
    employeeId: omar.id,
    balanceId: await createBalance(server.db, omar.id, { available: 100_00 }),
    status: 'COMPLETE',
    amount: 5_00,
  })
  const { id } = await createEmployee(server.db, { employerId: there, linked: {} })
  busy = { id, balance: await createBalance(server.db, id, { available: 0 }) }
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())

const get = (query: string, headers = admin) => call(server, 'GET', `/transactions${query}`, { headers })
const found = async (query: string, headers = admin): Promise<number[]> => {
  const { status, body } = await get(query, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map((one: { id: number }) => one.id)
}
const of = (...places: number[]) => places.map((place) => ids[place])

test('[API-118] are listed newest first, by employee and work period, page by page', async () => {
  expect(await found(`?employeeID=${mia}`)).toEqual(of(4, 3, 2, 1, 0))
  expect(await found(`?workPeriodBalanceID=${period}`)).toEqual(of(4, 3, 2, 1))
  expect(await found('')).toEqual([other, ...of(4, 3, 2, 1, 0)])
  const first = (await get(`?employeeID=${mia}&pageSize=2`)).body
  expect(first.data).toHaveLength(2)
  expect(first.last_evaluated_key).toEqual(expect.any(String))
  const second = (await get(`?employeeID=${mia}&pageSize=2&lastEvaluatedKey=${encodeURIComponent(first.last_evaluated_key)}`))
    .body
  expect(second.data.map((one: { id: number }) => one.id)).toEqual(of(2, 1))
  const third = (await get(`?employeeID=${mia}&pageSize=2&lastEvaluatedKey=${encodeURIComponent(second.last_evaluated_key)}`))
    .body
  expect([third.data.length, third.last_evaluated_key]).toEqual([1, null])
  expect(first.data[0]).toMatchObject({
    employee_id: mia,
    work_period_balance_id: period,
    status: 'COMPLETE',
    amount: 50_00,
    fee_amount: 2_99,
    period_start: '2026-01-01',
    period_end: '2026-01-07',
  })
})

test('[TRX-001] [TRX-002] [TRX-003] [TRX-004] are filtered by status, which each of them has', async () => {
  for (const [status, expected] of [
    ['COMPLETE', of(4, 0)],
    ['FAIL', of(1)],
    ['DELETED', of(2)],
    ['PENDING', of(3)],
  ] as const)
    expect([status, await found(`?employeeID=${mia}&status=${status}`)]).toEqual([status, expected])
  expect(await found(`?employeeID=${mia}&status-not=COMPLETE,FAIL`)).toEqual(of(3, 2))
})

test('[ENUM-027] are filtered by provider, day and amount, and counted with their sums', async () => {
  expect(transactionProviders).toHaveLength(2)
  expect(await found(`?employeeID=${mia}&provider=${transactionProviders[1]}`)).toEqual(of(3, 1))
  const { rows } = await sql<{ at: Date; day: string }>`select requested_at as at,
    (requested_at at time zone 'America/New_York')::date as day from transactions where id = ${ids[2]}`.execute(server.db)
  const [{ at, day }] = rows as [{ at: Date; day: string }]
  const onDay = async () => {
    const alone = await found(`?employeeID=${mia}&requested-on=${day}`)
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    expect(await found(`?employeeID=${mia}&requested-from=${day}&requested-to=${next}`)).toEqual([
      ...(await found(`?employeeID=${mia}&requested-on=${next}`)),
      ...alone,
    ])
    return alone
  }
  const move = (to: Date) => sql`update transactions set requested_at = ${to} where id = ${ids[2]}`.execute(server.db)
  expect(await onDay()).toEqual(of(2))
  // Days are in New York time: half past four GMT belongs to the previous day.
  await move(new Date(Date.parse(`${day}T04:30:00Z`)))
  expect(await onDay()).toEqual([])
  await move(new Date(Date.parse(`${day}T04:30:00Z`) + 86_400_000))
  expect(await onDay()).toEqual(of(2))
  await move(at)
  expect(await found(`?employeeID=${mia}&amount-over=3000`)).toEqual(of(4, 3))
  expect(await found(`?employeeID=${mia}&sort-order=asc&limit=2`)).toEqual(of(0, 1))
  const { body } = await get(`/count?employeeID=${mia}`)
  expect(body).toEqual({ count: 5, exact: true, totals: { taken_amount: 65_98, pending_amount: 42_99 } })
})

test('[PERM-003] need their right, and are limited to the grants of an account manager', async () => {
  const unable = await signInAs(server, await createPerson(server.db, { permissions: permissionIds.filter((id) => id !== 7) }))
  expect((await get('', unable)).status).toBe(403)
  expect((await get('/count', unable)).status).toBe(403)
  const { rows } = await sql<{ employer_id: number }>`select employer_id from employees where id = ${mia}`.execute(server.db)
  const manager = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [7],
      grants: [{ employerId: rows[0]?.employer_id as number }],
    }),
  )
  expect(await found('', manager)).toEqual(of(4, 3, 2, 1, 0))
  const stranger = await signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [7] }))
  expect(await found(`?employeeID=${mia}`, stranger)).toEqual([])
  expect((await get(`/count?employeeID=${mia}`, stranger)).body.count).toBe(0)
  const { body } = await get('?pageSize=1')
  expect((await get(`?pageSize=1&lastEvaluatedKey=${encodeURIComponent(body.last_evaluated_key)}`, manager)).status).toBe(400)
})

test('[API-118] page 1,000 of a person reads as much as page 1, over many months', async () => {
  await sql`insert into monthly_partitions (parent, month)
    select 'transactions', generate_series(date_trunc('month', now()) - interval '7 months', date_trunc('month', now()), '1 month')::date
    on conflict do nothing`.execute(server.db)
  await sql`insert into transactions (organization_id, employee_id, work_period_balance_id, status, provider, amount, fee_amount, requested_at, settled_at)
    select ${organizationOf(busy.id)}, ${busy.id}, ${busy.balance}, 'FAIL', ${transactionProviders[0]}, 2000, 0, now() - n * interval '4 minutes', now()
    from generate_series(1, 55000) n`.execute(server.db)
  const query = listTransactions.query.parse({ employeeID: String(busy.id), limit: '50' })
  const actor = { kind: 'ADMIN', id: '00000000-0000-4000-8000-000000000001' } as Actor
  const pageFrom = (from: Position | null) =>
    planOf(server, async (tx) => {
      const { rows } = await transactionList.page({ tx, actor }, query, from)
      expect(rows).toHaveLength(50)
    })
  const { rows } = await sql<{
    id: number
    at: Date
  }>`select id, requested_at as at from transactions where employee_id = ${busy.id}
    order by requested_at desc, id desc offset ${999 * 50 - 1} limit 1`.execute(server.db)
  const deep = rows[0] as (typeof rows)[number]
  const first = await pageFrom(null)
  const { blocks, plan } = await pageFrom([0, deep.at.toISOString(), deep.id])
  expect(blocks / first.blocks).toBeLessThanOrEqual(1.2)
  // Newer months than that of its position are not even opened.
  const nearest = plan.match(/"Node Type":"Append".*?"Relation Name":"transactions_(\d{4}_\d\d)"/)?.[1]
  expect(nearest).toBe(deep.at.toISOString().slice(0, 7).replace('-', '_'))
})

test('are in monthly partitions, which the clock makes ahead; an old one can be detached', async () => {
  const partitions = async () =>
    (
      await sql<{
        name: string
      }>`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'transactions'::regclass order by 1`.execute(
        server.owner,
      )
    ).rows.map(({ name }) => name)
  const before = await partitions()
  const today = addDays(new Date().toISOString().slice(0, 10), 200)
  await moveInvoices({ db: server.db }, { today })
  const ahead = await partitions()
  const months = [1, 2, 3].map((month) => addMonths(parseISO(`${today.slice(0, 7)}-01`), month))
  expect(ahead.slice(-3)).toEqual(months.map((month) => format(month, "'transactions_'yyyy_MM")))
  await moveInvoices({ db: server.db }, { today })
  expect(await partitions()).toEqual(ahead)
  await sql`alter table transactions detach partition ${sql.ref(before[0] as string)}`.execute(server.owner)
  expect(await partitions()).toEqual(ahead.slice(1))
  await moveInvoices({ db: server.db }, { today })
  expect(await partitions()).toEqual(ahead.slice(1))
  expect(await found(`?employeeID=${mia}`)).toHaveLength(5)
  await expect(sql`insert into monthly_partitions values ('employees', '2030-01-01')`.execute(server.db)).rejects.toThrow(
    'There is no partitioned table employees.',
  )
  await expect(sql`select * from ${sql.ref(before[1] as string)}`.execute(server.db)).rejects.toThrow('permission denied')
})
