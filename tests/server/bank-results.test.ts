import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { newDebtor, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createRepayment } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
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
const reportResult = (code: string, amount: number, more: { addenda?: string; on?: string; trace?: string } = {}) =>
  bank.says({ trace: debit.trace, code, amount, ...more })
const recordReturn = async (return_code: string, amount: number, more: Record<string, unknown> = {}) =>
  ada.post(
    `/repayments/${debit.repaymentId}/returns`,
    {
      return_code,
      amount,
      version: (await repayment()).version,
      expected: await versionsOf(server, debit.id),
      ...more,
    },
    keyed(),
  )
/** The results for this test's debit, oldest first. */
const results = async (query = '') => (await ada.get(`/bank-results?repayment-id=${debit.repaymentId}${query}`)).body.bank_results
const decide = async (result: { id: number; version: number }, name: string, more: Record<string, unknown> = {}, who = ada) =>
  who.post(
    `/bank-results/${result.id}/${name}`,
    {
      reason: 'Asked the bank',
      version: result.version,
      ...(name === 'book' || name === 'replace' ? { expected: await versionsOf(server, debit.id) } : {}),
      ...more,
    },
    keyed(),
  )

test('a return by the bank larger than the one by hand stays open, and replaces it', async () => {
  await reportResult('SETTLED', whole)
  await recordReturn('R10', 10_00)
  expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 10_00 })
  expect(await reportResult('R10', whole)).toMatchObject({ returned: 0, unmatched: 1, failed: 0 })
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

test('a settlement after a wrong return by hand is booked once a person replaces the return', async () => {
  await recordReturn('R01', whole)
  expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
  expect(await reportResult('SETTLED', whole)).toMatchObject({ settled: 0, unmatched: 1 })
  const [stands] = await results()
  expect(stands).toMatchObject({ code: 'SETTLED', problem: 'BY_HAND_DIFFERS', state: 'UNMATCHED' })
  // Until somebody decides, nothing is debited in addition.
  const retried = await ada.post(
    `/invoices/${debit.id}/retry`,
    { debit_date: '2026-03-03', version: (await invoice()).version },
    keyed(),
  )
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

test('a return by hand and the same return by the bank are one, in either order', async () => {
  await recordReturn('R01', 40_00)
  expect(await reportResult('R01', 40_00, { addenda: 'R01 insufficient funds' })).toMatchObject({ returned: 1, unmatched: 0 })
  expect(await repayment()).toMatchObject({ returned_amount: 40_00 })
  expect(await invoice()).toMatchObject({ in_flight_amount: whole - 40_00 })
  const { repayments } = (await ada.get(`/repayments?debtor-id=${employerId}&origin=RETURN`)).body
  expect(repayments).toMatchObject([{ amount: -40_00, ach_addenda: 'R01 insufficient funds', requester_name: 'Ada' }])
  // A person who records it after the bank adds nothing.
  expect((await recordReturn('R01', 40_00)).body.returned_amount).toBe(40_00)
  await reportResult('SETTLED', whole - 40_00)
  expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 40_00 })
  expect((await results()).map((each: { state: string }) => each.state)).toEqual(['BOOKED', 'BOOKED'])
  expect(await auditMoney(server.db)).toEqual([])
})

test('a repeated result is one, and one that differs only in its addenda stays open', async () => {
  await reportResult('R01', 40_00, { addenda: 'one' })
  await reportResult('R01', 40_00, { addenda: 'one' })
  expect(await results()).toHaveLength(1)
  await reportResult('R01', 40_00, { addenda: 'two' })
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

describe('a result that cannot be booked stays open', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['more than was debited', () => reportResult('R01', whole + 1), 'ABOVE_DEBIT'],
    ['a code of no family', () => reportResult('R99', 5_00), 'UNKNOWN_CODE'],
    ['a code that is written with one digit', () => reportResult('R1', 5_00), 'UNKNOWN_CODE'],
    ['a return without an amount', () => reportResult('R01', 0), 'NO_AMOUNT'],
    ['a dishonor of what was not returned', () => reportResult('R67', 5_00), 'NO_RETURN'],
    ['a contest of what was not dishonored', () => reportResult('R73', 5_00), 'NO_DISHONOR'],
    ['a settlement of another amount', () => reportResult('SETTLED', whole - 1), 'AMOUNT_DIFFERS'],
  ])('%s', async (_, say, problem) => {
    await say()
    expect(await results()).toMatchObject([{ state: 'UNMATCHED', problem }])
    expect(await repayment()).toMatchObject({ ach_state: 'PENDING', returned_amount: 0 })
    expect(await invoice()).toMatchObject({ status: 'PROCESSING', in_flight_amount: whole })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a second settlement, and a settlement of money that was returned in full', async () => {
    await reportResult('SETTLED', whole)
    await reportResult('SETTLED', whole, { addenda: 'again' })
    expect(await results('&state=UNMATCHED')).toMatchObject([{ problem: 'SETTLED_BEFORE' }])
    const [again] = await results('&state=UNMATCHED')
    expect((await decide(again, 'book')).body).toMatchObject({ status: 409, code: 'already-settled' })
    debit = await debitedInvoice(server.db, bank, employerId, whole)
    await reportResult('R01', whole)
    await reportResult('SETTLED', whole)
    expect(await results('&state=UNMATCHED')).toMatchObject([{ problem: 'ABOVE_DEBIT' }])
  })

  test('an unknown trace number, until a person names the repayment; visible to admins only', async () => {
    const entry = await createRepayment(server.db, {
      debtor: { type: 'EMPLOYER', id: employerId },
      amount: 60_00,
      origin: 'ACH_ENTRY',
      allocations: [{ invoiceId: debit.id, amount: 60_00 }],
    })
    const trace = `99900001${String(debit.id).padStart(7, '0')}`
    await reportResult('R02', 60_00, { trace })
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

test('a late return by the bank stays open, and needs the right to override its window', async () => {
  await reportResult('SETTLED', whole)
  await setToday(server.db, '2026-03-05')
  // Two banking days after Monday is Wednesday.
  await reportResult('R01', whole, { on: '2026-03-05' })
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
  const post = (path: string, body?: unknown) => call(server, 'POST', path, { headers: keyed(headers), body })
  const get = (path: string) => call(server, 'GET', path, { headers })
  return { ...ada, headers, post, get }
}

test('reading results needs read:billing, deciding write:billing, both within access', async () => {
  await reportResult('R99', 5_00)
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
    headers: keyed(stranger),
    body: { reason: 'x', version: stands.version },
  })
  expect(status).toBe(404)
  expect((await decide(stands, 'dismiss', { reason: '' })).status).toBe(422)
})

test('of several people who decide one result concurrently, one succeeds', async () => {
  await recordReturn('R01', 10_00)
  await reportResult('R01', 20_00)
  const [stands] = await results()
  const answers = await Promise.all(['replace', 'book', 'dismiss', 'replace'].map((name) => decide(stands, name)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect((await results())[0].state).not.toBe('UNMATCHED')
  expect(await auditMoney(server.db)).toEqual([])
})

describe('codes by family', () => {
  const returns = async () =>
    (await ada.get(`/repayments?returns-id=${debit.repaymentId}&sort=id&sort-order=asc`)).body.repayments

  test.each(['r01', ' R01 ', 'R 0 1'])('%j is booked as R01, and repeated it is the same result', async (code) => {
    await reportResult(code, 40_00)
    await reportResult('R01', 40_00)
    expect(await results()).toMatchObject([{ code: 'R01', state: 'BOOKED' }])
    expect(await repayment()).toMatchObject({ returned_amount: 40_00, return_code: 'R01' })
  })

  test.each(['R12', 'R17', 'R24', 'R39', 'R53', 'R85'])(
    '%s has a window of two banking days, and needs the override after it',
    async (code) => {
      await reportResult('SETTLED', whole)
      await setToday(server.db, '2026-03-05')
      await reportResult(code, whole, { on: '2026-03-05' })
      const [late] = await results('&state=UNMATCHED')
      expect(late).toMatchObject({ code, problem: 'TOO_LATE' })
      expect((await decide(late, 'book', {}, await someoneWith(1, 1001))).status).toBe(403)
      expect((await recordReturn(code, 5_00)).body).toMatchObject({ code: 'return-too-late' })
      expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
    },
  )

  test.each(['R99', 'R1', 'R34', 'XYZ'])(
    '%s cannot be booked, neither on its debit nor on a named repayment, but can be dismissed',
    async (code) => {
      await reportResult('SETTLED', whole)
      await reportResult(code, whole)
      const [stands] = await results('&state=UNMATCHED')
      expect((await decide(stands, 'book')).body).toMatchObject({ status: 409, code: 'unknown-code' })
      expect((await decide(stands, 'book')).body.detail).toContain(`${code} is no ACH code`)
      const trace = `99900002${String(debit.id).padStart(7, '0')}`
      await reportResult(code, 5_00, { trace })
      const [nowhere] = (await ada.get(`/bank-results?q=${trace}`)).body.bank_results
      const named = await decide(nowhere, 'book', { repayment_id: debit.repaymentId })
      expect(named.body).toMatchObject({ status: 409, code: 'unknown-code' })
      expect((await decide(stands, 'dismiss')).body).toMatchObject({ state: 'DISMISSED' })
      expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
      expect(await auditMoney(server.db)).toEqual([])
    },
  )

  test.each(['C01', 'C05', 'C13', 'C14', 'c02'])('%s never moves money of a paid invoice, whatever its amount', async (code) => {
    await reportResult('SETTLED', whole)
    expect(await reportResult(code, whole, { addenda: '000987654321' })).toMatchObject({ returned: 0, unmatched: 1, failed: 0 })
    await reportResult(code, 0, { addenda: '000987654321' })
    for (const stands of await results('&state=UNMATCHED')) {
      expect(stands).toMatchObject({ code: code.toUpperCase(), amount: 0, problem: 'NOTICE_OF_CHANGE' })
      expect((await decide(stands, 'book')).body).toMatchObject({ status: 409, code: 'not-money' })
      expect((await decide(stands, 'replace')).status).toBe(409)
    }
    expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0, ach: { state: 'SETTLED' } })
    expect(await repayment()).toMatchObject({ returned_amount: 0, failure: null })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a dishonor reverses a return and a contest restores it, each once and in this order', async () => {
    await reportResult('SETTLED', whole)
    await reportResult('R01', whole)
    expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
    await reportResult('R73', whole)
    expect(await results('&state=UNMATCHED')).toMatchObject([{ code: 'R73', problem: 'NO_DISHONOR' }])
    expect((await decide((await results('&state=UNMATCHED'))[0], 'book')).body).toMatchObject({
      status: 409,
      code: 'no-dishonor',
    })
    await reportResult('R67', whole - 1)
    expect(await results('&state=UNMATCHED')).toMatchObject([{ code: 'R73' }, { code: 'R67', problem: 'NO_RETURN' }])

    expect(await reportResult('R67', whole)).toMatchObject({ dishonored: 1, failed: 0 })
    expect(await invoice()).toMatchObject({
      status: 'CLOSED',
      outstanding_amount: 0,
      ach: { state: 'SETTLED', return_code: null },
    })
    expect(await repayment()).toMatchObject({ reconciliation_status: 'RECONCILED', failure: null, returned_amount: 0 })
    expect(await returns()).toMatchObject([{ failure: 'DISHONORED', reconciliation_status: 'FAILED', return_code: 'R01' }])
    expect(await auditMoney(server.db)).toEqual([])
    await reportResult('R68', whole)
    expect((await results('&state=UNMATCHED')).at(-1)).toMatchObject({ code: 'R68', problem: 'NO_RETURN' })
    // The bank repeats the dishonored return: it is not a new one.
    await reportResult('R01', whole, { addenda: 'again' })
    expect((await results('&state=UNMATCHED')).at(-1)).toMatchObject({ code: 'R01', problem: 'REPEATED' })

    expect(await reportResult('R74', whole)).toMatchObject({ returned: 1, failed: 0 })
    expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
    expect(await repayment()).toMatchObject({ failure: 'RETURNED', returned_amount: whole, return_code: 'R74' })
    expect(await returns()).toMatchObject([{ failure: 'CONTESTED' }, { failure: null, return_code: 'R74', amount: -whole }])
    await reportResult('R75', whole)
    expect((await results('&state=UNMATCHED')).at(-1)).toMatchObject({ code: 'R75', problem: 'NO_DISHONOR' })
    await reportResult('R61', whole)
    expect((await results('&state=UNMATCHED')).at(-1)).toMatchObject({ code: 'R61', problem: 'NO_RETURN' })
    // R74 is not R01: no new debit is scheduled automatically.
    const retried = await ada.post(
      `/invoices/${debit.id}/retry`,
      {
        debit_date: '2026-03-03',
        version: (await invoice()).version,
      },
      keyed(),
    )
    expect(retried.body.code).toBe('not-retryable')
    expect(await auditMoney(server.db)).toEqual([])
    const { events } = (await ada.get(`/invoices/${debit.id}/history`)).body
    expect(events.map((each: { status: string }) => each.status).slice(0, 3)).toEqual([
      'Returned',
      'Return dishonored',
      'Returned',
    ])
    expect((await ada.get(`/repayments/amounts?debtor-id=${employerId}`)).body).toMatchObject({
      total_amount: 0,
      returned_amount: whole,
    })
  })

  test('a debit returned in full before it settled is settled by the dishonor of its return', async () => {
    await reportResult('R01', whole)
    await reportResult('R69', whole)
    expect(await invoice()).toMatchObject({
      status: 'CLOSED',
      outstanding_amount: 0,
      in_flight_amount: 0,
      ach: { state: 'SETTLED' },
    })
    expect(await repayment()).toMatchObject({
      ach_state: 'COMPLETED',
      reconciliation_status: 'RECONCILED',
      effective_date: monday,
    })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a part returned before its debit settled is in flight again once it is dishonored', async () => {
    await reportResult('R01', 40_00)
    expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', in_flight_amount: whole - 40_00 })
    await reportResult('R62', 40_00)
    expect(await invoice()).toMatchObject({ status: 'PROCESSING', in_flight_amount: whole, ach: { state: 'SUBMITTED' } })
    await reportResult('SETTLED', whole)
    expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('when one of two returns is dishonored, the invoice is partially returned', async () => {
    await reportResult('SETTLED', whole)
    await reportResult('R01', 40_00)
    await reportResult('R01', whole - 40_00)
    expect(await invoice()).toMatchObject({ status: 'RETURNED', outstanding_amount: whole })
    await reportResult('R68', 40_00)
    expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: whole - 40_00 })
    await reportResult('R68', whole - 40_00)
    expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a dishonor cancels the debit that was scheduled to replace the returned one', async () => {
    await reportResult('SETTLED', whole)
    await reportResult('R01', whole)
    await ada.post(`/invoices/${debit.id}/retry`, { debit_date: '2026-03-05', version: (await invoice()).version }, keyed())
    expect(await invoice()).toMatchObject({ status: 'SCHEDULED' })
    await reportResult('R68', whole)
    expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0, ach: { state: 'SETTLED' } })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a dishonor of a return recorded only by hand waits for a person', async () => {
    await reportResult('SETTLED', whole)
    await recordReturn('R01', whole)
    await reportResult('R68', whole)
    const [stands] = await results('&state=UNMATCHED')
    expect(stands).toMatchObject({ problem: 'BY_HAND_DIFFERS' })
    expect((await decide(stands, 'replace')).body).toMatchObject({ status: 409, code: 'no-return' })
    expect((await decide(stands, 'book', {}, await someoneWith(1))).status).toBe(403)
    expect((await decide(stands, 'book')).body).toMatchObject({
      state: 'BOOKED',
      debit: { returns: [], dishonored: [{ code: 'R01' }] },
    })
    expect(await invoice()).toMatchObject({ status: 'CLOSED', outstanding_amount: 0, in_flight_amount: 0 })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('a dishonor applies to the return by the bank, not to one of its amount by hand', async () => {
    await reportResult('SETTLED', whole)
    await recordReturn('R03', 40_00)
    await reportResult('R01', 40_00)
    const [beside] = await results('&state=UNMATCHED')
    expect((await decide(beside, 'book')).body).toMatchObject({ state: 'BOOKED' })
    expect(await reportResult('R68', 40_00)).toMatchObject({ dishonored: 1, unmatched: 0 })
    expect((await results()).at(-1)).toMatchObject({
      state: 'BOOKED',
      debit: { returns: [{ code: 'R03', by_hand: true }], dishonored: [{ code: 'R01' }] },
    })
    expect(await invoice()).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 40_00 })
    expect(await auditMoney(server.db)).toEqual([])
  })

  test('of two who book one dishonor, and of two dishonors at the same time, one counts', async () => {
    await reportResult('SETTLED', whole)
    await recordReturn('R01', whole)
    await reportResult('R68', whole)
    await reportResult('R67', whole)
    const stands = await results('&state=UNMATCHED')
    expect(stands).toHaveLength(2)
    const answers = await Promise.all([...stands, ...stands].map((each) => decide(each, 'book')))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(await auditMoney(server.db)).toEqual([])
  })

  test.each(['R61', 'R70', 'R71', 'R77', 'C01', 'R99', 'R1', 'SETTLED'])(
    '%s cannot be recorded as a return by hand',
    async (code) => {
      await reportResult('SETTLED', whole)
      expect((await recordReturn(code, 5_00)).body).toMatchObject({ status: 422, errors: [{ path: 'return_code' }] })
    },
  )
})

describe('a notice of change', () => {
  const accounts = async () => {
    const { organization } = await invoice()
    return (await ada.get(`/billing-accounts?organization-id=${organization.id}`)).body.billing_accounts
  }
  const notice = async (code: string, addenda: string) => {
    await reportResult(code, 0, { addenda })
    return (await results('&state=UNMATCHED')).at(-1)
  }
  const change = (
    one: { id: number; version: number; billing_account: { version: number } },
    more: Record<string, unknown>,
    who = ada,
  ) =>
    decide(
      one,
      'change-number',
      { routing_number: '121000248', account_version: one.billing_account?.version ?? 1, ...more },
      who,
    )

  test('changes the debited billing account, and is marked as applied', async () => {
    const [account] = await accounts()
    const stands = await notice('C03', '021000021   000987654321')
    expect(stands.billing_account).toMatchObject({ id: account.id, last_four: '6789', routing_number: '121000248' })
    const done = await change(stands, { routing_number: '021000021', account_number: '000987654321' })
    expect(done.body, JSON.stringify(done.body)).toMatchObject({ state: 'APPLIED', decided_by: { name: 'Ada' } })
    expect(await accounts()).toMatchObject([
      {
        id: account.id,
        routing_number: '021000021',
        account_number_last_four: '4321',
        nickname: account.nickname,
        version: account.version + 1,
      },
    ])
    expect((await change(done.body, { account_number: '000987654321' })).body).toMatchObject({
      status: 409,
      code: 'already-decided',
    })
    const { events } = (await ada.get(`/organizations/${account.organization_id}/history`)).body
    expect(events[0]).toMatchObject({ status: 'Billing account updated' })
    expect(JSON.stringify(events)).not.toContain('987654321')
  })

  test('keeps an omitted account number, and refuses a wrong routing number', async () => {
    const stands = await notice('C02', '021000021')
    expect((await change(stands, { routing_number: '021000022' })).body).toMatchObject({
      status: 422,
      errors: [{ path: 'routing_number' }],
    })
    expect((await change(stands, { routing_number: '021000021' })).body).toMatchObject({ state: 'APPLIED' })
    expect(await accounts()).toMatchObject([{ routing_number: '021000021', account_number_last_four: '6789' }])
  })

  test('is refused if the account has changed, or if no account has the debited number', async () => {
    const stands = await notice('C01', '000987654321')
    expect((await change(stands, { account_version: 7 })).body).toMatchObject({ status: 409, code: 'stale-version' })
    expect((await change(stands, { account_number: '000987654321' })).status).toBe(200)
    const next = await notice('C01', '000987654322')
    expect(next.billing_account).toBeNull()
    expect((await change(next, {})).body).toMatchObject({ status: 409, code: 'no-billing-account' })
    expect((await decide(next, 'dismiss')).body).toMatchObject({ state: 'DISMISSED' })
  })

  test('is refused for a code without a correction, and for a result that is no notice', async () => {
    expect((await change(await notice('C13', 'addenda'), {})).body).toMatchObject({ status: 409, code: 'not-a-notice' })
    await reportResult('R99', 1_00)
    expect((await change((await results('&state=UNMATCHED')).at(-1), {})).body).toMatchObject({
      status: 409,
      code: 'not-a-notice',
    })
  })

  test('needs the right to change billing accounts, without which its account number is masked', async () => {
    const stands = await notice('C01', '000987654321')
    const reader = await someoneWith(1)
    expect((await reader.get(`/bank-results/${stands.id}`)).body.addenda).toBe('••••4321')
    expect((await reader.get(`/bank-results?id=${stands.id}`)).body.bank_results[0].addenda).toBe('••••4321')
    expect((await change(stands, {}, reader)).status).toBe(403)
    expect(stands.addenda).toBe('000987654321')
  })
})
