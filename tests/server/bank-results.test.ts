import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { newDebtor, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const monday = '2026-03-02'
const whole = 147_99
let server: TestServer
let bank: TestBank
let ada: Someone
let employerId: number
let debit: Awaited<ReturnType<typeof debitedInvoice>>

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada')
  bank = bankOf(server.db)
})
afterAll(() => server.close())
beforeEach(async () => {
  await setToday(server.db, monday)
  employerId = (await newDebtor(server)).employerId
  debit = await debitedInvoice(server.db, bank, employerId, whole)
})

const invoice = async () => (await ada.get(`/invoices/${debit.id}`)).body
const repayment = async () => (await ada.get(`/repayments/${debit.repaymentId}`)).body
const says = (code: string, amount: number, more: { addenda?: string; on?: string; trace?: string } = {}) =>
  bank.says({ trace: debit.trace, code, amount, ...more })
const byHand = async (return_code: string, amount: number, more: Record<string, unknown> = {}) =>
  ada.post(`/repayments/${debit.repaymentId}/returns`, {
    return_code,
    amount,
    version: (await repayment()).version,
    ...more,
  })
/** The results of this test's debit, oldest first. */
const results = async (query = '') => (await ada.get(`/bank-results?repayment-id=${debit.repaymentId}${query}`)).body.bank_results
const decide = async (result: { id: number; version: number }, name: string, more: Record<string, unknown> = {}, who = ada) =>
  who.post(`/bank-results/${result.id}/${name}`, {
    reason: 'Asked the bank',
    version: result.version,
    ...(name === 'book' || name === 'replace' ? { expected: await versionsOf(server, debit.id) } : {}),
    ...more,
  })

test('a larger return of the bank than the one recorded by hand is not dropped: it stands, and replaces it', async () => {
  await says('SETTLED', whole)
  await byHand('R10', 10_00)
  expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 10_00 })
  expect(await says('R10', whole)).toMatchObject({ returned: 0, unmatched: 1, failed: 0 })
  const [stands] = await results('&state=UNMATCHED')
  expect(stands).toMatchObject({
    trace_number: debit.trace,
    code: 'R10',
    amount: whole,
    state: 'UNMATCHED',
    problem: 'BY_HAND_DIFFERS',
    repayment_id: debit.repaymentId,
    invoice: { id: debit.id },
    debit: { amount: whole, settled_on: monday, returns: [{ code: 'R10', amount: 10_00, by_hand: true }] },
  })
  expect((await decide(stands, 'book')).body).toMatchObject({ status: 409, code: 'return-above-repayment' })
  const replaced = await decide(stands, 'replace')
  expect(replaced.body, JSON.stringify(replaced.body)).toMatchObject({
    state: 'BOOKED',
    decided_by: { name: 'Ada' },
    decision_reason: 'Asked the bank',
    debit: { returns: [{ code: 'R10', amount: whole, by_hand: false }] },
  })
  expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole, paid_amount: 0 })
  expect(await repayment()).toMatchObject({ reconciliation_status: 'FAILED', failure: 'RETURNED', returned_amount: whole })
  expect((await decide(replaced.body, 'replace')).body.code).toBe('already-decided')
  expect(await auditMoney(server.db)).toEqual([])
})

test('a settlement after a wrong return by hand is not dropped: its money is booked once a person takes the return back', async () => {
  await byHand('R01', whole)
  expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
  expect(await says('SETTLED', whole)).toMatchObject({ settled: 0, unmatched: 1 })
  const [stands] = await results()
  expect(stands).toMatchObject({ code: 'SETTLED', problem: 'BY_HAND_DIFFERS', state: 'UNMATCHED' })
  // While nobody decided, nothing is debited on top.
  const retried = await ada.post(`/invoices/${debit.id}/retry`, { debit_date: '2026-03-03', version: (await invoice()).version })
  expect(retried.body.code).toBe('in-flight')
  expect((await decide(stands, 'replace', { expected: { [debit.id]: 1 } })).body.code).toBe('stale-version')
  expect((await decide(stands, 'replace')).body).toMatchObject({ state: 'BOOKED' })
  expect(await invoice()).toMatchObject({
    status: 'CLOSED',
    outstanding_amount: 0,
    in_flight_amount: 0,
    ach: { state: 'SETTLED' },
  })
  expect(await repayment()).toMatchObject({
    ach_state: 'COMPLETED',
    reconciliation_status: 'RECONCILED',
    returned_amount: 0,
    return_code: null,
  })
  expect(await auditMoney(server.db)).toEqual([])
})

test('a return by hand and the same one of the bank are one, whatever their addenda, whoever comes first', async () => {
  await byHand('R01', 40_00)
  expect(await says('R01', 40_00, { addenda: 'R01 insufficient funds' })).toMatchObject({ returned: 1, unmatched: 0 })
  expect(await repayment()).toMatchObject({ returned_amount: 40_00 })
  expect(await invoice()).toMatchObject({ in_flight_amount: whole - 40_00 })
  const { repayments } = (await ada.get(`/repayments?debtor-id=${employerId}&origin=RETURN`)).body
  expect(repayments).toMatchObject([{ amount: -40_00, ach_addenda: 'R01 insufficient funds', requester_name: 'Ada' }])
  // A person who records it after the bank records nothing.
  expect((await byHand('R01', 40_00)).body.returned_amount).toBe(40_00)
  await says('SETTLED', whole - 40_00)
  expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 40_00 })
  expect((await results()).map((each: { state: string }) => each.state)).toEqual(['BOOKED', 'BOOKED'])
  expect(await auditMoney(server.db)).toEqual([])
})

test('a result that is said twice is one; one that differs in its addenda only stands', async () => {
  await says('R01', 40_00, { addenda: 'one' })
  await says('R01', 40_00, { addenda: 'one' })
  expect(await results()).toHaveLength(1)
  await says('R01', 40_00, { addenda: 'two' })
  const [, second] = await results()
  expect(second).toMatchObject({ state: 'UNMATCHED', problem: 'REPEATED' })
  expect(await repayment()).toMatchObject({ returned_amount: 40_00 })
  const dismissed = await decide(second, 'dismiss')
  expect(dismissed.body).toMatchObject({ state: 'DISMISSED', decision_reason: 'Asked the bank' })
  const reopened = await decide(dismissed.body, 'reopen')
  expect(reopened.body).toMatchObject({ state: 'UNMATCHED', decided_by: null })
  expect((await decide(reopened.body, 'book')).body).toMatchObject({ state: 'BOOKED' })
  expect(await repayment()).toMatchObject({ returned_amount: 80_00 })
  expect(
    (await ada.get(`/bank-results/${second.id}/history`)).body.events.map((each: { status: string }) => each.status),
  ).toEqual(['Booked', 'Reopened', 'Dismissed', 'Unmatched'])
  expect(await auditMoney(server.db)).toEqual([])
})

describe('what cannot be booked stands', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['more than was debited', () => says('R01', whole + 1), 'ABOVE_DEBIT'],
    ['a code that nobody knows', () => says('R77', 5_00), 'UNKNOWN_CODE'],
    ['a settlement of another amount', () => says('SETTLED', whole - 1), 'AMOUNT_DIFFERS'],
  ])('%s', async (_, say, problem) => {
    await say()
    expect(await results()).toMatchObject([{ state: 'UNMATCHED', problem }])
    expect(await repayment()).toMatchObject({ ach_state: 'PENDING', returned_amount: 0 })
    expect(await invoice()).toMatchObject({ status: 'PROCESSING', in_flight_amount: whole })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a second settlement, and one of money that came back whole', async () => {
    await says('SETTLED', whole)
    await says('SETTLED', whole, { addenda: 'again' })
    expect(await results('&state=UNMATCHED')).toMatchObject([{ problem: 'SETTLED_BEFORE' }])
    const [again] = await results('&state=UNMATCHED')
    expect((await decide(again, 'book')).body).toMatchObject({ status: 409, code: 'already-settled' })
    debit = await debitedInvoice(server.db, bank, employerId, whole)
    await says('R01', whole)
    await says('SETTLED', whole)
    expect(await results('&state=UNMATCHED')).toMatchObject([{ problem: 'ABOVE_DEBIT' }])
  })

  test('a trace number that no debit has, until a person names the repayment; only admins see it', async () => {
    const entry = await createRepayment(server.db, {
      debtor: { type: 'EMPLOYER', id: employerId },
      amount: 60_00,
      origin: 'ACH_ENTRY',
      allocations: [{ invoiceId: debit.id, amount: 60_00 }],
    })
    const trace = `99900001${String(debit.id).padStart(7, '0')}`
    await says('R02', 60_00, { trace })
    const [stands] = (await ada.get(`/bank-results?q=${trace}`)).body.bank_results
    expect(stands).toMatchObject({
      state: 'UNMATCHED',
      problem: 'NO_DEBIT',
      repayment_id: null,
      invoice: null,
      debtor_name: null,
    })
    const manager = await signInAs(
      server,
      await createPerson(server.db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 1001], grants: [{ employerId }] }),
    )
    expect((await call(server, 'GET', `/bank-results/${stands.id}`, { headers: manager })).status).toBe(404)
    expect((await decide(stands, 'book')).body).toMatchObject({ code: 'no-debit', errors: [{ path: 'repayment_id' }] })
    const booked = await decide(stands, 'book', { repayment_id: entry.id })
    expect(booked.body, JSON.stringify(booked.body)).toMatchObject({ state: 'BOOKED', repayment_id: entry.id })
    expect((await ada.get(`/repayments/${entry.id}`)).body).toMatchObject({ failure: 'RETURNED', returned_amount: 60_00 })
    expect((await call(server, 'GET', `/bank-results/${stands.id}`, { headers: manager })).status).toBe(200)
    expect(await auditMoney(server.db)).toEqual([])
  })
})

test('a late return of the bank stands, and takes the right to override its window', async () => {
  await says('SETTLED', whole)
  await setToday(server.db, '2026-03-05')
  // Monday and two banking days is Wednesday.
  await says('R01', whole, { on: '2026-03-05' })
  const [late] = await results('&state=UNMATCHED')
  expect(late).toMatchObject({ problem: 'TOO_LATE' })
  const without = await someoneWith(1, 1001)
  expect((await decide(late, 'book', {}, without)).status).toBe(403)
  expect((await decide(late, 'book', {}, await someoneWith(1, 1001, 1022))).body).toMatchObject({ state: 'BOOKED' })
  expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
  expect(await auditMoney(server.db)).toEqual([])
})

async function someoneWith(...permissions: number[]): Promise<Someone> {
  const headers = await signInAs(server, await createPerson(server.db, { permissions }))
  const post = (path: string, body?: unknown) => call(server, 'POST', path, { headers, body })
  const get = (path: string) => call(server, 'GET', path, { headers })
  return { ...ada, headers, post, get }
}

test('bank results are read with read:billing and decided with write:billing, within access', async () => {
  await says('R77', 5_00)
  const [stands] = await results()
  const reader = await someoneWith(1)
  expect((await reader.get(`/bank-results/${stands.id}`)).status).toBe(200)
  expect((await decide(stands, 'dismiss', {}, reader)).status).toBe(403)
  const nobody = await someoneWith(2)
  expect((await nobody.get('/bank-results')).status).toBe(403)
  const stranger = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: [1, 1001],
      grants: [{ employerId: (await newDebtor(server, 'Far')).employerId }],
    }),
  )
  expect((await call(server, 'GET', '/bank-results', { headers: stranger })).body.bank_results).toEqual([])
  expect((await call(server, 'GET', '/bank-results/count', { headers: stranger })).body.count).toBe(0)
  const { status } = await call(server, 'POST', `/bank-results/${stands.id}/dismiss`, {
    headers: stranger,
    body: { reason: 'x', version: stands.version },
  })
  expect(status).toBe(404)
  expect((await decide(stands, 'dismiss', { reason: '' })).status).toBe(422)
})

test('of several who decide one result at once, one does', async () => {
  await byHand('R01', 10_00)
  await says('R01', 20_00)
  const [stands] = await results()
  const answers = await Promise.all(['replace', 'book', 'dismiss', 'replace'].map((name) => decide(stands, name)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect((await results())[0].state).not.toBe('UNMATCHED')
  expect(await auditMoney(server.db)).toEqual([])
})
