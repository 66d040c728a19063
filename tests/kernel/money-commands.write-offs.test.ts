import { afterAll, beforeAll, expect, test } from 'vitest'
import approveDeduction from '#commands/deduction/approve.ts'
import confirm from '#commands/deduction/confirm.ts'
import deliver from '#commands/deduction/deliver.ts'
import approveOfInvoice from '#commands/invoice/approve-deduction.ts'
import suggest from '#commands/invoice/suggest-write-offs.ts'
import approve from '#commands/write-off/approve.ts'
import reject from '#commands/write-off/reject.ts'
import reopenInvoice from '#commands/write-off/reopen-invoice.ts'
import reverse from '#commands/write-off/reverse.ts'
import type { Deduction } from '#contract/deductions.ts'
import type { Invoice } from '#contract/invoices.ts'
import type { WriteOff } from '#contract/write-offs.ts'
import { commentLimit } from '#domain/write-off.ts'
import { writeOff as writeOffEntity } from '#entities/write-off.ts'
import { changes } from '#kernel/command.ts'
import { runMany } from '#kernel/bulk.ts'
import { amountWords, foretell } from '#kernel/run-amounts.ts'
import { formOf } from '#kernel/form.ts'
import type { Outcome } from '#kernel/run.ts'
import { biller, everyone, moneyHost } from '#tests/kernel/money-host.ts'
import { newDebtor } from '#tests/support/billing.ts'
import { createInvoice, createWriteOff, type InvoiceInput } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'

const never = new AbortController().signal
let server: TestServer
let host: ReturnType<typeof moneyHost>
let other: ReturnType<typeof moneyHost>

beforeAll(async () => {
  server = await createServer()
  host = moneyHost(server, await personWith(server, biller))
  other = moneyHost(server, await personWith(server, biller, 'Alex Other'))
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})

async function invoiceOf(input: Partial<InvoiceInput> = {}) {
  const { employerId } = await newDebtor(server)
  return { employerId, ...(await createInvoice(server.db, { employerId, ...input })) }
}
const suggestions = (lineIds: readonly number[], amount: number) =>
  lineIds.map((line_id) => ({ line_id, amount, reason: 'EMPLOYEE_TERMINATED' }))
const writeOffIds = (outcome: { answers: readonly unknown[] }): number[] =>
  (outcome.answers[0] as { write_offs: WriteOff[] }).write_offs.map((each) => each.id)

test('[WOF-001, SCR-061] suggestions need a reason and an amount within the line, and errors name the line', async () => {
  const { id, lineIds } = await invoiceOf({ lineCount: 3, original: 90_00 })
  const one = await host.read<Invoice>(suggest, id)
  const [first, second] = lineIds as [number, number]
  const without = await host.shown(suggest, one, { suggestions: [{ line_id: first, amount: 10_00 }] })
  expect(without.wrong).toEqual([{ path: 'suggestions.0.reason', message: 'This is a required field.' }])
  const tooMuch = await host.shown(suggest, one, {
    suggestions: [...suggestions([first], 30_00), ...suggestions([second], 30_01)],
  })
  expect(tooMuch.wrong).toEqual([
    { path: 'suggestions.1.amount', message: 'The suggested amount cannot exceed what the line owes: $30.00.' },
  ])
  expect((await host.shown(suggest, one, { suggestions: [] })).wrong[0]?.message).toBe('Choose at least one employee.')
})

test('[WOF-002..005] suggested by one, approved in part by another, reversed', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ lineCount: 2, original: 80_00 })
  const done = await host.execute(suggest, id, { suggestions: suggestions(lineIds, 40_00) }, employerId)
  const [mine, rest] = writeOffIds(done.outcome) as [number, number]
  expect(await host.state(approve, mine)).toEqual({
    state: 'off',
    sentence: 'Somebody else has to approve what you suggested.',
  })
  const one = await other.read<WriteOff>(approve, mine)
  for (const [amount, sentence] of [
    [40_01, 'The approved amount cannot exceed the suggested amount.'],
    [0, 'The approved amount cannot be zero or negative.'],
    [-1, 'The approved amount cannot be zero or negative.'],
  ] as const)
    expect((await other.shown(approve, one, { amount, reason: 'Left' })).wrong, String(amount)).toEqual([
      { path: 'amount', message: sentence },
    ])
  expect((await other.shown(approve, one, { amount: 1_00 })).wrong).toEqual([
    { path: 'reason', message: 'This is a required field.' },
  ])
  expect(
    (await other.shown(approve, one, { amount: 1_00, reason: 'x', comments: 'x'.repeat(commentLimit + 1) })).wrong[0],
  ).toEqual({
    path: 'comments',
    message: expect.stringContaining(String(commentLimit)),
  })
  const approved = await other.execute(approve, mine, { amount: 25_00, reason: 'Left the company' }, employerId)
  expect(approved.outcome.after).toMatchObject({ status: 'APPROVED', approved_amount: 25_00 })
  await other.execute(reverse, mine, { reason: 'By mistake' }, employerId)
  await other.execute(reject, rest, { reason: 'Still employed' }, employerId)
  expect(await other.state(reject, rest)).toEqual({ state: 'off', sentence: 'This write-off is already rejected.' })
})

test('[INV-018, SCR-062] a write-off of the full amount closes the invoice and its debit; undone, it stays closed', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ status: 'SCHEDULED', original: 50_00 })
  const done = await host.execute(suggest, id, { suggestions: suggestions(lineIds, 50_00) }, employerId)
  const [writeOff] = writeOffIds(done.outcome) as [number]
  const approved = await other.execute(approve, writeOff, { amount: 50_00, reason: 'Left' }, employerId)
  expect(approved.preview).toEqual(
    expect.arrayContaining([
      { of: `INV-${id}`, what: 'status', before: 'Scheduled', after: 'Paid' },
      { of: `INV-${id}`, what: 'debit', before: '$50.00', after: 'none' },
    ]),
  )
  const off = 'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.'
  expect(await other.state(reverse, writeOff)).toEqual({ state: 'off', sentence: off })
  // An undo that the state forbids is offered neither in the toast nor in the history; the reason is shown.
  expect(await other.undoOf(approve, approved)).toEqual({ sentence: off })
  expect(await other.undo(approve, approved)).toBeNull()
  // The write-off offers the required first step; after it the reversal works.
  expect(await other.state(reopenInvoice, writeOff)).toMatchObject({ state: 'ready' })
  await other.execute(reopenInvoice, writeOff, {}, employerId)
  expect(await other.state(reopenInvoice, writeOff)).toEqual({
    state: 'off',
    sentence: 'The invoice of this write-off is not closed.',
  })
  await other.execute(reverse, writeOff, { reason: 'Wrong' }, employerId)
})

test('[SCR-061] a concurrent suggestion is neither offered nor counted in the totals', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ lineCount: 3, original: 90_00 })
  const [first, second] = lineIds as [number, number]
  await other.execute(suggest, id, { suggestions: suggestions([first], 30_00) }, employerId)
  const { lines } = await host.shown(suggest, await host.read<Invoice>(suggest, id), {
    suggestions: suggestions([first, second], 20_00),
  })
  expect(lines?.lines.map((line) => [line.id === first, line.moves])).toEqual([
    [false, 20_00],
    [false, 0],
  ])
  expect(lines?.sums).toEqual([
    { title: 'Owed on this invoice', cents: 90_00 },
    { title: 'Suggested, 1 employee', cents: 20_00 },
    { title: 'Owed if approved', cents: 70_00 },
  ])
})

test('[SCR-061] a suggestion is undone by rejecting it, and an approval by reversing it', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ original: 50_00 })
  const done = await host.execute(suggest, id, { suggestions: suggestions(lineIds, 10_00) }, employerId)
  expect(await host.undo(suggest, done)).toMatchObject({ kind: 'done' })
  const again = await host.execute(suggest, id, { suggestions: suggestions(lineIds, 10_00) }, employerId)
  const [writeOff] = writeOffIds(again.outcome) as [number]
  const approved = await other.execute(approve, writeOff, { amount: 10_00, reason: 'Left' }, employerId)
  const undone = await other.undo(approve, approved)
  expect(undone).toMatchObject({ after: { status: 'REVERSED' } })
  // It leads to another state than before, and says which.
  const { after } = undone as Extract<Outcome, { kind: 'done' }>
  const title = writeOffEntity.title(after as WriteOff)
  expect(changes(approve) && approve.undo?.done?.(after)).toBe(
    `Reversed the write-off of ${title}. It is not pending again: suggest it again to have it decided.`,
  )
  expect(await other.read<Invoice>(suggest, id)).toMatchObject({ writeoff_amount: 0, outstanding_amount: 50_00 })
})

test('several write-offs are approved at once, each with the version of its invoice', async () => {
  const rows: WriteOff[] = []
  for (const { id, lineIds } of [await invoiceOf(), await invoiceOf()]) {
    const waiting = await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 10_00 })
    rows.push(await host.read(approve, waiting.id))
  }
  const done = await runMany(approve, rows, { amount: 10_00, reason: 'Left' }, host.io(approve), () => undefined, never)
  expect(done).toMatchObject([{ state: 'done' }, { state: 'done' }])
})

test('write-offs of one invoice are approved in sequence, each in full without an amount', async () => {
  const { id, lineIds } = await invoiceOf({ lineCount: 6, original: 600_00 })
  const rows: WriteOff[] = []
  for (const [at, lineId] of lineIds.entries()) {
    const waiting = await createWriteOff(server.db, { invoiceId: id, lineId, amount: 10_00 + at })
    rows.push(await host.read(approve, waiting.id))
  }
  const done = await runMany(approve, rows, { reason: 'Left' }, host.io(approve), () => undefined, never)
  expect(done.map(({ state, sentence }) => [state, sentence])).toEqual(
    rows.map((row, at) => ['done', `Approved $10.0${at} of the write-off of ${writeOffEntity.title(row)}`]),
  )
  expect(await host.read<Invoice>(suggest, id)).toMatchObject({ writeoff_amount: 60_15, outstanding_amount: 539_85 })
  for (const [at, { id: each }] of rows.entries())
    expect(await host.read(approve, each)).toMatchObject({ status: 'APPROVED', approved_amount: 10_00 + at })
})

test('several write-offs show their total: in full or the typed amount each, and the rest', async () => {
  const { id, lineIds } = await invoiceOf({ lineCount: 2, original: 80_00 })
  const rows: WriteOff[] = []
  for (const [at, lineId] of lineIds.entries())
    rows.push(
      await host.read(approve, (await createWriteOff(server.db, { invoiceId: id, lineId, amount: [33_00, 11_00][at] ?? 0 })).id),
    )
  const validated = (params: object) => foretell(approve, rows, { ...params }, everyone)
  const says = (params: object) => {
    const { amounts } = validated(params)
    return amounts && amountWords(approve, { ...params }, amounts)
  }
  expect(validated({}).amounts).toEqual({ moved: 44_00, left: 0 })
  expect(says({})).toBe('$44.00 approved, each in full.')
  expect(validated({ amount: 5_00 }).amounts).toEqual({ moved: 10_00, left: 34_00 })
  expect(says({ amount: 5_00 })).toBe('$10.00 approved ($5.00 of each), $34.00 rejected.')
  // An amount above the suggestion of one is ineligible for that one.
  expect(validated({ amount: 12_00 })).toMatchObject({
    eligible: [rows[0]],
    amounts: { moved: 12_00, left: 21_00 },
    reasons: [{ sentence: 'The approved amount cannot exceed the suggested amount.', count: 1 }],
  })
  // The form of several starts without an amount; that of one requires it.
  const [many, one] = [formOf(approve, everyone), formOf(approve, everyone, rows[0])]
  expect(many?.safeParse({ reason: 'Left' }).success).toBe(true)
  expect(one?.safeParse({ reason: 'Left' }).success).toBe(false)
})

test('[ERR-034] an invoice that changed after its amounts were shown is not written off', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ lineCount: 2, original: 80_00 })
  const { id: waiting } = await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 40_00 })
  const one = await host.read<WriteOff>(approve, waiting)
  const { facts } = await host.shown(approve, one, { amount: 40_00, reason: 'Left' })
  await other.execute(suggest, id, { suggestions: suggestions(lineIds.slice(1), 1_00) }, employerId)
  const sentence =
    'There was a problem with the Write-off request, or your Invoice Status has changed. Refresh the page and try again.'
  expect(await host.run(approve, one, { amount: 40_00, reason: 'Left' }, facts)).toMatchObject({ kind: 'refused', sentence })
  const seen = await host.read<Invoice>(suggest, id)
  await other.execute(approve, waiting, { amount: 1_00, reason: 'Left' }, employerId)
  expect(await host.run(suggest, seen, { suggestions: suggestions(lineIds, 1_00) }, undefined)).toMatchObject({ sentence })
})

test('[DED-006, WOF-006] a deduction waits for its write-offs, and is approved with its invoice', async () => {
  const { id, employerId, lineIds, deductionId } = await invoiceOf({ status: 'ON_DEDUCTION_FILE', original: 60_00 })
  const { id: waiting } = await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 10_00 })
  const off = { state: 'off', sentence: 'Approve is not possible while write-offs are pending.' }
  expect(await host.state(approveDeduction, deductionId as number)).toEqual(off)
  expect(await host.state(approveOfInvoice, id)).toEqual(off)
  await host.execute(reject, waiting, { reason: 'No' }, employerId)
  const { preview } = await host.execute(approveDeduction, deductionId as number, {}, employerId)
  expect(preview).toEqual([
    { of: `Deduction of INV-${id}`, what: 'status', before: 'Pending', after: 'Approved' },
    { of: `INV-${id}`, what: 'status', before: 'In Review', after: 'Approved' },
  ])
})

test('[INV-018] approving the deduction of an invoice that owes nothing closes it, as previewed', async () => {
  const { id, employerId, lineIds } = await invoiceOf({ status: 'ON_DEDUCTION_FILE', original: 60_00 })
  const { id: waiting } = await createWriteOff(server.db, { invoiceId: id, lineId: lineIds[0] as number, amount: 60_00 })
  await host.execute(approve, waiting, { amount: 60_00, reason: 'Left' }, employerId)
  const { preview } = await host.execute(approveOfInvoice, id, {}, employerId)
  expect(preview).toContainEqual({ of: `INV-${id}`, what: 'status', before: 'In Review', after: 'Paid' })
})

test.each([
  ['NONE', 'DELIVERED'],
  ['SINGLE', 'WAITING_CONFIRMATION'],
] as const)('a file is delivered: with confirmations %s it is %s', async (confirmationFlow, status) => {
  const { employerId, deductionId } = await invoiceOf({ status: 'DEDUCTION_APPROVED', confirmationFlow })
  const { outcome } = await host.execute(deliver, deductionId as number, {}, employerId)
  expect(outcome.after).toMatchObject({ status })
})

test('a single confirmation file covers everybody: full amounts by default, one line changed', async () => {
  const { employerId, deductionId, lineIds } = await invoiceOf({
    status: 'DEDUCTION_APPROVED',
    confirmationFlow: 'SINGLE',
    lineCount: 2,
    original: 60_00,
  })
  const id = deductionId as number
  await host.execute(deliver, id, {}, employerId)
  const one = await host.read<Deduction>(confirm, id)
  expect((await host.shown(confirm, one, {})).lines?.sums).toEqual([
    { title: 'Asked for', cents: 60_00 },
    { title: 'Withheld, 2 employees', cents: 60_00 },
    { title: 'Not withheld', cents: 0 },
  ])
  const [first, second] = lineIds as [number, number]
  const typed = [
    { line_id: first, withheld_amount: 0 },
    { line_id: second, withheld_amount: 30_00 },
  ]
  // No later file covers the others.
  expect((await host.shown(confirm, one, { confirmations: typed.slice(0, 1) })).wrong).toEqual([
    { path: 'confirmations', message: expect.stringMatching(/^1 employee without an amount/) },
  ])
  expect((await host.shown(confirm, one, { confirmations: typed })).wrong).toEqual([])
  const { outcome } = await host.execute(confirm, id, { confirmations: typed }, employerId)
  expect(outcome.after).toMatchObject({ status: 'DELIVERED', confirmed_amount: 30_00 })
})

test('a confirmation sent as suggested means that everything was withheld', async () => {
  const { employerId, deductionId } = await invoiceOf({
    status: 'DEDUCTION_APPROVED',
    confirmationFlow: 'SINGLE',
    lineCount: 3,
    original: 90_00,
  })
  await host.execute(deliver, deductionId as number, {}, employerId)
  const { outcome } = await host.execute(confirm, deductionId as number, {}, employerId)
  expect(outcome.after).toMatchObject({ confirmed_amount: 90_00 })
})

test('confirmations arrive in several files; the last one ends the waiting, as previewed', async () => {
  const { employerId, deductionId, lineIds } = await invoiceOf({
    status: 'DEDUCTION_APPROVED',
    confirmationFlow: 'MULTIPLE',
    lineCount: 2,
    original: 60_00,
  })
  const id = deductionId as number
  await host.execute(deliver, id, {}, employerId)
  const one = await host.read<Deduction>(confirm, id)
  const [first, second] = lineIds as [number, number]
  const tooMuch = { confirmations: [{ line_id: first, withheld_amount: 30_01 }] }
  expect((await host.shown(confirm, one, {})).lines?.lines.map((line) => line.moves)).toEqual([0, 0])
  expect((await host.shown(confirm, one, {})).wrong).toEqual([
    { path: 'confirmations', message: 'Confirm at least one employee.' },
  ])
  expect((await host.shown(confirm, one, tooMuch)).wrong).toEqual([
    { path: 'confirmations.0.withheld_amount', message: 'The withheld amount cannot exceed what was asked for: $30.00.' },
  ])
  expect((await host.shown(confirm, one, { confirmations: [{ line_id: first, withheld_amount: -1 }] })).wrong).toEqual([
    { path: 'confirmations.0.withheld_amount', message: 'The withheld amount cannot be less than 0.' },
  ])
  await host.execute(confirm, id, { confirmations: [{ line_id: first, withheld_amount: 30_00 }] }, employerId)
  const { outcome } = await host.execute(confirm, id, { confirmations: [{ line_id: second, withheld_amount: 5_00 }] }, employerId)
  expect(outcome.after).toMatchObject({ status: 'DELIVERED', confirmed_amount: 35_00 })
  expect(await host.state(confirm, id)).toEqual({ state: 'off', sentence: 'Actions unavailable when in Delivered.' })
})
