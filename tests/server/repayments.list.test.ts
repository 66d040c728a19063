import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repaymentSorts } from '#contract/repayments.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const total = 600
let server: TestServer
let admin: Headers
let manager: Headers
let employers: number[]
let organizationId: number

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  const company = await createCompany(db, 'Harbor', 5)
  employers = company.employerIds
  organizationId = company.organizationId
  // Ties everywhere; every sixth belongs to the organization itself.
  await sql`
    insert into repayments (organization_id, debtor_type, debtor_id, amount, unallocated_amount, repayment_date, origin,
      reconciliation_status, ach_state, failure, department_code, descriptor, updated_at)
    select ${organizationId}, case n % 6 when 5 then 'ORGANIZATION' else 'EMPLOYER' end,
      case n % 6 when 5 then ${organizationId}::bigint else (${employers}::bigint[])[1 + n % 6] end,
      100 * (1 + n % 9), case n % 4 when 0 then 50 else 0 end, date '2026-01-01' + n % 20,
      case n % 3 when 0 then 'ACH_ENTRY' else 'USER' end,
      case n % 5 when 0 then 'FAILED' when 1 then 'PENDING' else 'RECONCILED' end,
      case n % 3 when 0 then case n % 2 when 0 then 'PENDING' else 'COMPLETED' end end,
      case n % 5 when 0 then 'UNMATCHED' end, 'D-' || n % 7, 'WIRE ' || n,
      timestamptz '2026-01-01' + (n % 40) * interval '1 millisecond'
    from generate_series(1, ${total}) n`.execute(db)
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
  manager = await signInAs(
    server,
    await createPerson(db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [1],
      grants: [{ employerId: employers[1] as number }, { employerId: employers[3] as number }],
    }),
  )
})
afterAll(() => server.close())

type Row = Record<string, unknown> & { id: number }

const list = async (query: Record<string, string>, headers: Headers = admin) => {
  const answer = await call(server, 'GET', `/repayments?${new URLSearchParams(query)}`, { headers })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { repayments: Row[]; lek: string | null }
}

async function walkAll(query: Record<string, string>, headers: Headers): Promise<Row[]> {
  const rows: Row[] = []
  for (let lek: string | null = null; ; ) {
    const page = await list({ ...query, ...(lek && { lek }) }, headers)
    rows.push(...page.repayments)
    lek = page.lek
    if (lek === null) return rows
  }
}

describe.each(repaymentSorts)('[API-121] sorted by %s', (sort) => {
  test.each(['asc', 'desc'])('all rows are paged through once, in the same order in both directions: %s', async (order) => {
    for (const [headers, expected] of [
      [admin, total],
      [manager, total / 3],
    ] as const) {
      const rows = await walkAll({ sort, 'sort-order': order, limit: '85' }, headers)
      expect(rows).toHaveLength(expected)
      expect(new Set(rows.map((row) => row.id)).size).toBe(expected)
      const keys = rows.map((row) => row[sort] as string | number)
      const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      expect(keys).toEqual(order === 'asc' ? sorted : sorted.reverse())
      const last = await list({ sort, 'sort-order': order, limit: '3', direction: 'before' }, headers)
      expect(last.repayments.map((row) => row.id)).toEqual(rows.slice(-3).map((row) => row.id))
    }
  })
})

const ofEmployer = (id: number) => (row: Row) => (row.employer as { id: number } | null)?.id === id

test.each<[string, () => Record<string, string>, (row: Row) => boolean]>([
  ['status', () => ({ 'reconciliation-status': 'FAILED,PENDING' }), (row) => row.reconciliation_status !== 'RECONCILED'],
  ['not status', () => ({ 'reconciliation-status-not': 'FAILED' }), (row) => row.reconciliation_status !== 'FAILED'],
  ['employer', () => ({ 'employer-id': String(employers[2]) }), (row) => ofEmployer(employers[2] as number)(row)],
  ['origin', () => ({ origin: 'ACH_ENTRY' }), (row) => row.origin === 'ACH_ENTRY'],
  ['not origin', () => ({ 'origin-not': 'ACH_ENTRY' }), (row) => row.origin !== 'ACH_ENTRY'],
  ['ACH state', () => ({ 'ach-state': 'PENDING' }), (row) => row.ach_state === 'PENDING'],
  ['not ACH state, those without one included', () => ({ 'ach-state-not': 'PENDING' }), (row) => row.ach_state !== 'PENDING'],
  ['debtor type', () => ({ 'debtor-type': 'ORGANIZATION' }), (row) => row.debtor_type === 'ORGANIZATION'],
  ['debtor', () => ({ 'debtor-id': String(organizationId) }), (row) => row.debtor_id === organizationId],
  ['unallocated', () => ({ unallocated: 'YES' }), (row) => (row.unallocated_amount as number) > 0],
  ['amount over', () => ({ 'amount-over': '500' }), (row) => (row.amount as number) > 500],
  ['amount under', () => ({ 'amount-under': '500' }), (row) => (row.amount as number) < 500],
  ['nothing unallocated', () => ({ 'unallocated-not': 'YES' }), (row) => row.unallocated_amount === 0],
  [
    'dates',
    () => ({ 'paid-from': '2026-01-03', 'paid-to': '2026-01-05' }),
    (row) => (row.repayment_date as string) >= '2026-01-03' && (row.repayment_date as string) <= '2026-01-05',
  ],
  ['department', () => ({ 'department-code': 'd-3' }), (row) => row.department_code === 'D-3'],
  ["the specification's query", () => ({ query: 'wire 51' }), (row) => String(row.descriptor).startsWith('WIRE 51')],
  ['text', () => ({ q: 'wire 51' }), (row) => String(row.descriptor).startsWith('WIRE 51')],
])('[API-121] [REP-002] [REP-003] [REP-005] filtered by %s: list, count and amounts agree', async (_, query, holds) => {
  const all = await walkAll({ limit: '200' }, admin)
  const expected = all.filter(holds)
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.length).toBeLessThan(total)
  expect((await walkAll({ ...query(), limit: '200' }, admin)).map((row) => row.id)).toEqual(expected.map((row) => row.id))
  const count = await call(server, 'GET', `/repayments/count?${new URLSearchParams(query())}`, { headers: admin })
  const amounts = await call(server, 'GET', `/repayments/amounts?${new URLSearchParams(query())}`, { headers: admin })
  const sum = (field: string, of: (row: Row) => boolean = () => true) =>
    expected.filter(of).reduce((total, row) => total + (row[field] as number), 0)
  expect(count.body).toEqual({
    count: expected.length,
    exact: true,
    totals: { amount: sum('amount'), unallocated_amount: sum('unallocated_amount') },
  })
  const inStatus = (status: string) => sum('amount', (row) => row.reconciliation_status === status)
  expect(amounts.body).toEqual({
    total_amount: sum('amount'),
    reconciled_amount: inStatus('RECONCILED'),
    pending_amount: inStatus('PENDING'),
    failed_amount: inStatus('FAILED'),
    unallocated_amount: sum('unallocated_amount'),
    returned_amount: 0,
  })
})

test('[API-121] [ENUM-026] an organization includes its employers; references and invoices match by name', async () => {
  const other = await createCompany(server.db, 'Elsewhere')
  const employerId = other.employerIds[0] as number
  const invoice = await createInvoice(server.db, { employerId })
  const mine = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 5,
    allocations: [{ invoiceId: invoice.id, amount: 5 }],
  })
  // Pending, so that it has no ledger entry and can be deleted.
  const whole = await createRepayment(server.db, {
    debtor: { type: 'ORGANIZATION', id: other.organizationId },
    amount: 7,
    origin: 'ACH_ENTRY',
    achState: 'PENDING',
  })
  const ids = async (query: Record<string, string>) => (await list(query)).repayments.map((row) => row.id)
  expect(await ids({ 'organization-id': String(other.organizationId) })).toEqual([mine.id, whole.id])
  expect(await ids({ q: mine.referenceId })).toEqual([mine.id])
  expect(await ids({ q: String(whole.id) })).toEqual([whole.id])
  expect(await ids({ q: invoice.number })).toEqual([mine.id])
  expect(await ids({ q: 'elsewhere' })).toEqual([mine.id, whole.id])
  expect(await ids({ 'invoice-id': invoice.number })).toEqual([mine.id])
  expect(await ids({ id: `${mine.id},${whole.id}` })).toEqual([mine.id, whole.id])
  await sql`delete from repayment_allocations where repayment_id = ${mine.id}`.execute(server.db)
  await sql`delete from repayments where id = ${whole.id}`.execute(server.owner)
})

test('[API-121] [API-122] a cursor is valid only for its filter, sort and person; bad input is refused', async () => {
  const { lek } = await list({ limit: '2' })
  const bad = async (query: Record<string, string>, headers: Headers) =>
    (await call(server, 'GET', `/repayments?${new URLSearchParams(query)}`, { headers })).body.code
  expect(await bad({ limit: '2', lek: lek as string }, manager)).toBe('cursor-invalid')
  expect(await bad({ limit: '2', lek: lek as string, origin: 'USER' }, admin)).toBe('cursor-invalid')
  expect(await bad({ limit: '2', lek: lek as string, sort: 'amount' }, admin)).toBe('cursor-invalid')
  for (const query of [
    { limit: '0' },
    { sort: 'x' },
    { origin: 'X' },
    { 'paid-from': '2026-02-30' },
    { 'invoice-id': 'x' },
    { x: '1' },
  ])
    expect(await bad(query as unknown as Record<string, string>, admin)).toBe('validation-failed')
  const nobody = await signInAs(server, await createPerson(server.db, { permissions: [2] }))
  for (const path of ['', '/count', '/amounts'])
    expect((await call(server, 'GET', `/repayments${path}`, { headers: nobody })).status).toBe(403)
})
