import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addBusinessDays } from '#domain/calendar.ts'
import { billing, repaymentOf, type Someone, versionsOf, leaveDraft } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'
import { keyed, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let ada: Someone
let employerId: number

billing((made) => {
  ;({ server, ada, employerId } = made)
}, 1000)

const invoice = async (id: number) => (await ada.get(`/invoices/${id}`)).body
const act = async (id: number, name: string, body: Record<string, unknown> = {}) =>
  ada.post(`/invoices/${id}/${name}`, { ...body, version: (await invoice(id)).version }, keyed())

let payments = 0
/** Pays invoices with explicit allocations; returns the repayment. */
async function pay(shares: Record<number, number>) {
  const ids = Object.keys(shares).map(Number)
  const allocations = ids.map((id) => ({ invoice_id: id, amount: shares[id] as number }))
  const amount = allocations.reduce((sum, share) => sum + share.amount, 0)
  const expected = await versionsOf(server, ...ids)
  const made = await ada.post(
    '/repayments',
    repaymentOf(employerId, { amount, allocations, expected, descriptor: `Payment ${++payments}` }),
    keyed(),
  )
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const edit = async (repayment: { id: number; version: number }, amount: number, ...touched: number[]) => {
  const { id, version } = repayment
  const edited = await ada.patch(
    `/repayments/${id}`,
    { amount, version, expected: await versionsOf(server, ...touched) },
    keyed(),
  )
  expect(edited.status, JSON.stringify(edited.body)).toBe(200)
  return edited.body
}

test('[INV-018] an automatic close is reverted when its repayment is reduced, and redone when covered', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 100_00, dueDate: -3 })
  const paid = await pay({ [id]: 100_00 })
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED', closed_by: null, derived: [] })
  await edit(paid, 99_99, id)
  expect(await invoice(id)).toMatchObject({
    status: 'SENT',
    outstanding_amount: 1,
    derived: ['OVERDUE', 'UNDERPAID'],
  })
  const { events } = (await ada.get(`/invoices/${id}/history`)).body
  expect(events[0]).toMatchObject({
    status: 'Repayment edited',
    changes: expect.arrayContaining([{ field: 'status', before: 'CLOSED', after: 'SENT' }]),
  })
  await pay({ [id]: 1 })
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
})

test('money allocated elsewhere or returned reopens the invoice that it had paid', async () => {
  const one = await createInvoice(server.db, { employerId, original: 40_00 })
  const two = await createInvoice(server.db, { employerId, original: 60_00 })
  const paid = await pay({ [one.id]: 40_00 })
  const moved = await ada.put(
    `/repayments/${paid.id}/allocations`,
    {
      allocations: [{ invoice_id: two.id, amount: 40_00 }],
      expected: await versionsOf(server, one.id, two.id),
      version: paid.version,
    },
    keyed(),
  )
  expect(moved.status, JSON.stringify(moved.body)).toBe(200)
  expect(await invoice(one.id)).toMatchObject({ status: 'SENT', outstanding_amount: 40_00 })
  expect(await invoice(two.id)).toMatchObject({ status: 'SENT', outstanding_amount: 20_00 })
})

test.each(['RETURNED', 'PARTIALLY_RETURNED'] as const)(
  '[INV-008] [INV-009] if its last debit was returned, it reopens accordingly: %s',
  async (status) => {
    const { id } = await createInvoice(server.db, { employerId, original: 50_00, status })
    const paid = await pay({ [id]: 50_00 })
    expect(await invoice(id)).toMatchObject({ status: 'CLOSED' })
    await edit(paid, 20_00, id)
    expect(await invoice(id)).toMatchObject({ status, outstanding_amount: 30_00, ach: { return_code: 'R01' } })
  },
)

test('a debit cancelled by the close does not hide an earlier returned one', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 50_00, status: 'RETURNED' })
  await sql`update ach_debits set debit_date = business_date() where invoice_id = ${id}`.execute(server.db)
  const { as_of } = await invoice(id)
  const retried = await act(id, 'retry', { debit_date: addBusinessDays(as_of, 1) })
  expect(retried.body).toMatchObject({ status: 'SCHEDULED', ach: { state: 'SCHEDULED' } })
  const paid = await pay({ [id]: 50_00 })
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED' })
  await edit(paid, 1, id)
  expect(await invoice(id)).toMatchObject({ status: 'RETURNED', ach: { state: 'RETURNED' } })
})

test('[INV-015] [INV-016] [INV-017] a manual close survives money moving, names the person, and is reopened by hand', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 100_00 })
  const paid = await pay({ [id]: 70_00 })
  const closed = await act(id, 'close')
  expect(closed.body).toMatchObject({ status: 'CLOSED', closed_by: { name: 'Ada Admin' }, derived: ['UNDERPAID'] })
  await edit(paid, 50_00, id)
  expect(await invoice(id)).toMatchObject({
    status: 'CLOSED',
    outstanding_amount: 50_00,
    closed_by: { name: 'Ada Admin' },
    derived: ['UNDERPAID'],
  })
  expect((await act(id, 'reopen')).body).toMatchObject({ status: 'SENT', closed_by: null })
  await pay({ [id]: 50_00 })
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED', closed_by: null })
})

test('[INV-010] [INV-011] [INV-021] an amount overpaid after a refund is refunded, rolled over and allocated', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 100_00, status: 'SENT' })
  const paid = await pay({ [id]: 150_00 })
  expect((await act(id, 'refund', { amount: 20_00 })).body).toMatchObject({ status: 'REFUND_IN_PROGRESS' })
  const first = await createInvoice(server.db, { employerId, original: 80_00, status: 'DRAFT', dueDate: 20 })
  await leaveDraft(server, first.id)
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: -30_00, derived: ['OVERPAID'] })

  const rolled = await ada.post(
    `/invoices/${id}/rollover`,
    { amount: 5_00, expected: await versionsOf(server, id, first.id) },
    keyed(),
  )
  expect(rolled.body).toMatchObject({ status: 'CLOSED', outstanding_amount: -25_00 })

  const other = await createInvoice(server.db, { employerId, original: 15_00 })
  const allocated = await ada.put(
    `/repayments/${paid.id}/allocations`,
    {
      allocations: [
        { invoice_id: id, amount: 135_00 },
        { invoice_id: other.id, amount: 15_00 },
      ],
      expected: await versionsOf(server, id, other.id),
      version: paid.version,
    },
    keyed(),
  )
  expect(allocated.status, JSON.stringify(allocated.body)).toBe(200)
  expect(await invoice(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: -10_00 })

  expect((await act(id, 'refund', { amount: 10_00 })).body).toMatchObject({ status: 'REFUND_IN_PROGRESS' })
  const second = await createInvoice(server.db, { employerId, original: 80_00, status: 'DRAFT', dueDate: 40 })
  await leaveDraft(server, second.id)
  expect(await invoice(id)).toMatchObject({ status: 'REFUNDED', outstanding_amount: 0, rollover_out_amount: 35_00 })
  expect(await auditMoney(server.db)).toEqual([])
})
