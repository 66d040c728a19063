import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { newDebtor, repaymentOf, type Someone, someone, versionsOf, versionsBehind } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, createRepayment, setRolloverPercentage } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let bank: TestBank
let ada: Someone
let employerId: number
let organizationId: number

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada')
  bank = bankOf(server.db)
})
afterAll(() => server.close())
beforeEach(async () => {
  // The Friday before Memorial Day: two banking days later is Wednesday.
  await setToday(server.db, '2026-05-22')
  ;({ employerId, organizationId } = await newDebtor(server))
})

const back = async (id: number, body: Record<string, unknown>) =>
  ada.post(
    `/repayments/${id}/returns`,
    { version: 1, expected: await versionsBehind(server, 'repayments', id), amount: 5_00, ...body },
    keyed(),
  )
const createSettledDebit = () =>
  createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 50_00, origin: 'ACH_ENTRY' })

test.each([
  ['R01', '2026-05-27', '2026-05-28'],
  ['R29', '2026-05-27', '2026-05-28'],
  ['R10', '2026-07-21', '2026-07-22'],
  ['R05', '2026-07-21', '2026-07-22'],
])('%s can be returned until %s, not on %s', async (return_code, last, after) => {
  const { id } = await createSettledDebit()
  await setToday(server.db, after)
  const late = await back(id, { return_code })
  expect(late.body).toMatchObject({ status: 409, code: 'return-too-late', errors: [{ path: 'return_code' }] })
  expect(late.body.detail).toContain(`could come back until ${last}`)
  await setToday(server.db, last)
  expect((await back(id, { return_code })).body).toMatchObject({ returned_amount: 5_00 })
})

test.each(['r01', ' R01 ', 'R 01'])('a return by hand reads %j as R01, with its window', async (return_code) => {
  const { id } = await createSettledDebit()
  expect((await back(id, { return_code })).body).toMatchObject({ returned_amount: 5_00, return_code: 'R01' })
  // The same return again, in any notation, adds nothing.
  expect((await back(id, { return_code: 'R01' })).body).toMatchObject({ returned_amount: 5_00 })
  await setToday(server.db, '2026-05-28')
  expect((await back(id, { return_code, amount: 6_00, version: 2 })).body.code).toBe('return-too-late')
})

test.each([
  ['R61', "Only the bank reports this code. Book it under 'Bank results'."],
  ['r77', "Only the bank reports this code. Book it under 'Bank results'."],
  ['c01', 'This is a notice of change, which moves no money.'],
  ['R12X', 'There is no such value.'],
  ['R99', 'There is no such value.'],
  ['SETTLED', 'There is no such value.'],
  ['', 'This is a required field.'],
])('a return by hand refuses the code %j beside the field', async (return_code, message) => {
  const { id } = await createSettledDebit()
  expect((await back(id, { return_code })).body).toMatchObject({ status: 422, errors: [{ path: 'return_code', message }] })
  expect((await ada.get(`/repayments/${id}`)).body).toMatchObject({ returned_amount: 0, version: 1 })
})

test('only a late return needs a reason and the right to override its window', async () => {
  const { id } = await createSettledDebit()
  const late = { return_code: 'R01', late: true, reason: 'The bank asked by letter' }
  expect((await back(id, late)).body).toMatchObject({ status: 409, code: 'return-in-time' })
  await setToday(server.db, '2026-06-01')
  const headers = await signInAs(server, await createPerson(server.db, { permissions: [1, 1001] }))
  const without = await call(server, 'POST', `/repayments/${id}/returns`, {
    headers: keyed(headers),
    body: { ...late, amount: 5_00, version: 1, expected: {} },
  })
  expect(without.status).toBe(403)
  expect((await back(id, { ...late, reason: ' ' })).status).toBe(422)
  expect((await back(id, late)).body).toMatchObject({ returned_amount: 5_00 })
  const { events } = (await ada.get(`/repayments/${id}/history`)).body
  expect(events[0]).toMatchObject({ status: 'Returned after its window', text: 'The bank asked by letter' })
})

test('money not received by ACH has no ACH return, late or not', async () => {
  const { id } = await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount: 50_00 })
  expect((await back(id, { return_code: 'R01' })).body).toMatchObject({ status: 409, code: 'not-ach' })
  expect((await back(id, { return_code: 'R01', late: true, reason: 'x' })).body.code).toBe('not-ach')
})

test('[ENT-103] a debit has the addenda and descriptor that the bank gets, and both find it', async () => {
  const debit = await debitedInvoice(server.db, bank, employerId)
  const carried = { ach_addenda: `TRN*1*${debit.trace}`, descriptor: `EWA INV-${debit.id}`, origin: 'ACH_ENTRY' }
  expect((await ada.get(`/repayments/${debit.repaymentId}`)).body).toMatchObject(carried)
  for (const q of [debit.trace, `EWA INV-${debit.id}`])
    expect((await ada.get(`/repayments?q=${encodeURIComponent(q)}`)).body.repayments).toMatchObject([carried])
})

test('[API-122] the rest of an unsettled debit is pending, not reconciled, and the sums add up', async () => {
  const debit = await debitedInvoice(server.db, bank, employerId, 147_99)
  const amounts = async () => (await ada.get(`/repayments/amounts?debtor-id=${employerId}`)).body
  await bank.says({ trace: debit.trace, code: 'R01', amount: 62_28 })
  expect(await amounts()).toEqual({
    total_amount: 85_71,
    reconciled_amount: 0,
    pending_amount: 85_71,
    failed_amount: 0,
    unallocated_amount: 0,
    returned_amount: 62_28,
  })
  await bank.says({ trace: debit.trace, code: 'SETTLED', amount: 85_71 })
  await ada.post('/repayments', repaymentOf(employerId, { amount: 70_00, allocations: [] }), keyed())
  expect(await amounts()).toEqual({
    total_amount: 155_71,
    reconciled_amount: 85_71,
    pending_amount: 70_00,
    failed_amount: 0,
    unallocated_amount: 70_00,
    returned_amount: 62_28,
  })
})

test('a debit is submitted the needed number of banking days before the due date', async () => {
  await sql`insert into lms_configurations (employer_id, payment_method, invoice_deadline, ach_processing_days)
    values (${employerId}, 'AUTO_ACH', 1, 3)`.execute(server.db)
  const { id } = await createInvoice(server.db, {
    employerId,
    status: 'DEDUCTION_APPROVED',
    paymentMethod: 'AUTO_ACH',
    reportDate: '2026-05-20',
    dueDate: '2026-06-01',
  })
  await bank.round()
  // Three banking days before Monday the 1st of June is Wednesday.
  expect((await ada.get(`/invoices/${id}`)).body).toMatchObject({ status: 'SCHEDULED', ach: { debit_date: '2026-05-27' } })
})

test('a debtor is unflagged once its invoice owes nothing, or by a person with a reason', async () => {
  await setRolloverPercentage(server.db, { organizationId }, 1000)
  const flagged = async () => {
    const source = await debitedInvoice(server.db, bank, employerId)
    const expected = await versionsOf(server, source.id)
    const descriptor = `Wire for ${source.id}`
    const paid = { amount: 30_00, descriptor, allocations: [{ invoice_id: source.id, amount: 30_00 }], expected }
    await ada.post('/repayments', repaymentOf(employerId, paid), keyed())
    await bank.says({ trace: source.trace, code: 'SETTLED', amount: 100_00 })
    const next = await createInvoice(server.db, { employerId, status: 'DRAFT', reportDate: 10, dueDate: 20 })
    const rolled = await ada.post(
      `/invoices/${source.id}/rollover`,
      {
        amount: 10_00,
        expected: await versionsOf(server, source.id, (await ada.get(`/invoices/${source.id}/overpayment`)).body.next_invoice.id),
      },
      keyed(),
    )
    expect(rolled.status, JSON.stringify(rolled.body)).toBe(200)
    await bank.says({ trace: source.trace, code: 'R10', amount: 100_00 })
    expect((await ada.get(`/invoices/${source.id}`)).body).toMatchObject({ debtor_flagged: true, outstanding_amount: 80_00 })
    return { ...source, next: next.id }
  }
  const first = await flagged()
  const amount = 80_00
  const expected = await versionsOf(server, first.id)
  await ada.post(
    '/repayments',
    repaymentOf(employerId, { amount, allocations: [{ invoice_id: first.id, amount }], expected }),
    keyed(),
  )
  expect((await ada.get(`/invoices/${first.id}`)).body).toMatchObject({ status: 'CLOSED', debtor_flagged: false })

  const second = await flagged()
  const version = (await versionsOf(server, second.next))[second.next]
  const unflagged = await ada.post(`/invoices/${second.next}/unflag`, { reason: 'Paid by wire tomorrow', version }, keyed())
  expect(unflagged.body, JSON.stringify(unflagged.body)).toMatchObject({ debtor_flagged: false })
  const again = await ada.post(`/invoices/${second.next}/unflag`, { reason: 'Again', version: unflagged.body.version }, keyed())
  expect(again.body).toMatchObject({ status: 409, code: 'debtor-not-flagged' })
  expect(await auditMoney(server.db)).toEqual([])
})

test('an invoice whose money was returned in full lists the repayment and its return', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 50_00 })
  const { id } = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 50_00,
    origin: 'ACH_ENTRY',
    allocations: [{ invoiceId: invoice.id, amount: 50_00 }],
  })
  const expected = await versionsOf(server, invoice.id)
  expect((await back(id, { amount: 50_00, return_code: 'R01', expected })).status).toBe(200)
  const { repayments } = (await ada.get(`/repayments?invoice-id=${invoice.id}`)).body
  expect(repayments).toHaveLength(2)
  expect(repayments[0]).toMatchObject({ id, failure: 'RETURNED', allocations: [{ invoice_id: invoice.id, amount: 50_00 }] })
  expect(repayments[1]).toMatchObject({ returns_id: id, allocations: [{ invoice_id: invoice.id, amount: -50_00 }] })
})

test('[INV-008] [INV-009] a debit returned in parts is returned once all of it is', async () => {
  const debit = await debitedInvoice(server.db, bank, employerId)
  await bank.says({ trace: debit.trace, code: 'SETTLED', amount: 100_00 })
  const status = async () => (await ada.get(`/invoices/${debit.id}`)).body.status
  await bank.says({ trace: debit.trace, code: 'R10', amount: 40_00 })
  expect(await status()).toBe('PARTIALLY_RETURNED')
  await bank.says({ trace: debit.trace, code: 'R10', amount: 60_00 })
  expect(await status()).toBe('RETURNED')
})

test('[INV-008] a return makes the debited invoice RETURNED, and one paid by it is owed again', async () => {
  const debit = await debitedInvoice(server.db, bank, employerId)
  await bank.says({ trace: debit.trace, code: 'SETTLED', amount: 100_00 })
  const other = await createInvoice(server.db, { employerId })
  const { version } = (await ada.get(`/repayments/${debit.repaymentId}`)).body
  const moved = await ada.put(
    `/repayments/${debit.repaymentId}/allocations`,
    {
      allocations: [{ invoice_id: other.id, amount: 100_00 }],
      expected: await versionsOf(server, debit.id, other.id),
      version,
    },
    keyed(),
  )
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  await bank.says({ trace: debit.trace, code: 'R10', amount: 100_00 })
  expect((await ada.get(`/invoices/${other.id}`)).body).toMatchObject({ status: 'SENT', outstanding_amount: 100_00, ach: null })
  expect((await ada.get(`/invoices/${debit.id}`)).body).toMatchObject({ status: 'RETURNED', outstanding_amount: 100_00 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[API-122] a return has the state of what it returns: pending, reconciled or failed, also in sums', async () => {
  const debit = await debitedInvoice(server.db, bank, employerId)
  const of = (status: string) => `debtor-type=EMPLOYER&debtor-id=${employerId}&reconciliation-status=${status}`
  const amountsIn = async (status: string) => {
    const { total_amount } = (await ada.get(`/repayments/amounts?${of(status)}`)).body
    const { repayments } = (await ada.get(`/repayments?${of(status)}`)).body
    return [total_amount, repayments.map((one: { amount: number }) => one.amount)]
  }
  await bank.says({ trace: debit.trace, code: 'R01', amount: 40_00 })
  expect(await amountsIn('PENDING')).toEqual([60_00, [100_00, -40_00]])
  expect(await amountsIn('RECONCILED')).toEqual([0, []])
  await bank.says({ trace: debit.trace, code: 'SETTLED', amount: 60_00 })
  expect(await amountsIn('PENDING')).toEqual([0, []])
  expect(await amountsIn('RECONCILED')).toEqual([60_00, [100_00, -40_00]])
  await bank.says({ trace: debit.trace, code: 'R10', amount: 60_00 })
  expect(await amountsIn('RECONCILED')).toEqual([0, []])
  expect(await amountsIn('FAILED')).toEqual([0, [100_00, -40_00, -60_00]])
})

test('[INV-008] [INV-009] an invoice is fully returned by its own debits, whatever other money was allocated', async () => {
  const [one, other] = [await debitedInvoice(server.db, bank, employerId), await debitedInvoice(server.db, bank, employerId)]
  for (const { trace } of [one, other]) await bank.says({ trace, code: 'SETTLED', amount: 100_00 })
  const allocate = async (repaymentId: number, allocations: { invoice_id: number; amount: number }[], ...touched: number[]) => {
    const { version } = (await ada.get(`/repayments/${repaymentId}`)).body
    const expected = await versionsOf(server, ...touched)
    const moved = await ada.put(`/repayments/${repaymentId}/allocations`, { allocations, expected, version }, keyed())
    expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  }
  const shares = [
    { invoice_id: other.id, amount: 90_00 },
    { invoice_id: one.id, amount: 10_00 },
  ]
  await allocate(other.repaymentId, shares, one.id, other.id)
  await bank.says({ trace: one.trace, code: 'R10', amount: 100_00 })
  expect((await ada.get(`/invoices/${one.id}`)).body).toMatchObject({ status: 'RETURNED', ach: { state: 'RETURNED' } })

  const part = await debitedInvoice(server.db, bank, employerId)
  await bank.says({ trace: part.trace, code: 'SETTLED', amount: 100_00 }, { trace: part.trace, code: 'R10', amount: 20_00 })
  const third = await createInvoice(server.db, { employerId, original: 300_00 })
  await allocate(part.repaymentId, [{ invoice_id: third.id, amount: 80_00 }], part.id, third.id)
  await bank.says({ trace: part.trace, code: 'R10', amount: 10_00 })
  const { status, ach } = (await ada.get(`/invoices/${part.id}`)).body
  expect([status, ach.state]).toEqual(['PARTIALLY_RETURNED', 'PARTIALLY_RETURNED'])
})
