import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { newDebtor, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'
import { keyed, createServer, type TestServer } from '#tests/support/server.ts'

// A Monday, so that the next banking day is the next day.
const monday = '2026-03-02'
const whole = 100_00
let server: TestServer
let bank: TestBank
let ada: Someone
let debtor: { employerId: number; organizationId: number }
let debit: Awaited<ReturnType<typeof debitedInvoice>>

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada')
})
afterAll(() => server.close())
beforeEach(async () => {
  await setToday(server.db, monday)
  bank = bankOf(server.db)
  debtor = await newDebtor(server)
})

const invoice = async () => (await ada.get(`/invoices/${debit.id}`)).body
const repayment = async () => (await ada.get(`/repayments/${debit.repaymentId}`)).body
const reportResult = (code: string, amount: number) => bank.says({ trace: debit.trace, code, amount })
async function recordReturns(amounts: readonly number[]): Promise<void> {
  for (const [at, amount] of amounts.entries()) {
    const { version } = await repayment()
    // Two returns of the same code and amount would be one.
    const said = { return_code: 'R10', amount, addenda: `by hand ${at}`, version, expected: await versionsOf(server, debit.id) }
    const back = await ada.post(`/repayments/${debit.repaymentId}/returns`, said, keyed())
    expect(back.status, JSON.stringify(back.body)).toBe(200)
  }
}
async function decide(name: 'book' | 'replace', ...others: number[]): Promise<void> {
  const [stands] = (await ada.get(`/bank-results?repayment-id=${debit.repaymentId}&state=UNMATCHED`)).body.bank_results
  const body = { reason: 'Asked the bank', version: stands.version, expected: await versionsOf(server, debit.id, ...others) }
  const decided = await ada.post(`/bank-results/${stands.id}/${name}`, body, keyed())
  expect(decided.body, JSON.stringify(decided.body)).toMatchObject({ state: 'BOOKED' })
}
const retry = async () =>
  ada.post(`/invoices/${debit.id}/retry`, { debit_date: '2026-03-03', version: (await invoice()).version }, keyed())

interface Story {
  debtor: 'EMPLOYER' | 'ORGANIZATION'
  /** Returned by the bank before anything else. */
  early: number
  /** Returns recorded by hand while the debit is in flight. */
  before: readonly number[]
  /** What the bank settles: nothing, the rest, or the whole debit (which has to be booked by hand). */
  settles: 'NOTHING' | 'REST' | 'WHOLE'
  /** Returns recorded by hand after that. */
  after: readonly number[]
  /** The final result of the bank, which differs from the returns by hand. */
  said: { code: 'R09' | 'SETTLED'; amount: number }
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0)

const stories: Story[] = (['EMPLOYER', 'ORGANIZATION'] as const).flatMap((of) =>
  [0, 15_00].flatMap((early) =>
    [[], [60_00], [20_00, 40_00], [whole - early]].flatMap((before) =>
      (['NOTHING', 'REST', 'WHOLE'] as const).flatMap((settles) =>
        [[], [10_00], [10_00, 15_00]].flatMap((after) =>
          [sumOf([...before, ...after]), 50_00, 70_00, whole - early].flatMap((amount) =>
            (['R09', 'SETTLED'] as const).map((code) => ({ debtor: of, early, before, settles, after, said: { code, amount } })),
          ),
        ),
      ),
    ),
  ),
)

/** Whether the story is possible and the returns by hand turn out wrong. */
function isPossible({ early, before, settles, after, said }: Story): boolean {
  const hands = sumOf([...before, ...after])
  const left = whole - early - sumOf(before)
  if (hands === 0 || hands > whole - early || said.amount > whole - early) return false
  if (settles === 'NOTHING') return said.code === 'R09' || said.amount === whole - early
  // A settlement after a return by hand is booked by a person, if it covers the whole debit.
  return left > 0 && said.code === 'R09' && (settles === 'REST' || before.length > 0)
}

const nameOf = ({ debtor: of, early, before, settles, after, said }: Story): string =>
  `${of}: back ${early}, by hand ${before.join('+') || 0}, settled ${settles}, by hand ${after.join('+') || 0}, ${said.code} ${said.amount}`

/** Every 13th story; covers each value of each field. */
const samples = [
  ...new Map(
    stories
      .filter(isPossible)
      .map((story) => [nameOf(story), story] as const)
      .filter((_, at) => at % 13 === 0),
  ),
]

test.each(samples)('results of the bank replace returns by hand, and decide what is paid: %s', async (_, story) => {
  const { employerId, organizationId } = debtor
  const of = { type: story.debtor, id: story.debtor === 'EMPLOYER' ? employerId : organizationId }
  debit = await debitedInvoice(server.db, bank, employerId, whole, of)
  if (story.early > 0) await reportResult('R01', story.early)
  await recordReturns(story.before)
  const rest = whole - story.early - sumOf(story.before)
  if (story.settles === 'REST') await reportResult('SETTLED', rest)
  if (story.settles === 'WHOLE') {
    await reportResult('SETTLED', whole)
    await decide('book')
  }
  await recordReturns(story.after)
  await reportResult(story.said.code, story.said.amount)
  await decide('replace')

  // Counted from the side of the bank: what it settled, less what it returned.
  const back = story.early + (story.said.code === 'R09' ? story.said.amount : 0)
  const settled = story.settles !== 'NOTHING' || story.said.code === 'SETTLED'
  const paid = settled ? whole - back : 0
  expect(await invoice()).toMatchObject({
    paid_amount: paid,
    outstanding_amount: whole - paid,
    in_flight_amount: settled ? 0 : whole - back,
  })
  expect(await repayment()).toMatchObject({ returned_amount: back })
  expect(await auditMoney(server.db)).toEqual([])

  if (!settled && back < whole) await reportResult('SETTLED', whole - back)
  if (back > 0) {
    expect((await retry()).body).toMatchObject({ status: 'SCHEDULED', ach: { amount: back } })
    await setToday(server.db, '2026-03-03')
    await bank.round()
    const again = bank.debits.at(-1)
    expect(again?.amount).toBe(back)
    await bank.says({ trace: again?.trace_number as string, code: 'SETTLED', amount: back })
  }
  // The bank keeps no more than the amount of the invoice.
  expect(sumOf(bank.debits.map((each) => each.amount)) - back).toBe(whole)
  expect(await invoice()).toMatchObject({ status: 'CLOSED', paid_amount: whole, outstanding_amount: 0, in_flight_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('money of the remainder that was allocated to another invoice stays there', async () => {
  const { employerId } = debtor
  debit = await debitedInvoice(server.db, bank, employerId)
  const other = await createInvoice(server.db, { employerId, original: 30_00 })
  await recordReturns([60_00])
  await reportResult('SETTLED', 40_00)
  const moved = await ada.put(
    `/repayments/${debit.repaymentId}/allocations`,
    {
      allocations: [
        { invoice_id: debit.id, amount: 15_00 },
        { invoice_id: other.id, amount: 20_00 },
      ],
      expected: await versionsOf(server, debit.id, other.id),
      version: (await repayment()).version,
    },
    keyed(),
  )
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  await reportResult('R10', 50_00)
  await decide('replace', other.id)
  // $5.00 were unallocated and were returned first, then $45.00 of the $75.00 and $20.00 in proportion.
  expect(await invoice()).toMatchObject({ paid_amount: 39_47 })
  expect((await ada.get(`/invoices/${other.id}`)).body).toMatchObject({ paid_amount: 10_53 })
  expect(await repayment()).toMatchObject({ returned_amount: 50_00, unallocated_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})
