import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import addRepayment from '#commands/invoice/add-repayment.ts'
import close from '#commands/invoice/close.ts'
import allocate from '#commands/repayment/allocate.ts'
import edit from '#commands/repayment/edit.ts'
import recordReturn from '#commands/repayment/record-return.ts'
import type { Invoice } from '#contract/invoices.ts'
import type { Repayment } from '#contract/repayments.ts'
import { noPermission } from '#domain/permissions.ts'
import { changes } from '#kernel/command.ts'
import { fieldsOf, formOf } from '#kernel/form.ts'
import { runOne, titleSent } from '#kernel/run.ts'
import { Unanswered } from '#kernel/api-client.ts'
import { biller, moneyHost } from '#tests/kernel/money-host.ts'
import { newDebtor } from '#tests/support/billing.ts'
import { createInvoice, createRepayment, type InvoiceInput } from '#tests/support/money.ts'
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

const on = { repayment_date: '2026-02-03' }
const invoiceOf = (employerId: number, input: Partial<InvoiceInput> = {}) => createInvoice(server.db, { employerId, ...input })

/** An employer with invoices that owe these amounts, the oldest first. */
async function owing(...amounts: number[]) {
  const { employerId } = await newDebtor(server)
  const ids: number[] = []
  for (const [at, original] of amounts.entries()) ids.push((await invoiceOf(employerId, { original, dueDate: -30 + at })).id)
  return { employerId, ids }
}
const repaymentOf = async (employerId: number, amount: number, allocations: { invoiceId: number; amount: number }[]) =>
  (await createRepayment(server.db, { debtor: { type: 'EMPLOYER', id: employerId }, amount, allocations })).id

/** An ACH payment of today, which the bank may return. */
const debitOf = async (employerId: number, amount: number, allocations: { invoiceId: number; amount: number }[]) => {
  const debtor = { type: 'EMPLOYER' as const, id: employerId }
  return (await createRepayment(server.db, { debtor, amount, allocations, origin: 'ACH_ENTRY' })).id
}

test('[SCR-057, INV-018] a repayment of the amount that one invoice owes closes it', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const { preview, outcome } = await host.execute(addRepayment, ids[0] as number, { ...on, amount: 100_00 }, employerId)
  expect(outcome.sentence).toBe('Added a repayment of $100.00 from Harbor Works 1')
  expect(preview).toEqual([
    { of: `INV-${ids[0]}`, what: 'paid', before: '$0.00', after: '$100.00' },
    { of: `INV-${ids[0]}`, what: 'outstanding', before: '$100.00', after: '$0.00' },
    { of: `INV-${ids[0]}`, what: 'status', before: 'Sent', after: 'Paid' },
  ])
})

test('[SCR-057] a cent for another invoice is shown beforehand, and the toast names the invoices', async () => {
  const { employerId, ids } = await owing(66_71, 50_00, 20_00, 30_00)
  const [one, other, third, fourth] = ids as [number, number, number, number]
  const added = 'Added a repayment of'
  const { lines, outcome, params } = await host.execute(addRepayment, one, { ...on, amount: 66_72 }, employerId)
  expect(lines?.sums[2]).toEqual({ title: 'To other invoices', cents: 1, tone: 'wait' })
  const from = /from (.+?):/.exec(outcome.sentence)?.[1]
  expect(outcome.sentence).toBe(`${added} $66.72 from ${from}: $66.71 to INV-${one}, $0.01 to INV-${other}`)
  // Without an undo, the message says how to correct it.
  expect(await host.undoOf(addRepayment, { outcome, params })).toEqual({
    sentence: 'Add repayment cannot be undone. Correct the amount with Edit repayment, or where it went with Allocate repayment.',
  })
  const allocations = [other, third, fourth].map((invoice_id) => ({ invoice_id, amount: 1_00 }))
  const three = await host.execute(addRepayment, third, { ...on, amount: 3_00, allocations }, employerId)
  expect(three.outcome.sentence).toContain(`: $1.00 to INV-${third}, $1.00 to INV-`)
  expect(three.outcome.sentence).toMatch(/ and 1 more$/)
})

test('[SCR-057] each invoice is a line with suggestion, balances and result; In Review is locked', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const scheduled = await invoiceOf(employerId, { status: 'SCHEDULED', original: 80_00 })
  await invoiceOf(employerId, { status: 'ON_DEDUCTION_FILE', original: 40_00 })
  const { lines } = await host.execute(addRepayment, ids[0] as number, { ...on, amount: 160_00 }, employerId)
  expect(lines?.lines.map(({ title, before, moves, after, says }) => [title, before, moves, after, says])).toEqual([
    [`INV-${ids[0]}`, 100_00, 100_00, 0, 'closes'],
    [`INV-${ids[1]}`, 50_00, 50_00, 0, 'closes'],
    [scheduled.number, 80_00, 10_00, 70_00, 'debit $70.00'],
  ])
  expect(lines).toMatchObject({
    whole: 160_00,
    hint: 'To this invoice, the rest oldest due first.',
    sums: [
      { title: 'Amount', cents: 160_00 },
      { title: 'Allocated, 3 invoices', cents: 160_00 },
      { title: 'To other invoices', cents: 60_00, tone: 'wait' },
      { title: 'Unallocated', cents: 0 },
    ],
    locked: { title: '1 invoice In Review', cents: 40_00 },
  })
})

test('[SCR-057] an excess goes to the oldest due of the other invoices; the unallocated rest is named', async () => {
  const { employerId, ids } = await owing(100_00, 85_00)
  const [old, one] = ids as [number, number]
  const target = await host.read<Invoice>(addRepayment, one)
  const moved = async (amount: number) =>
    (await host.shown(addRepayment, target, { ...on, amount })).lines?.lines.map(({ title, moves }) => [title, moves])
  expect(await moved(134_00)).toEqual([
    [`INV-${one}`, 85_00],
    [`INV-${old}`, 49_00],
  ])
  // An exact match of another invoice still takes precedence.
  expect(await moved(100_00)).toEqual([
    [`INV-${one}`, 0],
    [`INV-${old}`, 100_00],
  ])
  const { outcome } = await host.execute(addRepayment, one, { ...on, amount: 200_00 }, employerId)
  expect(outcome.sentence).toMatch(/: \$85\.00 to INV-\d+, \$100\.00 to INV-\d+, \$15\.00 of it unallocated$/)
})

test('[SCR-057] an overpayment of an invoice has its own total', async () => {
  const { employerId, ids } = await owing(100_00)
  const [one] = ids as [number]
  const params = { ...on, amount: 120_00, allocations: [{ invoice_id: one, amount: 120_00 }] }
  const { lines } = await host.execute(addRepayment, one, params, employerId)
  expect(lines?.sums).toContainEqual({ title: 'Overpaid', cents: 20_00, tone: 'wait' })
})

test('[SCR-057] cleared lines leave the money unallocated; errors are shown on their lines', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const [first, second] = ids as [number, number]
  const one = await host.read<Invoice>(addRepayment, first)
  const typed = (...amounts: number[]) => ({
    ...on,
    amount: 120_00,
    allocations: amounts.map((amount, at) => ({ invoice_id: ids[at] as number, amount })),
  })
  expect((await host.shown(addRepayment, one, typed(100_00, -1))).wrong).toEqual([
    { path: 'allocations.1.amount', message: 'Enter an amount for every invoice, with the same sign as the repayment.' },
  ])
  expect((await host.shown(addRepayment, one, typed(100_00, 50_00))).wrong).toEqual([
    { path: 'allocations', message: 'More is allocated than the repayment holds: $150.00 of $120.00.' },
  ])
  const over = (await host.shown(addRepayment, one, typed(100_00, 50_00))).lines
  expect(over?.sums.at(-1)).toEqual({ title: 'Too much', cents: 30_00, tone: 'bad' })
  const { outcome, lines } = await host.execute(addRepayment, second, typed(), employerId)
  expect(lines?.lines.map((line) => [line.moves, line.says])).toEqual([
    [0, 'unchanged'],
    [0, 'unchanged'],
  ])
  expect(outcome.answers[0]).toMatchObject({ unallocated_amount: 120_00, allocations: [] })
})

test('[SCR-057] one repayment over three invoices is matched by suggestion, with a preview of each', async () => {
  const { employerId, ids } = await owing(100_00, 50_00, 25_00)
  const { preview } = await host.execute(addRepayment, ids[0] as number, { ...on, amount: 175_00 }, employerId)
  expect(preview.filter((row) => row.what === 'status').map((row) => row.of)).toEqual(ids.map((id) => `INV-${id}`))
})

test('[SCR-057] the bank text names an invoice; the excess goes to the oldest, then stays unallocated', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const params = { ...on, amount: 180_00, descriptor: `ACH INV-${ids[1]}` }
  const one = await host.read<Invoice>(addRepayment, ids[0] as number)
  // Only one of the shown invoices was named.
  const hintOf = async (amount: number) => (await host.shown(addRepayment, one, { ...params, amount })).lines?.hint
  expect(await hintOf(50_00)).toBe('Matched by invoice number.')
  expect(await hintOf(180_00)).toBe('Matched by invoice number, the rest oldest due first.')
  const { preview } = await host.execute(addRepayment, ids[0] as number, params, employerId)
  expect(preview.at(0)?.of).toBe(`INV-${ids[1]}`)
  expect(preview.at(-1)).toEqual({ of: 'New repayment', what: 'unallocated', before: '$0.00', after: '$30.00' })
})

test('[SCR-057] a bank text that names no invoice leaves the money on the invoice of the form', async () => {
  const { ids } = await owing(100_00, 50_00)
  const one = await host.read<Invoice>(addRepayment, ids[1] as number)
  const shown = await host.shown(addRepayment, one, { ...on, amount: 20_00, descriptor: 'Wire of Monday' })
  expect(shown.lines?.hint).toBe('To this invoice.')
  // It is also the first line: of many invoices the others are below the edge of the screen.
  expect(shown.lines?.lines.map((line) => [line.title, line.moves])).toEqual([
    [`INV-${ids[1]}`, 20_00],
    [`INV-${ids[0]}`, 0],
  ])
})

test('[SCR-057] explicit allocations reduce a debit, overpay an invoice, and may include a closed one', async () => {
  const { employerId, ids } = await owing(100_00)
  const scheduled = await invoiceOf(employerId, { status: 'SCHEDULED', original: 80_00 })
  const closed = await invoiceOf(employerId, { status: 'CLOSED', original: 40_00 })
  const allocations = [
    { invoice_id: closed.id, amount: 10_00 },
    { invoice_id: ids[0] as number, amount: 130_00 },
    { invoice_id: scheduled.id, amount: 20_00 },
  ]
  const { preview } = await host.execute(addRepayment, closed.id, { ...on, amount: 160_00, allocations }, employerId)
  expect(preview).toContainEqual({ of: scheduled.number, what: 'debit', before: '$80.00', after: '$60.00' })
  expect(preview).toContainEqual({ of: `INV-${ids[0]}`, what: 'outstanding', before: '$100.00', after: '−$30.00' })
})

test('[REP-006, REP-010] amount and date are required; no more than the amount can be allocated', async () => {
  const { ids } = await owing(100_00)
  const one = await host.read<Invoice>(addRepayment, ids[0] as number)
  expect((await host.shown(addRepayment, one, on)).wrong).toContainEqual({
    path: 'amount',
    message: 'Repayment amount is required',
  })
  expect((await host.shown(addRepayment, one, { amount: 1_00 })).wrong).toContainEqual({
    path: 'repayment_date',
    message: 'Date is required',
  })
  const more = { ...on, amount: 10_00, allocations: [{ invoice_id: one.id, amount: 10_01 }] }
  expect((await host.shown(addRepayment, one, more)).wrong[0]?.message).toContain('More is allocated than the repayment holds')
})

test('[REP-007, REP-009] a negative repayment needs an overpaid invoice, and is at most the overpayment', async () => {
  const { employerId, ids } = await owing(100_00)
  const [id] = ids as [number]
  const negative = (amount: number) => ({ ...on, amount })
  const owes = await host.read<Invoice>(addRepayment, id)
  expect((await host.shown(addRepayment, owes, negative(-5_00))).wrong).toEqual([
    { path: 'amount', message: 'Negative payment is only possible for overpaid invoice' },
  ])
  const paid = await invoiceOf(employerId, { status: 'CLOSED', paid: 130_00 })
  const one = await host.read<Invoice>(addRepayment, paid.id)
  expect((await host.shown(addRepayment, one, negative(-30_01))).wrong).toEqual([
    { path: 'amount', message: 'A payment cannot exceed the overpaid amount' },
  ])
  const { preview, outcome } = await host.execute(addRepayment, paid.id, negative(-30_00), employerId)
  expect(preview).toContainEqual({ of: paid.number, what: 'outstanding', before: '−$30.00', after: '$0.00' })
  const [back] = outcome.answers as [Repayment]
  expect((await host.shown(edit, back, { ...on, amount: 30_00 })).wrong).toEqual([
    { path: 'amount', message: 'The amount of a negative payment cannot change. Add another repayment instead.' },
  ])
})

test('a repayment is refused by state and by permission', async () => {
  const { employerId } = await newDebtor(server)
  const { id } = await invoiceOf(employerId, { status: 'DRAFT' })
  expect(await host.state(addRepayment, id)).toEqual({ state: 'off', sentence: 'Actions unavailable when in Draft.' })
  const sent = await invoiceOf(employerId)
  expect(await host.state(addRepayment, sent.id, [1])).toEqual({
    state: 'locked',
    sentence: noPermission,
    lacks: ['write:billing'],
    last: 'and',
  })
})

test('[SCR-057] a repayment of selected invoices matches only these; the debtor’s others are listed', async () => {
  const { employerId, ids } = await owing(70_00, 100_10, 50_05, 25_00)
  const [old, first, second, third] = ids as [number, number, number, number]
  const chosen = [third, first, second]
  const { lines, preview, outcome } = await host.execute(addRepayment, chosen, { ...on, amount: 160_00 }, employerId)
  expect(lines?.lines.map((line) => [line.id, line.moves])).toEqual([
    [first, 100_10],
    [second, 50_05],
    [third, 9_85],
    [old, 0],
  ])
  expect(lines).toMatchObject({ hint: 'Oldest due of the selected first.', max: 175_15 })
  expect(preview.some((row) => row.of === `INV-${old}`)).toBe(false)
  // One call for all of them.
  expect(outcome.answers).toHaveLength(1)
  expect((outcome.answers[0] as Repayment).allocations.map((each) => [each.invoice_id, each.amount])).toEqual([
    [first, 100_10],
    [second, 50_05],
    [third, 9_85],
  ])
})

test('[SCR-057] an excess over selected invoices stays unallocated, or goes to another of the debtor', async () => {
  const { employerId, ids } = await owing(70_00, 30_00, 20_00)
  const [old, ...chosen] = ids as [number, number, number]
  const [target] = await Promise.all(chosen.map((id) => host.read<Invoice>(addRepayment, id)))
  const rows = await Promise.all(chosen.map((id) => host.read<Invoice>(addRepayment, id)))
  const { lines, preview } = await host.shown(addRepayment, target, { ...on, amount: 60_00 }, rows)
  expect(lines?.sums.at(-1)).toEqual({ title: 'Unallocated', cents: 10_00, tone: 'wait' })
  expect(preview.at(-1)).toEqual({ of: 'New repayment', what: 'unallocated', before: '$0.00', after: '$10.00' })
  const allocations = [
    ...chosen.map((id, at) => ({ invoice_id: id, amount: [30_00, 20_00][at] as number })),
    { invoice_id: old, amount: 10_00 },
  ]
  const typed = await host.execute(addRepayment, chosen, { ...on, amount: 60_00, allocations }, employerId)
  expect(typed.outcome.answers[0]).toMatchObject({ unallocated_amount: 0 })
})

test('[SCR-057] a selected invoice with an exact match takes all; one awaiting the bank gets no suggestion', async () => {
  const { employerId, ids } = await owing(70_00, 30_00)
  const processing = await invoiceOf(employerId, { status: 'PROCESSING', original: 40_00 })
  const rows = await Promise.all([...ids, processing.id].map((id) => host.read<Invoice>(addRepayment, id)))
  const moved = async (amount: number) =>
    (await host.shown(addRepayment, rows[0], { ...on, amount }, rows)).lines?.lines.map((line) => line.moves)
  expect(await moved(30_00)).toEqual([0, 30_00, 0])
  expect(await moved(140_00)).toEqual([70_00, 30_00, 0])
})

test('invoices of several debtors are refused together, with the names of the debtors', async () => {
  const [one, other] = [await owing(10_00), await owing(20_00)]
  const [first, second] = [one, other].map(({ ids }) => ids[0] as number) as [number, number]
  const names = await Promise.all([first, second].map(async (id) => (await host.read<Invoice>(addRepayment, id)).debtor_name))
  expect((await host.over(addRepayment, [first, second])).state).toEqual({
    state: 'off',
    sentence: `These invoices are owed by 2 employers: ${names.join(' and ')}. Select those of one employer for a repayment.`,
  })
})

test('ineligible invoices of several selected ones are left out, each with its reason', async () => {
  const { employerId, ids } = await owing(30_00, 20_00)
  const draft = await invoiceOf(employerId, { status: 'DRAFT' })
  const { validated, state } = await host.over(addRepayment, [draft.id, ...ids])
  expect(state).toEqual({ state: 'ready' })
  expect(validated?.blocked.map(({ row, sentence }) => [(row as Invoice).id, sentence])).toEqual([
    [draft.id, 'Actions unavailable when in Draft.'],
  ])
  const { lines } = await host.execute(addRepayment, [draft.id, ...ids], { ...on, amount: 50_00 }, employerId)
  expect(lines?.lines.map((line) => line.id)).toEqual(ids)
  // With one eligible invoice left, nothing goes to an invoice that was not selected.
  const [last] = (await owing(5_00)).ids as [number]
  const debtor = (await host.read<Invoice>(addRepayment, last)).debtor_id
  const beside = await invoiceOf(debtor, { original: 90_00 })
  const drafted = await invoiceOf(debtor, { status: 'DRAFT' })
  const alone = await host.execute(addRepayment, [drafted.id, last], { ...on, amount: 8_00 }, debtor)
  expect(alone.lines?.lines.map((line) => [line.id, line.moves])).toEqual([
    [last, 5_00],
    [beside.id, 0],
  ])
  expect((await host.over(addRepayment, [draft.id, drafted.id])).state).toEqual({
    state: 'off',
    sentence: 'Actions unavailable when in Draft.',
  })
})

test('[PERM-037] a repayment over several selected invoices also needs its permission', async () => {
  const { ids } = await owing(30_00, 20_00)
  expect((await host.over(addRepayment, ids, [1])).state).toEqual({
    state: 'locked',
    sentence: noPermission,
    lacks: ['write:billing'],
    last: 'and',
  })
})

test('[REP-007] a negative repayment over several selected invoices goes to the one on whose line it is', async () => {
  const { employerId, ids } = await owing(100_00)
  const paid = await invoiceOf(employerId, { status: 'CLOSED', paid: 130_00 })
  const chosen = [ids[0] as number, paid.id]
  const rows = await Promise.all(chosen.map((id) => host.read<Invoice>(addRepayment, id)))
  const wrong = async (over: readonly Invoice[]) =>
    (await host.shown(addRepayment, over[0], { ...on, amount: -5_00 }, over)).wrong
  expect(await wrong(rows)).toEqual([
    { path: 'amount', message: 'Enter the negative amount on the line of the overpaid invoice.' },
  ])
  const { ids: owed } = await owing(10_00, 20_00)
  const others = await Promise.all(owed.map((id) => host.read<Invoice>(addRepayment, id)))
  expect(await wrong(others)).toEqual([{ path: 'amount', message: 'Negative payment is only possible for overpaid invoice' }])
  const allocations = [{ invoice_id: paid.id, amount: -5_00 }]
  const { outcome } = await host.execute(addRepayment, chosen, { ...on, amount: -5_00, allocations }, employerId)
  expect((outcome.answers[0] as Repayment).allocations).toMatchObject(allocations)
})

test('[REP-007] a negative amount over several shows what is unallocated, also before any line has some', async () => {
  const { employerId } = await newDebtor(server)
  const ids = [await invoiceOf(employerId, { status: 'CLOSED', paid: 130_00 }), await invoiceOf(employerId, { paid: 300_00 })]
  const rows = await Promise.all(ids.map(({ id }) => host.read<Invoice>(addRepayment, id)))
  const left = async (...amounts: number[]) => {
    const allocations = amounts.map((amount, at) => ({ invoice_id: rows[at]?.id as number, amount }))
    const params = { ...on, amount: -150_00, ...(amounts.length ? { allocations } : {}) }
    return (await host.shown(addRepayment, rows[0], params, rows)).lines?.sums.at(-1)
  }
  expect(await left()).toEqual({ title: 'Unallocated', cents: -150_00, tone: 'wait' })
  expect(await left(-30_00)).toEqual({ title: 'Unallocated', cents: -120_00, tone: 'wait' })
  expect(await left(-30_00, -120_00)).toEqual({ title: 'Unallocated', cents: 0 })
  expect(await left(-30_00, -125_00)).toEqual({ title: 'Too much', cents: 5_00, tone: 'bad' })
})

test('a pending call is named by what was sent, not by the first selected invoice', async () => {
  const { ids } = await owing(40_00, 50_00)
  const rows = await Promise.all(ids.map((id) => host.read<Invoice>(addRepayment, id)))
  const params = { ...on, amount: 50_00 }
  const { facts } = await host.shown(addRepayment, rows[0], params, rows)
  const io = host.io(addRepayment)
  let lost = 0
  const send: typeof io.apiClient.send = async (...call) => {
    if (lost++ === 0) throw new Unanswered()
    return io.apiClient.send(...call)
  }
  const outcome = await runOne(addRepayment, rows[0], params, { ...io, apiClient: { ...io.apiClient, send } }, { facts })
  expect(outcome.kind).toBe('done')
  const title = `Add repayment, $50.00, ${rows[0]?.debtor_name}`
  expect(io.states).toEqual([`sending: ${title}`, `unknown: ${title}`, null])
  // After a reload, too, with only the sent body.
  expect(titleSent(addRepayment, rows[0], { amount: 50_00 })).toBe(title)
  expect(titleSent(addRepayment, undefined, { amount: 50_00 })).toBe('Add repayment')
})

test('the help text says which numbers of the bank statement text are matched', async () => {
  const { ids } = await owing(40_00, 50_00)
  const rows = await Promise.all(ids.map((id) => host.read<Invoice>(addRepayment, id)))
  const help = (together?: readonly Invoice[]) =>
    fieldsOf(formOf(addRepayment, {} as never, rows[0], together) as z.ZodObject).find(({ name }) => name === 'descriptor')?.help
  expect(help()).toBe('Invoice numbers in it are matched.')
  expect(help(rows)).toBe('Numbers of the selected invoices in it are matched.')
})

test('the selected invoices are separated from the debtor’s others, with the debtor’s name', async () => {
  const { ids } = await owing(40_00, 50_00, 60_00)
  const rows = await Promise.all(ids.map((id) => host.read<Invoice>(addRepayment, id)))
  const parts = async (together?: readonly Invoice[]) =>
    (await host.shown(addRepayment, rows[0], on, together)).lines?.lines.map(({ part }) => part)
  const others = `Other open invoices of ${rows[0]?.debtor_name}`
  expect(await parts(rows.slice(0, 2))).toEqual([undefined, undefined, others])
  expect(await parts()).toEqual([undefined, undefined, undefined])
  expect(changes(addRepayment) && addRepayment.preview?.ownerLabel?.(rows[0])).toBe(rows[0]?.debtor_name)
})

test('a concurrent partial payment names the invoice, and what it owes now', async () => {
  const { ids } = await owing(110_47, 889_53, 75_00)
  const rows = await Promise.all(ids.map((id) => host.read<Invoice>(addRepayment, id)))
  const params = { ...on, amount: 950_00 }
  const seen = async (chosen: readonly Invoice[]) => {
    const [target] = await Promise.all(chosen.map(({ id }) => host.read<Invoice>(addRepayment, id)))
    return { target, facts: (await host.shown(addRepayment, target, params, chosen)).facts }
  }
  const conflictOf = (typed: object, was: unknown, now: unknown) =>
    changes(addRepayment) ? addRepayment.facts?.conflict?.({ ...params, ...typed }, was as never, now as never) : null
  const chosen = rows.slice(0, 2)
  const was = await seen(chosen)
  const pay = async (one: Invoice, amount: number) => {
    const { facts } = await host.shown(addRepayment, one, { ...on, amount })
    expect(await host.run(addRepayment, one, { ...on, amount }, facts)).toMatchObject({ kind: 'done' })
  }
  // A change of an unaffected invoice is not reported.
  await pay(rows[2] as Invoice, 5_00)
  expect(conflictOf({}, was, await seen(chosen))).toBeNull()
  await pay(rows[0] as Invoice, 50_00)
  const now = await seen(chosen)
  const sentence = `INV-${ids[0]} changed in the meantime: outstanding $110.47 before, $60.47 now.`
  expect(conflictOf({}, was, now)).toBe(sentence)
  const allocations = [{ invoice_id: ids[0], amount: 60_00 }]
  expect(conflictOf({ allocations }, was, now)).toBe(sentence)
})

test('[ERR-031] a selected invoice that somebody closed refuses the whole repayment', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const rows = await Promise.all(ids.map((id) => host.read<Invoice>(addRepayment, id)))
  const params = { ...on, amount: 150_00 }
  const { facts } = await host.shown(addRepayment, rows[0], params, rows)
  await host.run(close, rows[1], {}, undefined)
  const before = await host.snapshot(employerId)
  expect(await host.run(addRepayment, rows[0], params, facts)).toMatchObject({ kind: 'refused' })
  expect(host.difference(before, await host.snapshot(employerId))).toEqual([])
  // On a new preview it is shown in its current state, and gets no suggestion.
  const refreshed = await host.shown(addRepayment, rows[0], params, rows)
  expect(refreshed.lines?.lines.map((line) => [line.id, line.moves])).toEqual([
    [ids[0], 100_00],
    [ids[1], 0],
  ])
})

test('[ERR-031] a matched invoice that somebody closed refuses the whole repayment', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const one = await host.read<Invoice>(addRepayment, ids[0] as number)
  const params = { ...on, amount: 150_00 }
  const { facts } = await host.shown(addRepayment, one, params)
  await host.run(close, await host.read(close, ids[1] as number), {}, undefined)
  const before = await host.snapshot(employerId)
  expect(await host.run(addRepayment, one, params, facts)).toMatchObject({
    kind: 'refused',
    sentence: 'Invoice was closed in the meantime. Look at it as it is now, then try again.',
  })
  expect(host.difference(before, await host.snapshot(employerId))).toEqual([])
})

test('[REP-008] a smaller amount reduces the newest invoice; a larger one stays unallocated; undone', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const [old, young] = ids as [number, number]
  const id = await repaymentOf(employerId, 60_00, [
    { invoiceId: old, amount: 40_00 },
    { invoiceId: young, amount: 20_00 },
  ])
  const one = await host.read<Repayment>(edit, id)
  const start = edit.form?.start?.(one, {} as never) as { repayment_date: string }
  expect((await host.shown(edit, one, { ...start, amount: -1 })).wrong).toEqual([
    { path: 'amount', message: 'An existing repayment cannot be changed to negative.' },
  ])
  const grown = await host.execute(edit, id, { ...start, amount: 70_00, notes: 'More came' }, employerId)
  expect(await host.undo(edit, grown)).toMatchObject({ after: { amount: 60_00, unallocated_amount: 0, notes: null } })
  const cut = await host.execute(edit, id, { ...start, amount: 45_00 }, employerId)
  expect(cut.preview).toContainEqual({ of: `INV-${young}`, what: 'paid', before: '$20.00', after: '$5.00' })
  expect(await host.undo(edit, cut)).toBeNull()
})

test('the unallocated rest of a repayment is allocated as suggested, or as typed', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const [old, young] = ids as [number, number]
  const id = await repaymentOf(employerId, 120_00, [{ invoiceId: old, amount: 30_00 }])
  const { preview } = await host.execute(allocate, id, {}, employerId)
  expect(preview).toContainEqual({ of: `REP-${id}`, what: 'unallocated', before: '$90.00', after: '$40.00' })
  const typed = { allocations: [{ invoice_id: young, amount: 50_00 }] }
  await host.execute(allocate, id, typed, employerId)
  const one = await host.read<Repayment>(allocate, id)
  const tooMuch = { allocations: [{ invoice_id: young, amount: 120_01 }] }
  expect((await host.shown(allocate, one, tooMuch)).wrong[0]?.path).toBe('allocations')
})

test('the rest of a partly returned repayment can be allocated', async () => {
  const { employerId, ids } = await owing(100_00, 50_00)
  const [old, young] = ids as [number, number]
  const id = await debitOf(employerId, 100_00, [{ invoiceId: old, amount: 100_00 }])
  await host.execute(recordReturn, id, { return_code: 'R01', amount: 40_00 }, employerId)
  const { preview } = await host.execute(allocate, id, { allocations: [{ invoice_id: young, amount: 50_00 }] }, employerId)
  expect(preview).toContainEqual({ of: `REP-${id}`, what: 'unallocated', before: '$0.00', after: '$10.00' })
})

test('a return shows every invoice that owes again, and its new state', async () => {
  const { employerId } = await newDebtor(server)
  const [first, second] = [
    await invoiceOf(employerId, { status: 'CLOSED', original: 100_00 }),
    await invoiceOf(employerId, { status: 'CLOSED', original: 50_00 }),
  ]
  const id = await debitOf(employerId, 170_00, [
    { invoiceId: first.id, amount: 100_00 },
    { invoiceId: second.id, amount: 50_00 },
  ])
  const part = await host.execute(recordReturn, id, { return_code: 'R01', amount: 65_00 }, employerId)
  expect(part.preview).toEqual(
    expect.arrayContaining([
      { of: `REP-${id}`, what: 'unallocated', before: '$20.00', after: '$0.00' },
      { of: first.number, what: 'status', before: 'Paid', after: 'Partially Returned' },
    ]),
  )
  const one = await host.read<Repayment>(recordReturn, id)
  expect((await host.shown(recordReturn, one, { return_code: 'R01', amount: 105_01 })).wrong[0]?.path).toBe('amount')
  const again = await host.shown(recordReturn, one, { return_code: 'R01', amount: 65_00 })
  expect(again).toMatchObject({ preview: [], wrong: [{ path: 'amount', message: expect.stringContaining('recorded before') }] })
  expect(await host.run(recordReturn, one, { return_code: 'R01', amount: 65_00 }, again.facts)).toMatchObject({
    sentence: `This return of $65.00 of REP-${id} was recorded before. Nothing changed.`,
  })
  const rest = await host.execute(recordReturn, id, { return_code: 'R09', amount: 105_00 }, employerId)
  expect(rest.preview.filter((row) => row.what === 'outstanding').map((row) => row.after)).toEqual(['$100.00', '$50.00'])
  expect(await host.undo(recordReturn, rest)).toBeNull()
  expect(await host.state(allocate, id)).toMatchObject({ state: 'off' })
})

test('a return before settlement moves no money, and one of an overpaid invoice keeps it paid', async () => {
  const { employerId } = await newDebtor(server)
  const { repaymentId } = await invoiceOf(employerId, { status: 'PROCESSING', original: 100_00 })
  const said = { return_code: 'R01', amount: 100_00 }
  await host.execute(recordReturn, repaymentId as number, said, employerId)
  const returns = server.db.selectFrom('repayments').where('returns_id', '=', repaymentId)
  expect(await host.state(allocate, (await returns.select('id').executeTakeFirstOrThrow()).id)).toEqual({
    state: 'off',
    sentence: 'This return came before its debit settled, so it took nothing that could be allocated again.',
  })
  const over = await invoiceOf(employerId, { status: 'CLOSED', original: 100_00 })
  const paid = await debitOf(employerId, 130_00, [{ invoiceId: over.id, amount: 130_00 }])
  await host.execute(recordReturn, paid, { return_code: 'R01', amount: 30_00 }, employerId)
})
