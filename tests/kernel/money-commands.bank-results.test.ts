import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import book from '#commands/bank-result/book.ts'
import changeNumber from '#commands/bank-result/change-number.ts'
import dismiss from '#commands/bank-result/dismiss.ts'
import replace from '#commands/bank-result/replace.ts'
import collect from '#commands/invoice/collect.ts'
import unflag from '#commands/invoice/unflag.ts'
import recordLate from '#commands/repayment/record-late-return.ts'
import retryAch from '#commands/invoice/retry-ach.ts'
import allocate from '#commands/repayment/allocate.ts'
import recordReturn from '#commands/repayment/record-return.ts'
import { type BankResult, listBankResults } from '#contract/bank-results.ts'
import { changes } from '#kernel/command.ts'
import { biller, moneyHost } from '#tests/kernel/money-host.ts'
import { realClient } from '#tests/kernel/real-client.ts'
import { bankOf, debitedInvoice, setToday, type TestBank } from '#tests/support/bank.ts'
import { newDebtor } from '#tests/support/billing.ts'
import { createInvoice, createRepayment } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

const reason = 'Asked the bank'
let server: TestServer
let person: SignedIn
let host: ReturnType<typeof moneyHost>
let bank: TestBank
let employerId: number
let debit: Awaited<ReturnType<typeof debitedInvoice>>

beforeAll(async () => {
  server = await createServer()
  person = await personWith(server, [...biller, 1022])
  host = moneyHost(server, person)
  bank = bankOf(server.db)
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})
beforeEach(async () => {
  await setToday(server.db, '2026-03-02')
  employerId = (await newDebtor(server)).employerId
  debit = await debitedInvoice(server.db, bank, employerId)
})

const says = (code: string, amount: number, addenda = '') => bank.says({ trace: debit.trace, code, amount, addenda })
const byHand = (return_code: string, amount: number) =>
  host.execute(recordReturn, debit.repaymentId, { return_code, amount }, employerId)
const unmatched = async (): Promise<number> => {
  const query = { 'employer-id': String(employerId), state: 'UNMATCHED' }
  const { bank_results } = (await realClient(server, person).read(listBankResults, {}, query)) as { bank_results: BankResult[] }
  return bank_results[0]?.id as number
}

test('a settlement replaces a wrong manual return, and the preview shows the effect', async () => {
  await byHand('R01', 100_00)
  await says('SETTLED', 100_00)
  const id = await unmatched()
  expect(await host.state(book, id)).toMatchObject({ state: 'off' })
  await host.execute(replace, id, { reason }, employerId)
  expect(await host.state(replace, id)).toEqual({ state: 'off', sentence: 'This bank result was decided already.' })
})

test('a return replaces a smaller manual one, for settled money and for money in flight', async () => {
  await byHand('R01', 10_00)
  await says('R01', 40_00)
  await host.execute(replace, await unmatched(), { reason }, employerId)
  debit = await debitedInvoice(server.db, bank, employerId)
  await says('SETTLED', 100_00)
  await byHand('R10', 10_00)
  await says('R10', 100_00)
  await host.execute(replace, await unmatched(), { reason }, employerId)
})

test.each([
  { settled: true, code: 'R01', amount: 80_00 },
  { settled: true, code: 'R10', amount: 100_00 },
  { settled: false, code: 'R01', amount: 80_00 },
  { settled: false, code: 'R10', amount: 100_00 },
])('an invoice collected manually stays so: %j instead of a manual return', async ({ settled, code, amount }) => {
  if (settled) await says('SETTLED', 100_00)
  await byHand('R01', 100_00)
  await host.execute(collect, debit.id, {}, employerId)
  await says(code, amount)
  await host.execute(replace, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'SENT', outstanding_amount: settled ? amount : 100_00 })
})

test('a debit of which a cent was allocated elsewhere is returned and debited again', async () => {
  await says('SETTLED', 100_00)
  const other = await createInvoice(server.db, { employerId })
  const allocations = [
    { invoice_id: debit.id, amount: 99_99 },
    { invoice_id: other.id, amount: 1 },
  ]
  await host.execute(allocate, debit.repaymentId, { allocations }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'SENT', outstanding_amount: 1 })
  await says('R01', 40_00)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'PARTIALLY_RETURNED' })
  await host.execute(collect, debit.id, {}, employerId)
  await says('R01', 60_00)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'SENT', outstanding_amount: 100_00 })

  debit = await debitedInvoice(server.db, bank, employerId)
  await says('SETTLED', 100_00)
  allocations[0] = { invoice_id: debit.id, amount: 99_99 }
  await host.execute(allocate, debit.repaymentId, { allocations }, employerId)
  await byHand('R01', 100_00)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 100_00 })
  await says('R01', 100_00)
  await host.execute(retryAch, debit.id, { debit_date: '2026-03-03' }, employerId)
})

test('a return replaces a manual one, without which the bank settled the rest', async () => {
  await byHand('R01', 60_00)
  await says('SETTLED', 40_00)
  await says('R10', 50_00)
  await host.execute(replace, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'PARTIALLY_RETURNED', paid_amount: 50_00 })
})

test('a return is booked beside an identical earlier one, or dismissed, which is undone', async () => {
  await says('R01', 20_00)
  await says('R01', 20_00, 'again')
  const id = await unmatched()
  expect(await host.state(replace, id)).toEqual({
    state: 'off',
    sentence: 'There is no return recorded by hand that it could replace.',
  })
  const dismissed = await host.execute(dismiss, id, { reason }, employerId)
  expect((await host.undo(dismiss, dismissed))?.kind).toBe('done')
  await host.execute(book, id, { reason }, employerId)
  const reader = moneyHost(server, await personWith(server, [1]))
  for (const command of [book, replace, dismiss]) expect((await reader.state(command, id, [1])).state).toBe('locked')
})

test('a return is booked while a second debit is in flight, or of unallocated money', async () => {
  await says('R01', 40_00)
  await host.execute(retryAch, debit.id, { debit_date: '2026-03-03' }, employerId)
  await setToday(server.db, '2026-03-03')
  await bank.round()
  await says('R01', 40_00, 'again')
  await host.execute(book, await unmatched(), { reason }, employerId)

  debit = await debitedInvoice(server.db, bank, employerId)
  await says('SETTLED', 100_00)
  await host.execute(allocate, debit.repaymentId, { allocations: [{ invoice_id: debit.id, amount: 60_00 }] }, employerId)
  await says('R10', 50_00)
  await says('R10', 50_00, 'again')
  await host.execute(book, await unmatched(), { reason }, employerId)
})

test('a full return of a second debit leaves an invoice settled by another Partially Returned', async () => {
  await says('R01', 40_00)
  await host.execute(retryAch, debit.id, { debit_date: '2026-03-02' }, employerId)
  await bank.round()
  await says('SETTLED', 60_00)
  const second = bank.debits.at(-1)?.trace_number as string
  for (const addenda of ['', 'again']) await bank.says({ trace: second, code: 'R01', amount: 20_00, addenda })
  await host.execute(book, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'PARTIALLY_RETURNED' })
})

test('a settlement with an impossible date is booked after a second debit was returned', async () => {
  await says('R01', 40_00)
  await host.execute(retryAch, debit.id, { debit_date: '2026-03-02' }, employerId)
  await bank.round()
  await bank.says({ trace: bank.debits.at(-1)?.trace_number as string, code: 'R01', amount: 40_00 })
  await bank.says({ trace: debit.trace, code: 'SETTLED', amount: 60_00, on: '1990-01-01' })
  await host.execute(book, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 40_00 })
})

test('a late return is recorded with a reason; an unflagged debtor cannot be unflagged', async () => {
  const { id: invoiceId } = await createInvoice(server.db, { employerId, original: 30_00, status: 'CLOSED' })
  const { id } = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 30_00,
    date: -30,
    origin: 'ACH_ENTRY',
    allocations: [{ invoiceId, amount: 30_00 }],
  })
  await host.execute(recordLate, id, { return_code: 'R01', amount: 30_00, reason }, employerId)
  expect(await host.state(unflag, invoiceId)).toEqual({ state: 'off', sentence: 'This debtor is not flagged.' })
})

test('a result of an unknown debit is booked on a chosen repayment, with the right versions', async () => {
  await bank.says({ trace: '999000000000001', code: 'R01', amount: 100_00 })
  const query = { state: 'UNMATCHED', q: '999000000000001' }
  const { bank_results } = (await realClient(server, person).read(listBankResults, {}, query)) as { bank_results: BankResult[] }
  const [one] = bank_results
  const named = { reason, repayment_id: debit.repaymentId }
  const { preview, facts } = await host.shown(book, one, named)
  expect(JSON.stringify(preview)).toContain(`INV-${debit.id}`)
  expect(await host.run(book, one, named, facts)).toMatchObject({ kind: 'done', after: { state: 'BOOKED' } })
  // An unknown repayment is refused by the server: the form does not check it.
  await bank.says({ trace: '999000000000002', code: 'R01', amount: 1_00 })
  const unknownRepayment = { reason, repayment_id: 999_999_999 }
  expect((await host.shown(book, one, unknownRepayment)).preview).toEqual([])
})

test('a dishonor of a manual return is booked, with its effect on settled and pending money', async () => {
  const reset = async () => {
    debit = await debitedInvoice(server.db, bank, employerId)
  }
  // Settled and returned in full, settled and returned in part, returned in full and in part before it settled.
  for (const [settled, amount] of [
    [true, 100_00],
    [true, 40_00],
    [false, 100_00],
    [false, 40_00],
  ] as const) {
    if (settled) await says('SETTLED', 100_00)
    await byHand('R01', amount)
    await says('R68', amount)
    await host.execute(book, await unmatched(), { reason }, employerId)
    await reset()
  }
})

test('a dishonor and a contest with an impossible date are booked manually, with a preview', async () => {
  const on = '2026-02-01'
  const late = (code: string, amount: number) => bank.says({ trace: debit.trace, code, amount, on })
  await says('SETTLED', 100_00)
  await says('R01', 60_00)
  await says('R02', 40_00)
  await late('R67', 60_00)
  await host.execute(book, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'PARTIALLY_RETURNED', outstanding_amount: 40_00 })
  await late('R73', 60_00)
  await host.execute(book, await unmatched(), { reason }, employerId)
  expect(await host.read(collect, debit.id)).toMatchObject({ status: 'RETURNED', outstanding_amount: 100_00 })
})

test('a notice of change opens its billing account with the corrected data filled in', async () => {
  await says('C03', 0, '021000021   000987654321')
  const id = await unmatched()
  expect(await host.state(book, id)).toMatchObject({
    state: 'off',
    sentence: "A notice of change moves no money. Use 'Change number by notice of change', or dismiss it.",
  })
  const one = (await host.read(book, id)) as BankResult
  const start = changeNumber.form?.start?.(one, undefined as never) as { routing_number: string; account_number: string }
  expect(start).toEqual({ routing_number: '021000021', account_number: '000987654321' })
  await host.execute(changeNumber, id, { ...start, reason }, employerId)
  expect(await host.state(changeNumber, id)).toEqual({ state: 'off', sentence: 'This bank result was decided already.' })
  // Unreadable addenda are shown, and the values stay as they are.
  await says('C01', 0, 'see letter')
  const unread = (await host.read(book, await unmatched())) as BankResult
  expect(changes(changeNumber) && changeNumber.preview?.warning?.(unread)).toContain("The bank sent 'see letter'.")
  expect(changeNumber.form?.start?.(unread, undefined as never)).toEqual({})
  const reader = moneyHost(server, await personWith(server, [1]))
  expect((await reader.state(changeNumber, id, [1])).state).toBe('locked')
})
