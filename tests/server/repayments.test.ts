import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { versionsBehind } from '#tests/support/billing.ts'
import { createCompany } from '#tests/support/company.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, createInvoices, createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let employerId: number
let organizationId: number

beforeAll(async () => {
  server = await createServer()
  admin = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, 'Harbor')
  employerId = company.employerIds[0] as number
  organizationId = company.organizationId
})

const debtor = () => ({ type: 'EMPLOYER' as const, id: employerId })
const post = (path: string, body: unknown, headers = admin) => call(server, 'POST', path, { headers: keyed(headers), body })
const get = async (path: string, headers = admin) => (await call(server, 'GET', path, { headers })).body
const row = async (id: number) =>
  (await sql<Record<string, unknown> & { version: number }>`select * from invoices where id = ${id}`.execute(server.db)).rows[0]
const versions = async (...ids: number[]) =>
  Object.fromEntries(await Promise.all(ids.map(async (id) => [id, (await row(id))?.version as number])))
const add = async (body: Record<string, unknown>, headers = admin) =>
  post(
    '/repayments',
    { debtor_type: 'EMPLOYER', debtor_id: employerId, repayment_date: '2026-02-03', expected: {}, ...body },
    headers,
  )

describe('a repayment entered by hand', () => {
  let invoice: Awaited<ReturnType<typeof createInvoice>>
  let added: Awaited<ReturnType<typeof add>>
  let own: Awaited<ReturnType<typeof createCompany>>
  beforeAll(async () => {
    own = await createCompany(server.db, 'Harbor')
    invoice = await createInvoice(server.db, { employerId: own.employerIds[0] as number, original: 100_00 })
    added = await add({
      debtor_id: own.employerIds[0],
      amount: 60_00,
      effective_date: '2026-02-04',
      department_code: 'D-7',
      descriptor: 'ACME INV',
      bank_name: 'Harbor Bank',
      account_number: '000123456789',
      notes: 'By wire',
      allocations: [{ invoice_id: invoice.id, amount: 60_00 }],
      expected: await versions(invoice.id),
    })
    expect(added.status, JSON.stringify(added.body)).toBe(201)
  })

  test.each([
    ['ENT-093', () => ({ reference_id: `REP-${added.body.id}` })],
    ['ENT-094', () => ({ repayment_date: '2026-02-03', amount: 60_00 })],
    ['ENT-095', () => ({ reconciliation_status: 'RECONCILED' })],
    ['ENT-096', () => ({ organization: { id: own.organizationId, name: 'Harbor' }, employer: { id: own.employerIds[0] } })],
    ['ENT-097', () => ({ department_code: 'D-7' })],
    ['ENT-098', () => ({ effective_date: '2026-02-04' })],
    ['ENT-101', () => ({ origin: 'USER', ach_state: null })],
    ['ENT-102', () => ({ requester_name: 'Ada Admin' })],
    ['ENT-104', () => ({ bank_name: 'Harbor Bank', account_number: '••••6789' })],
    ['ENT-105', () => ({ allocations: [{ invoice_id: invoice.id, number: invoice.number, amount: 60_00, counted: true }] })],
    ['ENT-106', () => ({ notes: 'By wire' })],
    ['ENUM-026', () => ({ debtor_type: 'EMPLOYER', debtor_name: 'Harbor Works 1' })],
  ] as const)('[%s]', (_, part) => {
    expect(added.body).toMatchObject(part())
  })

  test('[API-123] [REP-001] [CONST-009] is read by its id, counts to the cent, and its history hides the account', async () => {
    expect(added.body).toMatchObject({ descriptor: 'ACME INV', unallocated_amount: 0, version: 1 })
    expect(await get(`/repayments/${added.body.id}`)).toEqual(added.body)
    expect(await row(invoice.id)).toMatchObject({ paid_amount: 60_00, outstanding_amount: 40_00, status: 'SENT' })
    const { events } = await get(`/repayments/${added.body.id}/history`)
    expect(events).toMatchObject([{ status: 'Repayment added', text: 'By wire', actor: { name: 'Ada Admin' }, version: 1 }])
    expect(JSON.stringify(events)).not.toContain('123456789')
    expect(await auditMoney(server.db)).toEqual([])
  })
})

test('adding returns the same as reading, for employers and organizations, with any allocations', async () => {
  const ids = (await createInvoices(server.db, [{ employerId }, { employerId }])).map((invoice) => invoice.id)
  const allocations = ids.toReversed().map((invoice_id) => ({ invoice_id, amount: 10_00 }))
  const shared = await add({ amount: 25_00, allocations, expected: await versions(...ids) })
  const loose = await add({ debtor_type: 'ORGANIZATION', debtor_id: organizationId, amount: 5_00, allocations: [] })
  for (const added of [shared, loose]) {
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    expect(await get(`/repayments/${added.body.id}`)).toEqual(added.body)
  }
})

test('[REP-006] [REP-010] amount and date are required, each with its own message', async () => {
  const without = await post('/repayments', { debtor_type: 'EMPLOYER', debtor_id: employerId, expected: {} })
  expect(without.status).toBe(422)
  expect(without.body.errors).toEqual([
    { path: 'amount', message: 'Repayment amount is required' },
    { path: 'repayment_date', message: 'Date is required' },
  ])
  const nothing = await add({ amount: 0 })
  expect(nothing.status).toBe(422)
  expect(nothing.body.errors).toEqual([{ path: 'amount', message: 'Repayment amount is required' }])
  for (const [amount, message] of [
    [10_000_000_001, 'Enter a smaller amount.'],
    [-10_000_000_001, 'Enter a larger amount.'],
    [0.5, 'Enter an amount such as 12.50'],
    ['5', 'Enter an amount such as 12.50'],
  ])
    expect((await add({ amount })).body.errors).toEqual([{ path: 'amount', message }])
  for (const repayment_date of ['2026-02-30', 'today', 5]) expect((await add({ amount: 5, repayment_date })).status).toBe(422)
})

test('[INV-018] [REP-002] without allocations the oldest due invoices are paid and closed; the rest is unallocated', async () => {
  const young = await createInvoice(server.db, { employerId, original: 50_00, dueDate: 9 })
  const old = await createInvoice(server.db, { employerId, original: 30_00, dueDate: -9 })
  const closed = await createInvoice(server.db, { employerId, original: 20_00, dueDate: -20, status: 'CLOSED' })
  const first = await add({ amount: 40_00, expected: await versions(young.id, old.id) })
  expect(first.body.allocations.map((each: { amount: number }) => each.amount).sort()).toEqual([10_00, 30_00])
  expect(await row(old.id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
  const second = await add({ amount: 60_00, expected: await versions(young.id) })
  expect(second.body).toMatchObject({ unallocated_amount: 20_00, reconciliation_status: 'PENDING' })
  expect(await row(young.id)).toMatchObject({ status: 'CLOSED', paid_amount: 50_00 })
  expect(await row(closed.id)).toMatchObject({ paid_amount: 0 })
  const explicit = await add({
    amount: 5_00,
    allocations: [{ invoice_id: closed.id, amount: 5_00 }],
    expected: await versions(closed.id),
  })
  expect(explicit.status).toBe(201)
  expect(await auditMoney(server.db)).toEqual([])
})

test('unallocated money skips an invoice in PROCESSING, explicit allocations do not', async () => {
  const processing = await createInvoice(server.db, { employerId, original: 30_00, dueDate: -9, status: 'PROCESSING' })
  // Something is owed that is not in flight, but the result is still pending.
  await sql`update ach_debits set amount = ${20_00} where invoice_id = ${processing.id}`.execute(server.db)
  const young = await createInvoice(server.db, { employerId, original: 50_00, dueDate: 9 })
  const added = await add({ amount: 60_00, expected: await versions(young.id) })
  expect(added.body).toMatchObject({ allocations: [{ invoice_id: young.id, amount: 50_00 }], unallocated_amount: 10_00 })
  expect(await row(processing.id)).toMatchObject({ status: 'PROCESSING', version: 1 })
  const explicit = await add({
    amount: 5_00,
    allocations: [{ invoice_id: processing.id, amount: 5_00 }],
    expected: await versions(processing.id),
  })
  expect(explicit.status, JSON.stringify(explicit.body)).toBe(201)
})

test('[ERR-031] an invoice with a new version refuses the repayment with the current facts', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 30_00 })
  const unseen = await add({ amount: 10_00 })
  expect(unseen.status).toBe(409)
  expect(unseen.body).toMatchObject({
    code: 'stale-version',
    detail: 'There was a problem with the repayment, or your Invoice Status has changed. Refresh the page and try again.',
    facts: [{ id: invoice.id, outstanding_amount: 30_00 }],
  })
  const expected = await versions(invoice.id)
  await post(`/invoices/${invoice.id}/close`, { version: 1 })
  const closed = await add({ amount: 10_00, expected })
  expect(closed.body).toMatchObject({
    code: 'stale-version',
    detail: 'Invoice was closed in the meantime. Look at it as it is now, then try again.',
    facts: [{ id: invoice.id, status: 'CLOSED' }],
  })
})

test('[REP-007] [REP-009] a negative amount is only for an overpaid invoice, and at most what is overpaid', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 30_00, status: 'CLOSED', paid: 50_00 })
  const even = await createInvoice(server.db, { employerId, original: 30_00, status: 'CLOSED', paid: 30_00 })
  const back = async (id: number, amount: number) =>
    add({ amount, allocations: [{ invoice_id: id, amount }], expected: await versions(id) })
  const onlyOverpaid = 'Negative payment is only possible for overpaid invoice'
  expect((await back(even.id, -1)).body).toMatchObject({ code: 'not-overpaid', detail: onlyOverpaid })
  expect((await add({ amount: -1 })).body).toMatchObject({ code: 'not-overpaid', detail: onlyOverpaid })
  expect((await back(invoice.id, -20_01)).body).toMatchObject({
    status: 409,
    code: 'above-overpaid',
    detail: 'A payment cannot exceed the overpaid amount',
  })
  const paidBack = await back(invoice.id, -20_00)
  expect(paidBack.body).toMatchObject({ amount: -20_00, reconciliation_status: 'RECONCILED' })
  expect(await row(invoice.id)).toMatchObject({ paid_amount: 30_00, outstanding_amount: 0, status: 'CLOSED' })
  expect(await auditMoney(server.db)).toEqual([])
})

test('allocations have one debtor, unique invoices, one sign, and at most the amount', async () => {
  const invoice = await createInvoice(server.db, { employerId })
  const elsewhere = await createInvoice(server.db, {
    employerId: (await createCompany(server.db, 'Other')).employerIds[0] as number,
  })
  const expected = await versions(invoice.id, elsewhere.id)
  const refused = async (allocations: unknown) => (await add({ amount: 10_00, allocations, expected })).body
  const share = (invoice_id: number, amount: number) => ({ invoice_id, amount })
  expect(await refused([share(elsewhere.id, 1)])).toMatchObject({ code: 'allocation-other-debtor' })
  expect(await refused([share(999_999, 1)])).toMatchObject({ code: 'allocation-other-debtor' })
  expect(await refused([share(invoice.id, 1), share(invoice.id, 2)])).toMatchObject({ code: 'allocation-invalid' })
  expect(await refused([share(invoice.id, -1)])).toMatchObject({ code: 'allocation-invalid' })
  expect(await refused([share(invoice.id, 10_01)])).toMatchObject({
    code: 'allocation-above-amount',
    errors: [{ path: 'allocations' }],
  })
  expect(await row(invoice.id)).toMatchObject({ version: 1, paid_amount: 0 })
})

test('[REP-008] amount and date of a manual repayment can change, not to negative; newest share cut first', async () => {
  const old = await createInvoice(server.db, { employerId, original: 30_00, dueDate: -9 })
  const young = await createInvoice(server.db, { employerId, original: 50_00, dueDate: 9 })
  const { body: made } = await add({ amount: 70_00, expected: await versions(old.id, young.id) })
  const patch = (body: unknown) => call(server, 'PATCH', `/repayments/${made.id}`, { headers: keyed(admin), body })
  expect((await patch({ amount: -1, version: 1 })).body).toMatchObject({
    code: 'cannot-become-negative',
    detail: 'An existing repayment cannot be changed to negative.',
  })
  expect((await patch({ amount: 45_00, expected: { [young.id]: 1 }, version: 1 })).body.code).toBe('stale-version')
  const expected = await versions(young.id)
  const smaller = await patch({ amount: 45_00, repayment_date: '2026-02-09', notes: 'Typed wrong', version: 1, expected })
  expect(smaller.body).toMatchObject({ amount: 45_00, unallocated_amount: 0, repayment_date: '2026-02-09', version: 2 })
  expect(smaller.body.allocations.map((each: { amount: number }) => each.amount)).toEqual([30_00, 15_00])
  const { rows: entries } = await sql`select kind, amount, reverses is not null as undone from ledger_entries
    where repayment_id = ${made.id} and invoice_id = ${young.id} order by id`.execute(server.db)
  expect(entries).toEqual([
    { kind: 'PAYMENT', amount: 40_00, undone: false },
    { kind: 'PAYMENT', amount: -40_00, undone: true },
    { kind: 'PAYMENT', amount: 15_00, undone: false },
  ])
  expect(await row(young.id)).toMatchObject({ outstanding_amount: 35_00 })
  const larger = await patch({ amount: 90_00, version: 2 })
  expect(larger.body).toMatchObject({ unallocated_amount: 45_00, reconciliation_status: 'PENDING' })
  const ach = await createRepayment(server.db, { debtor: debtor(), amount: 5, origin: 'ACH_ENTRY' })
  const fixed = await call(server, 'PATCH', `/repayments/${ach.id}`, { headers: keyed(admin), body: { amount: 6, version: 1 } })
  expect(fixed.body).toMatchObject({ code: 'origin-fixed' })
  const noted = await call(server, 'PATCH', `/repayments/${ach.id}`, {
    headers: keyed(admin),
    body: { notes: 'Seen', version: 1 },
  })
  expect(noted.body).toMatchObject({ notes: 'Seen', version: 2 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[ENT-105] reallocating moves money between invoices, and needs the versions that the person saw', async () => {
  const one = await createInvoice(server.db, { employerId, original: 30_00 })
  const two = await createInvoice(server.db, { employerId, original: 50_00 })
  const three = await createInvoice(server.db, { employerId, original: 10_00, status: 'REFUND_IN_PROGRESS' })
  const { body: made } = await add({
    amount: 30_00,
    allocations: [{ invoice_id: one.id, amount: 30_00 }],
    expected: await versions(one.id),
  })
  const put = (allocations: unknown, expected: unknown, version = 1) =>
    call(server, 'PUT', `/repayments/${made.id}/allocations`, { headers: keyed(admin), body: { allocations, expected, version } })
  const moved = [{ invoice_id: two.id, amount: 20_00 }]
  expect((await put(moved, await versions(two.id))).body.code).toBe('version-required')
  expect((await put([{ invoice_id: three.id, amount: 1 }], await versions(one.id, three.id))).body.code).toBe('submission-made')
  const put1 = await put(moved, await versions(one.id, two.id))
  expect(put1.body).toMatchObject({ unallocated_amount: 10_00, reconciliation_status: 'PENDING', version: 2 })
  expect(await row(one.id)).toMatchObject({ paid_amount: 0, status: 'SENT' })
  expect(await row(two.id)).toMatchObject({ paid_amount: 20_00, status: 'SENT' })
  expect((await put([], await versions(two.id))).body.code).toBe('stale-version')
  expect((await put([], await versions(two.id), 2)).body).toMatchObject({ unallocated_amount: 30_00, allocations: [] })
  const { events } = await get(`/repayments/${made.id}/history`)
  expect(events.map((event: { status: string }) => event.status)).toEqual(['Allocated', 'Allocated', 'Repayment added'])
  expect(await auditMoney(server.db)).toEqual([])
})

test('an unmatched repayment is reconciled when it is allocated', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 30_00 })
  const { id } = await createRepayment(server.db, {
    debtor: debtor(),
    amount: 30_00,
    origin: 'ACH_ENTRY',
    failure: 'UNMATCHED',
  })
  expect(await get(`/repayments/${id}`)).toMatchObject({ reconciliation_status: 'FAILED', failure: 'UNMATCHED' })
  const matched = await call(server, 'PUT', `/repayments/${id}/allocations`, {
    headers: keyed(admin),
    body: { allocations: [{ invoice_id: invoice.id, amount: 30_00 }], expected: await versions(invoice.id), version: 1 },
  })
  expect(matched.body).toMatchObject({ reconciliation_status: 'RECONCILED', failure: null })
  expect(await row(invoice.id)).toMatchObject({ status: 'CLOSED', paid_amount: 30_00 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[REP-003] [ENT-100] a return is split over the invoices by their shares, and repeated it counts once', async () => {
  // In sequence, since remainders are assigned by ascending id.
  const invoices = []
  for (const original of [40_00, 30_00, 30_00])
    invoices.push(await createInvoice(server.db, { employerId, original, status: 'CLOSED' }))
  const { id } = await createRepayment(server.db, {
    debtor: debtor(),
    amount: 100_00,
    origin: 'ACH_ENTRY',
    accountNumber: '000123456789',
    allocations: invoices.map((invoice, at) => ({ invoiceId: invoice.id, amount: at === 0 ? 40_00 : 30_00 })),
  })
  const back = async (body: object) =>
    post(`/repayments/${id}/returns`, { expected: await versionsBehind(server, 'repayments', id), ...body })
  const part = await back({ return_code: 'R01', amount: 50_00, addenda: 'NSF', version: 1 })
  expect(part.status, JSON.stringify(part.body)).toBe(200)
  expect(part.body).toMatchObject({ returned_amount: 50_00, reconciliation_status: 'RECONCILED', return_code: 'R01', version: 2 })
  expect(part.body.allocations.map((each: { amount: number }) => each.amount)).toEqual([20_00, 15_00, 15_00])
  for (const { id: invoice } of invoices) expect(await row(invoice)).toMatchObject({ status: 'PARTIALLY_RETURNED', version: 2 })
  const twice = await back({ return_code: 'R01', amount: 50_00, addenda: 'NSF', version: 1 })
  expect(twice.body).toEqual(part.body)
  const { repayments } = await get(`/repayments?debtor-id=${employerId}&origin=RETURN`)
  expect(repayments).toMatchObject([
    {
      amount: -50_00,
      returns_id: id,
      origin: 'RETURN',
      return_code: 'R01',
      requester_name: 'Ada Admin',
      account_number: '••••6789',
    },
  ])
  const { events } = await get(`/repayments/${id}/history`)
  expect(events).toHaveLength(1)
  expect((await back({ return_code: 'R02', amount: 50_01, version: 2 })).body).toMatchObject({ code: 'return-above-repayment' })
  const rest = await back({ return_code: 'R02', amount: 50_00, version: 2 })
  expect(rest.body).toMatchObject({ reconciliation_status: 'FAILED', failure: 'RETURNED', returned_amount: 100_00 })
  expect(rest.body.allocations).toMatchObject([{ amount: 40_00, counted: false }, { amount: 30_00 }, { amount: 30_00 }])
  for (const { id: invoice } of invoices) expect(await row(invoice)).toMatchObject({ paid_amount: 0 })
  const again = await call(server, 'PUT', `/repayments/${id}/allocations`, {
    headers: keyed(admin),
    body: { allocations: [], expected: {}, version: 3 },
  })
  expect(again.body.code).toBe('repayment-returned')
  // The first return has failed together with the amount that it returns, and cannot be returned itself.
  const first = await get(`/repayments/${repayments[0].id}`)
  expect(first).toMatchObject({ reconciliation_status: 'FAILED', failure: null, version: 2 })
  expect(
    (
      await post(`/repayments/${first.id}/returns`, {
        expected: await versionsBehind(server, 'repayments', first.id),
        return_code: 'R01',
        amount: 1,
        version: 2,
      })
    ).body.code,
  ).toBe('not-positive')
  expect(await auditMoney(server.db)).toEqual([])
})

test('an amount that a return takes from one invoice can be taken from another one instead', async () => {
  const invoices = await createInvoices(
    server.db,
    [40_00, 60_00].map((original) => ({ employerId, original, status: 'CLOSED' })),
  )
  const [one, two] = invoices.map((invoice) => invoice.id) as [number, number]
  const { id } = await createRepayment(server.db, {
    debtor: debtor(),
    amount: 100_00,
    origin: 'ACH_ENTRY',
    allocations: [
      { invoiceId: one, amount: 40_00 },
      { invoiceId: two, amount: 60_00 },
    ],
  })
  await post(`/repayments/${id}/returns`, {
    expected: await versionsBehind(server, 'repayments', id),
    return_code: 'R10',
    amount: 50_00,
    version: 1,
  })
  const [back] = (await get(`/repayments?debtor-id=${employerId}&origin=RETURN`)).repayments
  expect(back.allocations).toMatchObject([{ amount: -20_00 }, { amount: -30_00 }])
  const put = async (allocations: unknown) =>
    call(server, 'PUT', `/repayments/${back.id}/allocations`, {
      headers: keyed(admin),
      body: { allocations, expected: await versions(one, two), version: 1 },
    })
  expect((await put([{ invoice_id: one, amount: -50_00 }])).body.code).toBe('return-above-repayment')
  expect((await put([{ invoice_id: two, amount: -50_00 }])).status).toBe(200)
  expect(await row(one)).toMatchObject({ paid_amount: 40_00, status: 'CLOSED' })
  expect(await row(two)).toMatchObject({ paid_amount: 10_00 })
  expect((await get(`/repayments/${id}`)).allocations).toMatchObject([{ amount: 40_00 }, { amount: 10_00 }])
  expect(await auditMoney(server.db)).toEqual([])
})

test('[REP-004] money of a pending debit does not count yet, and its returned part never did', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 30_00, status: 'PROCESSING' })
  const id = invoice.repaymentId as number
  expect(await get(`/repayments/${id}`)).toMatchObject({
    ach_state: 'PENDING',
    reconciliation_status: 'PENDING',
    allocations: [{ amount: 30_00, counted: false }],
  })
  expect(await row(invoice.id)).toMatchObject({ paid_amount: 0 })
  await post(`/repayments/${id}/returns`, {
    expected: await versionsBehind(server, 'repayments', id),
    return_code: 'R03',
    amount: 30_00,
    version: 1,
  })
  expect(await row(invoice.id)).toMatchObject({ status: 'RETURNED', paid_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[PERM-003] a repayment needs access to its debtor: the employer, or the organization itself', async () => {
  const { id } = await createRepayment(server.db, { debtor: debtor(), amount: 5 })
  const ofOrganization = await createRepayment(server.db, { debtor: { type: 'ORGANIZATION', id: organizationId }, amount: 7 })
  const manager = async (grant: { organizationId: number } | { employerId: number }) =>
    signInAs(server, await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 1001], grants: [grant] }))
  const seen = async (headers: Headers) => (await get('/repayments', headers)).repayments.map((each: { id: number }) => each.id)
  const byEmployer = await manager({ employerId })
  const byOrganization = await manager({ organizationId })
  const stranger = await manager({ employerId: (await createCompany(server.db, 'Far')).employerIds[0] as number })
  expect(await seen(byEmployer)).toEqual([id])
  expect(await seen(byOrganization)).toEqual([id, ofOrganization.id])
  expect(await seen(stranger)).toEqual([])
  expect((await get('/repayments/count', stranger)).count).toBe(0)
  expect((await get('/repayments/amounts', byEmployer)).total_amount).toBe(5)
  expect((await call(server, 'GET', `/repayments/${ofOrganization.id}`, { headers: byEmployer })).status).toBe(404)
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/history', undefined],
    ['PATCH', '', { notes: 'x', version: 1 }],
    ['PUT', '/allocations', { allocations: [], expected: {}, version: 1 }],
    ['POST', '/returns', { return_code: 'R01', amount: 1, version: 1, expected: {} }],
  ] as const)
    expect((await call(server, method, `/repayments/${id}${path}`, { headers: keyed(stranger), body })).status).toBe(404)
  expect((await add({ amount: 5 }, stranger)).status).toBe(404)
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [1] }))
  expect((await add({ amount: 5 }, reader)).status).toBe(403)
})

describe('a duplicate repayment', () => {
  const same = (more: Record<string, unknown> = {}, headers = admin) =>
    add({ amount: 25_00, descriptor: 'ACME PAYROLL 0203', allocations: [], ...more }, headers)

  test('is refused with the first one named, or added with a reason that the history stores', async () => {
    const first = (await same()).body
    const again = await same()
    expect(again.body).toMatchObject({ status: 409, code: 'repayment-repeated', errors: [{ path: 'reason' }] })
    expect(again.body.detail).toContain(`${first.reference_id} is the same repayment: $25.00 on 2026-02-03`)
    expect((await same({ reason: ' ' })).status).toBe(422)
    const third = await same({ reason: 'Two wires of the same amount came in' })
    expect(third.status, JSON.stringify(third.body)).toBe(201)
    const { events } = await get(`/repayments/${third.body.id}/history`)
    expect(events[0]).toMatchObject({ status: 'Repayment added', text: 'Two wires of the same amount came in' })
    // The first one is named, not the last.
    expect((await same()).body.detail).toContain(first.reference_id)
    expect(await auditMoney(server.db)).toEqual([])
  })

  test.each([
    { descriptor: 'acme  payroll 0203 ' },
    { descriptor: 'AcmePayroll0203' },
    { descriptor: 'ACME\u00a0PAY\u200bROLL 0203' },
    { descriptor: 'ACME PAYROLL ０２０３' },
    { allocations: undefined },
    { notes: 'Another note' },
  ])('is detected with %j', async (more) => {
    await same()
    expect((await same(more)).body.code).toBe('repayment-repeated')
  })

  test('is also detected without a bank statement text', async () => {
    const first = (await same({ descriptor: undefined })).body
    expect((await same({ descriptor: undefined })).body.detail).toContain(`${first.reference_id} is the same repayment`)
  })

  test.each([
    { amount: 25_01 },
    { repayment_date: '2026-02-02' },
    { descriptor: 'ACME PAYROLL 0204' },
    { descriptor: undefined },
  ])('is not assumed with %j', async (more) => {
    await same()
    expect((await same(more)).status).toBe(201)
  })

  test('is not assumed for another debtor or a failed one', async () => {
    await same()
    const other = (await createCompany(server.db, 'Elsewhere')).employerIds[0] as number
    expect((await same({ debtor_id: other })).status).toBe(201)
    const entry = {
      debtor: { type: 'EMPLOYER', id: employerId },
      amount: 12_00,
      date: '2026-02-03',
      descriptor: 'EWA 7',
    } as const
    await createRepayment(server.db, { ...entry, origin: 'ACH_ENTRY', failure: 'UNMATCHED' })
    expect((await same({ amount: 12_00, descriptor: 'EWA 7' })).status).toBe(201)
  })

  test('that came in by ACH cannot be entered again by hand', async () => {
    const entry = {
      debtor: { type: 'EMPLOYER', id: employerId },
      amount: 12_00,
      date: '2026-02-03',
      descriptor: 'EWA 8',
    } as const
    const { referenceId } = await createRepayment(server.db, { ...entry, origin: 'ACH_ENTRY' })
    expect((await same({ amount: 12_00, descriptor: 'EWA 8' })).body.detail).toContain(referenceId)
  })

  test.each([{ amount: 25_00 }, { repayment_date: '2026-02-03' }])(
    'is refused when an edit creates it, with %j',
    async (change) => {
      const first = (await same()).body
      const before = 'amount' in change ? { amount: 26_00 } : { repayment_date: '2026-02-02' }
      const other = (await same(before)).body
      const edit = (body: Record<string, unknown>) =>
        call(server, 'PATCH', `/repayments/${other.id}`, { headers: keyed(admin), body: { ...change, version: 1, ...body } })
      const refused = await edit({})
      expect(refused.body).toMatchObject({ status: 409, code: 'repayment-repeated', errors: [{ path: 'reason' }] })
      expect(refused.body.detail).toContain(`${first.reference_id} is the same repayment: $25.00 on 2026-02-03`)
      expect((await edit({ reason: ' ' })).status).toBe(422)
      const edited = await edit({ reason: 'Two wires came in' })
      expect(edited.body).toMatchObject({ ...change, version: 2 })
      const { events } = await get(`/repayments/${other.id}/history`)
      expect(events[0]).toMatchObject({ status: 'Repayment edited', text: 'Two wires came in' })
      // Notes may change, whatever else is equal.
      expect((await edit({ ...change, notes: 'By wire', version: 2 })).body).toMatchObject({ notes: 'By wire' })
      expect(await auditMoney(server.db)).toEqual([])
    },
  )

  test('sent several times concurrently is added once', async () => {
    const people = await Promise.all(
      ['Ben', 'Cleo', 'Dan'].map(async (name) => signInAs(server, await createPerson(server.db, { name, groups: [1] }))),
    )
    const answers = await Promise.all([admin, ...people, admin, ...people].map((headers) => same({}, headers)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
    const { count } = await get(`/repayments/count?debtor-id=${employerId}`)
    expect(count).toBe(1)
    expect(await auditMoney(server.db)).toEqual([])
  })
})
