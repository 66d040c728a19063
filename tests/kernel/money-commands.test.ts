import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import cancelRefund from '#commands/invoice/cancel-refund.ts'
import close from '#commands/invoice/close.ts'
import collect from '#commands/invoice/collect.ts'
import edit from '#commands/invoice/edit.ts'
import payBySelf from '#commands/invoice/pay-by-self.ts'
import refund from '#commands/invoice/refund.ts'
import reopen from '#commands/invoice/reopen.ts'
import retryAch from '#commands/invoice/retry-ach.ts'
import rollover from '#commands/invoice/rollover.ts'
import type { Invoice } from '#contract/invoices.ts'
import { addBusinessDays, addDays, isBusinessDay } from '#domain/calendar.ts'
import { noPermission } from '#domain/permissions.ts'
import { changes, type Command } from '#kernel/command.ts'
import { biller, moneyHost } from '#tests/kernel/money-host.ts'
import { newDebtor } from '#tests/support/billing.ts'
import { createBillingAccount, createInvoice, type InvoiceInput, setRolloverPercentage } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'
import { personWith } from '#tests/support/session.ts'

let server: TestServer
let host: ReturnType<typeof moneyHost>

beforeAll(async () => {
  server = await createServer()
  host = moneyHost(server, await personWith(server, biller))
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})

const debtor = () => newDebtor(server)
const invoiceOf = (employerId: number, input: Partial<InvoiceInput> = {}) => createInvoice(server.db, { employerId, ...input })

/** An employer with a closed invoice of $100.00, paid with $130.00. */
async function overpaid(status: 'CLOSED' | 'SENT' = 'CLOSED') {
  const { employerId, organizationId } = await debtor()
  await setRolloverPercentage(server.db, { employerId }, 1_000)
  return { employerId, organizationId, ...(await invoiceOf(employerId, { status, paid: 130_00 })) }
}

test('[INV-016, SCR-053] closing shows the resulting status, and is undone', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId)
  const done = await host.execute(close, id, { notes: 'Paid in cash' }, employerId)
  expect(done.outcome).toMatchObject({ sentence: `Closed INV-${id}`, after: { status: 'CLOSED' } })
  expect(done.preview).toEqual([{ of: `INV-${id}`, what: 'status', before: 'Sent', after: 'Paid' }])
  expect(await host.undo(close, done)).toMatchObject({ kind: 'done', after: { status: 'SENT' } })
})

test('[INV-016] closing a Returned invoice has no undo: reopening would make it Sent', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId, { status: 'RETURNED' })
  expect(await host.undo(close, await host.execute(close, id, {}, employerId))).toBeNull()
})

test('[INV-017] reopening is undone', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId, { status: 'CLOSED' })
  const done = await host.execute(reopen, id, {}, employerId)
  // It had closed automatically; closed manually it would stay Paid when a payment is returned.
  expect(await host.undo(reopen, done)).toBeNull()
  const again = await invoiceOf(employerId, { original: 50_00 })
  await host.execute(close, again.id, {}, employerId)
  const opened = await host.execute(reopen, again.id, {}, employerId)
  expect(await host.undo(reopen, opened)).toMatchObject({ after: { status: 'CLOSED' } })
})

test('[INV-019, INV-020] every action is refused by state with its sentence, and locked without the permission', async () => {
  const { employerId } = await debtor()
  const [draft, processing, sent] = await Promise.all(
    (['DRAFT', 'PROCESSING', 'SENT'] as const).map((status) => invoiceOf(employerId, { status })),
  )
  const inDraft = { state: 'off', sentence: 'Actions unavailable when in Draft.' }
  const awaited = {
    state: 'off',
    sentence: 'Cannot Edit invoice. A submission has been made, results are being processed',
  }
  for (const command of [close, reopen, collect, retryAch, refund, rollover, payBySelf, cancelRefund] as Command[]) {
    expect(await host.state(command, draft?.id as number), command.id).toEqual(inDraft)
    expect(await host.state(command, processing?.id as number), command.id).toEqual(awaited)
  }
  expect(await host.state(edit, processing?.id as number)).toEqual(awaited)
  for (const command of [close, edit, refund, rollover] as Command[])
    expect(await host.state(command, sent?.id as number, [1]), command.id).toEqual({
      state: 'locked',
      sentence: noPermission,
      lacks: ['write:billing'],
      last: 'and',
    })
})

test('a due date is changed, not before the issue date, and undone', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId)
  const one = await host.read<Invoice>(edit, id)
  expect((await host.shown(edit, one, { due_date: addDays(one.issue_date, -1) })).wrong).toEqual([
    { path: 'due_date', message: 'The due date cannot be before the issue date.' },
  ])
  const done = await host.execute(edit, id, { due_date: addDays(one.due_date, 7) }, employerId)
  expect(await host.undo(edit, done)).toMatchObject({ after: { due_date: one.due_date } })
})

test('changing a due date moves the waiting debit, as the form shows, and undo moves it back', async () => {
  const { employerId } = await debtor()
  await sql`insert into lms_configurations (employer_id, payment_method, ach_processing_days)
    values (${employerId}, 'AUTO_ACH', 3)`.execute(server.owner)
  const { id } = await invoiceOf(employerId, { status: 'SCHEDULED' })
  // Another date than the terms give: they changed since, or a person chose it.
  await sql`update ach_debits set debit_date = '2027-03-01' where invoice_id = ${id}`.execute(server.db)
  const one = await host.read<Invoice>(edit, id)
  const due_date = addDays(one.due_date, 30)
  const done = await host.execute(edit, id, { due_date }, employerId)
  const after = addBusinessDays(due_date, -3)
  expect(done.preview).toContainEqual({ of: `INV-${id}`, what: 'debit date', before: one.ach?.debit_date, after })
  expect(await host.undo(edit, done)).toMatchObject({
    after: { due_date: one.due_date, ach: { debit_date: one.ach?.debit_date } },
  })
})

test('switching to self pay shows that the debit is cancelled', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId, { status: 'SCHEDULED' })
  const { preview } = await host.execute(payBySelf, id, {}, employerId)
  expect(preview).toContainEqual({ of: `INV-${id}`, what: 'debit', before: '$100.00', after: 'none' })
})

test('a debit is retried on a business day, which the form shows', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId, { status: 'RETURNED' })
  const one = await host.read<Invoice>(retryAch, id)
  let off = addDays(one.as_of, 1)
  while (isBusinessDay(off)) off = addDays(off, 1)
  expect((await host.shown(retryAch, one, { debit_date: off })).wrong[0]?.message).toContain('Banks do not work on that day.')
  expect((await host.shown(retryAch, one, { debit_date: addDays(one.as_of, -1) })).wrong[0]?.message).toBe(
    'The debit date cannot be in the past.',
  )
  const start = changes(retryAch as Command) ? retryAch.form?.start?.(one, {} as never) : {}
  const { preview, outcome } = await host.execute(retryAch, id, start as never, employerId)
  // In readable form, not as on the API.
  expect(outcome.sentence).toMatch(/ is debited again on \d{1,2} \w{3} \d{4}$/)
  expect(preview).toContainEqual({ of: `INV-${id}`, what: 'debit', before: 'none', after: '$100.00' })
})

test('a returned debit is collected manually', async () => {
  const { employerId } = await debtor()
  const { id } = await invoiceOf(employerId, { status: 'RETURNED' })
  await host.execute(collect, id, {}, employerId)
})

test('[INV-022, INV-023, INV-024, SCR-060] a rollover shows the resulting state of both invoices', async () => {
  const { employerId, id } = await overpaid()
  const next = await invoiceOf(employerId, { status: 'DRAFT', original: 200_00 })
  const one = await host.read<Invoice>(rollover, id)
  expect(rollover.form?.start?.(one, {} as never)).toEqual({ amount: 10_00 })
  for (const [amount, sentence] of [
    [-1, 'The rollover amount cannot be less than 0.'],
    [140_00, 'The rollover amount cannot be more than the paid amount.'],
    [31_00, 'The remaining amount cannot be negative. $30.00 is overpaid.'],
    [10_01, 'At most 10% of the invoice may roll over: $10.00.'],
  ] as const)
    expect((await host.shown(rollover, one, { amount })).wrong, String(amount)).toEqual([{ path: 'amount', message: sentence }])
  const { preview } = await host.execute(rollover, id, { amount: 10_00, notes: 'Asked for' }, employerId)
  expect(preview).toEqual([
    { of: `INV-${id}`, what: 'paid', before: '$130.00', after: '$120.00' },
    { of: `INV-${id}`, what: 'outstanding', before: '−$30.00', after: '−$20.00' },
    { of: next.number, what: 'rollover', before: '$0.00', after: '$10.00' },
    { of: next.number, what: 'invoice', before: '$200.00', after: '$190.00' },
    { of: next.number, what: 'outstanding', before: '$200.00', after: '$190.00' },
  ])
})

test('[INV-018, SCR-060] a rollover of a reopened invoice closes it, and the preview says so', async () => {
  const { employerId, id } = await overpaid('SENT')
  await invoiceOf(employerId, { status: 'DRAFT', original: 200_00 })
  const { preview } = await host.execute(rollover, id, { amount: 10_00 }, employerId)
  expect(preview).toContainEqual({ of: `INV-${id}`, what: 'status', before: 'Sent', after: 'Paid' })
})

test('[SCR-060] a rollover without a next invoice, or to one that owes less, is refused in the form', async () => {
  const { employerId, id } = await overpaid()
  const alone = await host.read<Invoice>(rollover, id)
  const first = await host.shown(rollover, alone, { amount: 10_00 })
  expect(first).toMatchObject({
    preview: [],
    wrong: [{ path: 'amount', message: 'There is no next invoice that could take this money. Refund it, or pay it back.' }],
  })
  expect(await host.run(rollover, alone, { amount: 10_00 }, first.facts)).toMatchObject({
    kind: 'refused',
    sentence: first.wrong[0]?.message,
  })
  await invoiceOf(employerId, { status: 'DRAFT', original: 5_00 })
  const second = await host.shown(rollover, alone, { amount: 10_00 })
  expect(second.wrong[0]?.message).toContain('owes $5.00, so no more than that can roll over.')
  expect(await host.run(rollover, alone, { amount: 10_00 }, second.facts)).toMatchObject({
    kind: 'refused',
    sentence: second.wrong[0]?.message,
  })
})

test('[INV-025, INV-026] several bank accounts block refund and rollover', async () => {
  const { id, organizationId } = await overpaid()
  await createBillingAccount(server.db, { organizationId })
  await createBillingAccount(server.db, { organizationId, accountNumber: '000987654321' })
  expect(await host.state(refund, id)).toEqual({
    state: 'off',
    sentence: 'Refund is not possible for employers with multiple bank accounts.',
  })
  expect(await host.state(rollover, id)).toEqual({
    state: 'off',
    sentence: 'Credit is not possible for employers with multiple bank accounts.',
  })
})

test('[INV-021, SCR-059] a refund waits without a next invoice, and is undone', async () => {
  const { employerId, id } = await overpaid()
  const done = await host.execute(refund, id, { amount: 30_00 }, employerId)
  expect(done.preview).toEqual([
    { of: `INV-${id}`, what: 'paid', before: '$130.00', after: '$100.00' },
    { of: `INV-${id}`, what: 'outstanding', before: '−$30.00', after: '$0.00' },
    { of: `INV-${id}`, what: 'status', before: 'Paid', after: 'Refund In Progress' },
    { of: `INV-${id}`, what: 'pending refund', before: '$0.00', after: '$30.00' },
  ])
  expect(await host.undo(refund, done)).toMatchObject({ after: { status: 'CLOSED', outstanding_amount: -30_00 } })
})

test('[SCR-059] undoing the refund of a reopened invoice restores its state', async () => {
  const { employerId, id } = await overpaid('SENT')
  const done = await host.execute(refund, id, { amount: 30_00 }, employerId)
  expect(await host.undo(refund, done)).toMatchObject({ kind: 'done' })
  expect(await host.read<Invoice>(refund, id)).toMatchObject({ status: 'SENT', outstanding_amount: -30_00 })
})

test('[INV-021] a second refund waits with the first one; undone, the first one waits again', async () => {
  const { employerId, organizationId, id } = await overpaid()
  await host.execute(refund, id, { amount: 10_00 }, employerId)
  const second = await host.execute(refund, id, { amount: 15_00 }, employerId)
  expect(second.preview).toContainEqual({ of: `INV-${id}`, what: 'pending refund', before: '$10.00', after: '$25.00' })
  // In one step: a second bank account would block another refund, and the first refund would be lost, too.
  await createBillingAccount(server.db, { organizationId })
  await createBillingAccount(server.db, { organizationId })
  expect(await host.undo(refund, second)).toMatchObject({ kind: 'done' })
  expect(await host.read<Invoice>(refund, id)).toMatchObject({
    status: 'REFUND_IN_PROGRESS',
    outstanding_amount: -20_00,
    refund: { amount: 10_00, state: 'WAITING' },
  })
  await host.execute(cancelRefund, id, {}, employerId)
})

test('[INV-021] a refund names the draft that will absorb it, and is cancelled by its own command', async () => {
  const { employerId, id } = await overpaid()
  const next = await invoiceOf(employerId, { status: 'DRAFT', original: 200_00 })
  const { preview } = await host.execute(refund, id, { amount: 25_00 }, employerId)
  expect(preview).toContainEqual({
    of: next.number,
    what: 'outstanding once it is reported',
    before: '$200.00',
    after: '$175.00',
  })
  await host.execute(cancelRefund, id, {}, employerId)
})

const stale: [string, Command, Record<string, unknown>, string][] = [
  ['ERR-031', close, {}, 'Invoice was closed in the meantime. Look at it as it is now, then try again.'],
  [
    'ERR-032',
    refund,
    { amount: 10_00 },
    'There was a problem with the Refund request, or your Invoice Status has changed. Refresh the page and try again.',
  ],
  [
    'ERR-033',
    rollover,
    { amount: 10_00 },
    'There was a problem with the Rollover request, or your Invoice Status has changed. Refresh the page and try again.',
  ],
]
test.each(stale)('[%s] a concurrent change is refused in the words of the specification', async (...row) => {
  const [, command, params, sentence] = row
  const { employerId, id } = await overpaid('SENT')
  await invoiceOf(employerId, { status: 'DRAFT', original: 200_00 })
  const seen = await host.read(command, id)
  const { facts } = await host.shown(command, seen, params)
  await host.run(close, seen, {}, undefined)
  const before = await host.snapshot(employerId)
  expect(await host.run(command, seen, params, facts)).toMatchObject({
    kind: 'refused',
    sentence,
    problem: { code: 'stale-version' },
  })
  expect(host.difference(before, await host.snapshot(employerId))).toEqual([])
})
