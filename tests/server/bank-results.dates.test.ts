import { beforeEach, describe, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { type Billing, billing, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

const monday = '2026-03-02'
const whole = 147_99
let made: Billing
let bank: TestBank
let debit: Awaited<ReturnType<typeof debitedInvoice>>

billing((given) => {
  made = given
})
beforeEach(async () => {
  await setToday(made.server.db, monday)
  bank = bankOf(made.server.db)
  debit = await debitedInvoice(made.server.db, bank, made.employerId, whole)
})

const reportResult = (code: string, amount: number, more: { on?: string } = {}) =>
  bank.says({ trace: debit.trace, code, amount, ...more })
const invoice = async () => (await made.ada.get(`/invoices/${debit.id}`)).body
const results = async (query = '') =>
  (await made.ada.get(`/bank-results?repayment-id=${debit.repaymentId}${query}`)).body.bank_results
/** Creates a person with these permissions and returns a function that calls as this person. */
async function poster(...permissions: number[]) {
  const headers = await signInAs(made.server, await createPerson(made.server.db, { permissions }))
  return { post: (path: string, body: unknown) => call(made.server, 'POST', path, { headers: keyed(headers), body }) }
}
const book = async (result: { id: number; version: number }, who: Pick<typeof made.ada, 'post'> = made.ada) =>
  who.post(
    `/bank-results/${result.id}/book`,
    {
      reason: 'Asked the bank',
      version: result.version,
      expected: await versionsOf(made.server, debit.id),
    },
    keyed(),
  )

describe('a date on which the bank cannot have answered', () => {
  test.each([
    ['before the debit', 'SETTLED', '1990-01-01', monday],
    ['four years ahead', 'SETTLED', '2030-01-01', '2026-03-04'],
    ['before the debit', 'R01', '2020-01-01', monday],
  ])('%s: %s of %s is an open result, and counts from %s once it is booked', async (_, code, on, counts) => {
    await setToday(made.server.db, '2026-03-04')
    expect(await reportResult(code, whole, { on })).toMatchObject({ settled: 0, returned: 0, unmatched: 1 })
    const [stands] = await results('&state=UNMATCHED')
    expect(stands).toMatchObject({ problem: 'DATE_WRONG', effective_date: on, debit: { debited_on: monday, settled_on: null } })
    expect(await invoice()).toMatchObject({ status: 'PROCESSING', in_flight_amount: whole })
    expect((await book(stands)).status).toBe(200)
    const booked = (await made.ada.get(`/repayments?debtor-id=${made.employerId}&debtor-type=EMPLOYER`)).body.repayments.at(-1)
    expect(booked).toMatchObject({ effective_date: counts })
    expect(await auditMoney(made.server.db)).toEqual([])
  })

  test('the return window is judged by the day that counts', async () => {
    await reportResult('SETTLED', whole)
    await reportResult('R01', whole, { on: '2031-03-02' })
    const [stands] = await results('&state=UNMATCHED')
    expect(stands).toMatchObject({ problem: 'DATE_WRONG', as_of: monday })
    // Two banking days after Monday is Wednesday.
    await setToday(made.server.db, '2026-03-05')
    const without = await poster(1, 1001)
    expect((await book(stands, without)).status).toBe(403)
    await setToday(made.server.db, '2026-03-04')
    expect((await book(stands, without)).body).toMatchObject({ state: 'BOOKED' })
  })

  test('a result dated a few days ahead is held until then', async () => {
    expect(await reportResult('SETTLED', whole, { on: '2026-03-05' })).toMatchObject({ settled: 0, unmatched: 0 })
    await setToday(made.server.db, '2026-03-05')
    expect(await bank.round()).toMatchObject({ settled: 1, unmatched: 0 })
  })
})

test('equal results on two dates are two; on one date they are one, however often they are read', async () => {
  await setToday(made.server.db, '2026-03-04')
  await reportResult('R01', 10_00, { on: monday })
  await reportResult('R01', 10_00, { on: '2026-03-03' })
  await reportResult('R01', 10_00, { on: '2026-03-03' })
  expect((await results()).map((one: { state: string; problem: string | null }) => [one.state, one.problem]).sort()).toEqual([
    ['BOOKED', null],
    ['UNMATCHED', 'REPEATED'],
  ])
  await reportResult('SETTLED', whole, { on: '2026-03-03' })
  await reportResult('SETTLED', whole, { on: '2026-03-04' })
  expect((await results('&problem=SETTLED_BEFORE')).length).toBe(1)
})
