import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { figuresOf, newDebtor, repaymentOf, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'
import { keyed, createServer, type TestServer } from '#tests/support/server.ts'

// A Monday, so that the next banking day is the next day.
const monday = '2026-03-02'
let server: TestServer
let bank: TestBank
let ada: Someone
let employerId: number

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada')
})
afterAll(() => server.close())
beforeEach(async () => {
  employerId = (await newDebtor(server)).employerId
  bank = bankOf(server.db)
  await setToday(server.db, monday)
})

const invoiceOf = async (id: number) => (await ada.get(`/invoices/${id}`)).body
const versions = (...ids: number[]) => versionsOf(server, ...ids)

const debited = () => debitedInvoice(server.db, bank, employerId)
const retry = async (id: number, debit_date: string) =>
  ada.post(`/invoices/${id}/retry`, { debit_date, version: (await invoiceOf(id)).version }, keyed())

test('a retry debits what was returned, but not what the bank has not answered', async () => {
  const { id, trace } = await debited()
  expect(await invoiceOf(id)).toMatchObject({ status: 'PROCESSING', outstanding_amount: 100_00, in_flight_amount: 100_00 })
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 100_00, in_flight_amount: 60_00 })

  const tried = await retry(id, '2026-03-03')
  expect(tried.body, JSON.stringify(tried.body)).toMatchObject({
    status: 'SCHEDULED',
    ach: { state: 'SCHEDULED', amount: 40_00 },
  })
  await setToday(server.db, '2026-03-03')
  await bank.round()
  expect(bank.debits.map((debit) => debit.amount)).toEqual([100_00, 40_00])
  expect(await invoiceOf(id)).toMatchObject({ status: 'PROCESSING', in_flight_amount: 100_00 })

  // The first debit settles while the second one has no answer: it is awaited.
  await bank.says({ trace, code: 'SETTLED', amount: 60_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'PROCESSING', outstanding_amount: 40_00, in_flight_amount: 40_00 })
  await bank.says({ trace: bank.debits[1]?.trace_number as string, code: 'SETTLED', amount: 40_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0, in_flight_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('a return recorded only by hand is not debited again before the bank confirms it', async () => {
  const { id, repaymentId } = await debited()
  const back = await ada.post(
    `/repayments/${repaymentId}/returns`,
    { return_code: 'R01', amount: 100_00, version: 1, expected: await versions(id) },
    keyed(),
  )
  expect(back.status).toBe(200)
  expect(await invoiceOf(id)).toMatchObject({ status: 'RETURNED', in_flight_amount: 100_00 })
  expect((await retry(id, '2026-03-03')).body).toMatchObject({
    status: 409,
    code: 'in-flight',
    detail: 'The bank has not confirmed what became of $100.00, so there is nothing left to debit.',
  })
})

test('nor is settled money, since the bank has not reported a return of it', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'SETTLED', amount: 100_00 })
  const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
  const expected = await versions(id)
  const back = await ada.post(
    `/repayments/${repaymentId}/returns`,
    { return_code: 'R01', amount: 100_00, version, expected },
    keyed(),
  )
  expect(back.status, JSON.stringify(back.body)).toBe(200)
  expect(await invoiceOf(id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 100_00, in_flight_amount: 100_00 })
  expect((await retry(id, '2026-03-03')).body).toMatchObject({ status: 409, code: 'in-flight' })

  await bank.says({ trace, code: 'R01', amount: 100_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 100_00, in_flight_amount: 0 })
  expect((await retry(id, '2026-03-03')).body).toMatchObject({ status: 'SCHEDULED', ach: { amount: 100_00 } })
  expect(await auditMoney(server.db)).toEqual([])
})

test('an invoice does not wait for a return by hand: when its other debit settles, it is SENT', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  await retry(id, '2026-03-03')
  await setToday(server.db, '2026-03-03')
  await bank.round()
  const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
  const expected = await versions(id)
  const back = await ada.post(
    `/repayments/${repaymentId}/returns`,
    { return_code: 'R01', amount: 60_00, version, expected },
    keyed(),
  )
  expect(back.status, JSON.stringify(back.body)).toBe(200)
  expect(await invoiceOf(id)).toMatchObject({ status: 'PROCESSING' })
  const second = bank.debits.find((debit) => debit.amount === 40_00)?.trace_number as string
  await bank.says({ trace: second, code: 'SETTLED', amount: 40_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'SENT', outstanding_amount: 60_00, in_flight_amount: 60_00 })
  const paid = await ada.post(
    '/repayments',
    repaymentOf(employerId, { amount: 60_00, allocations: [{ invoice_id: id, amount: 60_00 }], expected: await versions(id) }),
    keyed(),
  )
  expect(paid.status, JSON.stringify(paid.body)).toBe(201)
  expect(await invoiceOf(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('when a retry is cancelled after a return by hand, the invoice is SENT and paid by hand', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  await bank.says({ trace, code: 'SETTLED', amount: 60_00 })
  await retry(id, '2026-03-05')
  const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
  const expected = await versions(id)
  const back = await ada.post(
    `/repayments/${repaymentId}/returns`,
    { return_code: 'R01', amount: 60_00, version, expected },
    keyed(),
  )
  expect(back.status, JSON.stringify(back.body)).toBe(200)
  expect(await invoiceOf(id)).toMatchObject({ status: 'SCHEDULED', outstanding_amount: 100_00, ach: { amount: 40_00 } })
  await ada.post(
    '/repayments',
    repaymentOf(employerId, { amount: 40_00, allocations: [{ invoice_id: id, amount: 40_00 }], expected: await versions(id) }),
    keyed(),
  )
  expect(await invoiceOf(id)).toMatchObject({ status: 'SENT', outstanding_amount: 60_00 })
})

test('a scheduled debit shrinks to what is not in flight, and is cancelled when nothing is left', async () => {
  const { id, trace } = await debited()
  await bank.says({ trace, code: 'R09', amount: 40_00 })
  await retry(id, '2026-03-05')
  const pay = async (amount: number) =>
    ada.post(
      '/repayments',
      repaymentOf(employerId, { amount, allocations: [{ invoice_id: id, amount }], expected: await versions(id) }),
      keyed(),
    )
  await pay(15_00)
  expect(await invoiceOf(id)).toMatchObject({ status: 'SCHEDULED', ach: { state: 'SCHEDULED', amount: 25_00 } })
  await pay(25_00)
  expect(await invoiceOf(id)).toMatchObject({
    status: 'PROCESSING',
    outstanding_amount: 60_00,
    in_flight_amount: 60_00,
    ach: { state: 'PARTIALLY_RETURNED' },
  })
  await setToday(server.db, '2026-03-05')
  await bank.says({ trace, code: 'R01', amount: 60_00 })
  expect(bank.debits).toHaveLength(1)
  expect(await invoiceOf(id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 60_00, in_flight_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('unallocated money skips amounts in flight, and a named debit stays with its invoice', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  const other = await createInvoice(server.db, { employerId, original: 50_00, dueDate: '2026-12-01' })
  const added = await ada.post(
    '/repayments',
    repaymentOf(employerId, { amount: 70_00, expected: await versions(id, other.id) }),
    keyed(),
  )
  expect(added.body.allocations).toMatchObject([
    { invoice_id: id, amount: 40_00 },
    { invoice_id: other.id, amount: 30_00 },
  ])
  const moved = await ada.put(
    `/repayments/${repaymentId}/allocations`,
    {
      allocations: [{ invoice_id: other.id, amount: 20_00 }],
      expected: await versions(id, other.id),
      version: (await ada.get(`/repayments/${repaymentId}`)).body.version,
    },
    keyed(),
  )
  expect(moved.body).toMatchObject({ status: 409, code: 'in-flight' })
  expect((await figuresOf(server, other.id)).paid_amount).toBe(30_00)
})

test('[INV-008] a retry debits the requested amount, whatever else is returned in the meantime', async () => {
  const { id, trace } = await debited()
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  await retry(id, '2026-03-05')
  // Nobody authorized the rest, so it may not be retried.
  await bank.says({ trace, code: 'R10', amount: 60_00 })
  expect(await invoiceOf(id)).toMatchObject({ status: 'SCHEDULED', outstanding_amount: 100_00, ach: { amount: 40_00 } })
  await setToday(server.db, '2026-03-05')
  await bank.round()
  expect(bank.debits.map((debit) => debit.amount)).toEqual(expect.arrayContaining([100_00, 40_00]))
  expect((await invoiceOf(id)).in_flight_amount).toBe(40_00)
})

test('a return confirmed by the bank is in the history, and does not raise the next debit', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'R01', amount: 40_00 })
  await retry(id, '2026-03-05')
  const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
  const expected = await versions(id)
  await ada.post(`/repayments/${repaymentId}/returns`, { return_code: 'R10', amount: 60_00, version, expected }, keyed())
  const before = await invoiceOf(id)
  await bank.says({ trace, code: 'R10', amount: 60_00 })
  const after = await invoiceOf(id)
  expect(after).toMatchObject({ status: 'SCHEDULED', in_flight_amount: 0, ach: { amount: 40_00 } })
  expect(after.version).toBeGreaterThan(before.version)
  expect((await ada.get(`/invoices/${id}/history`)).body.events[0]).toMatchObject({ status: 'Confirmed by the bank' })
})

test('the date of a retry stays within its window, and any debit date within sensible years', async () => {
  const { id, trace } = await debited()
  await bank.says({ trace, code: 'R01', amount: 100_00 })
  await retry(id, '2026-03-10')
  const edit = async (body: Record<string, unknown>) =>
    ada.patch(`/invoices/${id}`, { ...body, version: (await invoiceOf(id)).version }, keyed())
  expect((await edit({ due_date: '2027-03-15' })).body).toMatchObject({ status: 422, errors: [{ path: 'due_date' }] })
  const { due_date } = await invoiceOf(id)
  expect((await edit({ due_date, debit_date: '9999-12-31' })).body).toMatchObject({
    status: 422,
    errors: [{ path: 'debit_date' }],
  })
  expect((await invoiceOf(id)).ach).toMatchObject({ debit_date: '2026-03-10' })
})

test('an invoice collected by hand after a return by hand takes unallocated money', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'SETTLED', amount: 100_00 })
  const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
  await ada.post(
    `/repayments/${repaymentId}/returns`,
    {
      return_code: 'R01',
      amount: 100_00,
      version,
      expected: await versions(id),
    },
    keyed(),
  )
  const collected = await ada.post(`/invoices/${id}/collect`, { version: (await invoiceOf(id)).version }, keyed())
  expect(collected.body).toMatchObject({ status: 'SENT' })
  const paid = await ada.post('/repayments', repaymentOf(employerId, { amount: 100_00, expected: await versions(id) }), keyed())
  expect(paid.body.allocations, JSON.stringify(paid.body)).toMatchObject([{ invoice_id: id, amount: 100_00 }])
  expect(await invoiceOf(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
})

test('a debit with nothing left on its day is cancelled, and its invoice is collected by hand', async () => {
  const { id, trace, repaymentId } = await debited()
  await bank.says({ trace, code: 'R01', amount: 100_00 })
  await retry(id, '2026-03-05')
  // Data of an earlier version: a return by hand, which is not debited again.
  await sql`update repayments set bank_result_id = null, requester_id = ${randomUUID()}, requester_name = 'Ada Admin'
    where returns_id = ${repaymentId}`.execute(server.db)
  expect(await invoiceOf(id)).toMatchObject({ status: 'SCHEDULED', in_flight_amount: 100_00 })
  await setToday(server.db, '2026-03-05')
  await bank.round()
  expect(await invoiceOf(id)).toMatchObject({ status: 'SENT', outstanding_amount: 100_00, ach: { state: 'RETURNED' } })
})
