import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { bankOf, debitedInvoice, setToday } from '#tests/support/bank.ts'
import { billing, figuresOf, repaymentOf, type Someone, versionsOf, leaveDraft } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createBillingAccount, createInvoice, setRolloverPercentage } from '#tests/support/money.ts'
import { keyed, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let ada: Someone
let employerId: number
let organizationId: number

billing((made) => {
  ;({ server, ada, employerId, organizationId } = made)
}, 1000)

const figures = (id: number) => figuresOf(server, id)
const overpaid = (original = 100_00, paid = 130_00) => createInvoice(server.db, { employerId, original, paid, status: 'CLOSED' })
const draft = (original = 80_00, dueDate = 20) => createInvoice(server.db, { employerId, original, status: 'DRAFT', dueDate })
const roll = async (id: number, amount: number, ...others: number[]) =>
  ada.post(`/invoices/${id}/rollover`, { amount, expected: await versionsOf(server, id, ...others) }, keyed())
const refund = async (id: number, amount: number) =>
  ada.post(`/invoices/${id}/refund`, { amount, version: (await figures(id)).version }, keyed())

test('overpaid money rolls over to the next invoice of the debtor, and the status stays CLOSED', async () => {
  const source = await overpaid()
  const later = await draft(80_00, 40)
  const next = await draft(80_00, 20)
  const rolled = await roll(source.id, 10_00, next.id)
  expect(rolled.status, JSON.stringify(rolled.body)).toBe(200)
  expect(rolled.body).toMatchObject({
    status: 'CLOSED',
    rollover_out_amount: 10_00,
    paid_amount: 120_00,
    outstanding_amount: -20_00,
  })
  expect(await figures(next.id)).toMatchObject({
    rollover_amount: 10_00,
    invoice_amount: 70_00,
    outstanding_amount: 70_00,
    version: 2,
  })
  expect(await figures(later.id)).toMatchObject({ version: 1 })
  const { rows } =
    await sql`select kind, amount, counter_invoice_id from ledger_entries where invoice_id in (${source.id}, ${next.id})
    and kind like 'ROLLOVER%' order by id`.execute(server.db)
  expect(rows).toEqual([
    { kind: 'ROLLOVER_OUT', amount: 10_00, counter_invoice_id: next.id },
    { kind: 'ROLLOVER_IN', amount: 10_00, counter_invoice_id: source.id },
  ])
  const { events } = (await ada.get(`/invoices/${next.id}/history`)).body
  expect(events[0]).toMatchObject({ status: 'Rolled over', actor: { name: 'Ada Admin' } })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[INV-022] [INV-023] [INV-024] a rollover is above 0, and capped by paid, overpaid, percentage and next invoice', async () => {
  const source = await overpaid()
  const next = await draft(5_00)
  const refused = async (amount: number) => (await roll(source.id, amount, next.id)).body
  expect(await refused(130_01)).toMatchObject({
    code: 'rollover-above-paid',
    detail: 'The rollover amount cannot be more than the paid amount.',
  })
  expect(await refused(-1)).toMatchObject({ code: 'rollover-below-zero', detail: 'The rollover amount cannot be less than 0.' })
  expect(await refused(0)).toMatchObject({ code: 'amount-required' })
  expect(await refused(30_01)).toMatchObject({
    code: 'remaining-negative',
    detail: 'The remaining amount cannot be negative. $30.00 is overpaid.',
  })
  expect(await refused(10_01)).toMatchObject({ code: 'rollover-above-percentage' })
  expect(await refused(5_01)).toMatchObject({
    code: 'above-next-invoice',
    detail: `The next invoice ${next.number} owes $5.00, so no more than that can roll over.`,
  })
  await setRolloverPercentage(server.db, { organizationId }, null)
  expect(await refused(1)).toMatchObject({ code: 'rollover-disabled' })
  expect(await figures(source.id)).toMatchObject({ version: 1, rollover_out_amount: 0 })
})

test('[INV-022] the percentage limits the sum of all rollovers of an invoice, without refunds', async () => {
  const source = await overpaid(100_00, 180_00)
  const next = await draft()
  expect((await roll(source.id, 6_00, next.id)).body).toMatchObject({ status: 'CLOSED', rolled_over_amount: 6_00 })
  expect((await ada.get(`/invoices/${source.id}/overpayment`)).body).toMatchObject({ rollover_limit: 4_00, refund_limit: 74_00 })
  expect((await roll(source.id, 4_01, next.id)).body).toMatchObject({
    status: 409,
    code: 'rollover-above-percentage',
    detail: 'At most 10% of the invoice may roll over, all rollovers together: $4.00 more.',
  })
  expect((await roll(source.id, 4_00, next.id)).status).toBe(200)
  expect((await roll(source.id, 1, next.id)).body).toMatchObject({ status: 409, code: 'rollover-above-percentage' })
  expect(await figures(source.id)).toMatchObject({ outstanding_amount: -70_00, rollover_out_amount: 10_00 })
  expect((await refund(source.id, 70_00)).body).toMatchObject({ status: 'REFUND_IN_PROGRESS', outstanding_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[CONST-011] a rollover percentage that is missing, 0 or negative counts as 0, and says so', async () => {
  const source = await overpaid()
  const next = await draft()
  // Rows from before the check constraint may be negative.
  await sql`alter table deduction_configurations drop constraint if exists
    deduction_configurations_allowed_rollover_percentage_check`.execute(server.owner)
  for (const percentage of [null, 0, -500]) {
    await setRolloverPercentage(server.db, { organizationId }, percentage)
    expect((await ada.get(`/invoices/${source.id}/overpayment`)).body).toMatchObject({
      overpaid_amount: 30_00,
      rollover_limit: 0,
      refund_limit: 30_00,
    })
    expect((await roll(source.id, 1, next.id)).body).toMatchObject({ status: 409, code: 'rollover-disabled' })
  }
  await sql`delete from deduction_configurations where organization_id = ${organizationId}`.execute(server.db)
  expect((await roll(source.id, 1, next.id)).body).toMatchObject({ status: 409, code: 'rollover-disabled' })
  expect(await figures(source.id)).toMatchObject({ version: 1, outstanding_amount: -30_00 })
})

test('without a next invoice nothing rolls over', async () => {
  const source = await overpaid()
  expect((await roll(source.id, 1)).body).toMatchObject({
    status: 409,
    code: 'no-next-invoice',
    detail: 'There is no next invoice that could take this money. Refund it, or pay it back.',
  })
})

test('[ERR-033] a rollover names the versions of both invoices', async () => {
  const source = await overpaid()
  const next = await draft()
  const sentence =
    'There was a problem with the Rollover request, or your Invoice Status has changed. Refresh the page and try again.'
  for (const expected of [{}, { [next.id]: 1 }]) {
    const answer = await ada.post(`/invoices/${source.id}/rollover`, { amount: 1, expected }, keyed())
    expect(answer.body).toMatchObject({ status: 428, code: 'version-required' })
  }
  for (const expected of [{ [source.id]: 1 }, { [source.id]: 1, [next.id]: 0 }]) {
    const answer = await ada.post(`/invoices/${source.id}/rollover`, { amount: 1, expected }, keyed())
    expect(answer.body).toMatchObject({ status: 409, code: 'stale-version', detail: sentence })
    expect(answer.body.facts.map((fact: { id: number }) => fact.id)).toEqual([source.id, next.id])
  }
  await ada.post(`/invoices/${source.id}/reopen`, { version: 1 }, keyed())
  const stale = await ada.post(
    `/invoices/${source.id}/rollover`,
    { amount: 1, expected: { [source.id]: 1, [next.id]: 1 } },
    keyed(),
  )
  expect(stale.body.detail).toBe(sentence)
})

test('[INV-021] a refund leaves the invoice at once, and rolls in when the next one leaves DRAFT', async () => {
  const source = await overpaid()
  const next = await draft(20_00)
  const asked = await refund(source.id, 30_00)
  expect(asked.body).toMatchObject({
    status: 'REFUND_IN_PROGRESS',
    rollover_out_amount: 30_00,
    outstanding_amount: 0,
    refund: { amount: 30_00, absorbed_amount: 0, state: 'WAITING' },
  })
  expect(await auditMoney(server.db)).toEqual([])
  expect(await leaveDraft(server, next.id)).toMatchObject({ rollover_amount: 20_00, outstanding_amount: 0 })
  expect(await leaveDraft(server, next.id)).toBeNull()
  expect(await figures(source.id)).toMatchObject({ status: 'REFUND_IN_PROGRESS' })
  const another = await draft(50_00)
  await leaveDraft(server, another.id)
  expect(await figures(another.id)).toMatchObject({ rollover_amount: 10_00, outstanding_amount: 40_00 })
  const done = (await ada.get(`/invoices/${source.id}`)).body
  expect(done).toMatchObject({ status: 'REFUNDED', refund: { absorbed_amount: 30_00, state: 'ABSORBED' } })
  const { events } = (await ada.get(`/invoices/${source.id}/history`)).body
  expect(events.map((event: { status: string }) => event.status)).toEqual([
    'Refund absorbed',
    'Refund absorbed',
    'Refund requested',
  ])
  expect(await auditMoney(server.db)).toEqual([])
})

test('a refund can be cancelled while nothing was absorbed', async () => {
  const source = await overpaid()
  await refund(source.id, 30_00)
  const cancelled = await ada.post(`/invoices/${source.id}/cancel-refund`, { version: 2 }, keyed())
  expect(cancelled.body).toMatchObject({ status: 'CLOSED', outstanding_amount: -30_00, rollover_out_amount: 0, refund: null })
  const next = await draft()
  expect(await leaveDraft(server, next.id)).toMatchObject({ rollover_amount: 0 })
  expect((await refund(source.id, 10_00)).body).toMatchObject({ status: 'REFUND_IN_PROGRESS', outstanding_amount: -20_00 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('a part of a refund can be cancelled, up to the waiting amount', async () => {
  const source = await overpaid()
  await refund(source.id, 10_00)
  await refund(source.id, 15_00)
  const cancel = (amount: number) => ada.post(`/invoices/${source.id}/cancel-refund`, { amount, version: 3 }, keyed())
  expect((await cancel(25_01)).body).toMatchObject({
    code: 'amount-invalid',
    detail: 'At most $25.00 of this refund can be cancelled.',
  })
  expect((await cancel(15_00)).body).toMatchObject({
    status: 'REFUND_IN_PROGRESS',
    outstanding_amount: -20_00,
    refund: { amount: 10_00, absorbed_amount: 0, state: 'WAITING' },
  })
  expect(await auditMoney(server.db)).toEqual([])
})

test('the rest of a refund that no invoice can absorb is cancelled by a person', async () => {
  const source = await overpaid()
  const next = await draft(20_00)
  await refund(source.id, 30_00)
  await leaveDraft(server, next.id)
  const stranded = async () =>
    (await ada.get(`/invoices?stranded-refund=YES&employer-id=${employerId}`)).body.data.map((each: { id: number }) => each.id)
  expect(await stranded()).toEqual([])
  await sql`update invoices set status = 'SENT' where id = ${next.id}`.execute(server.db)
  expect(await stranded()).toEqual([source.id])
  const cancelled = await ada.post(
    `/invoices/${source.id}/cancel-refund`,
    { version: (await figures(source.id)).version },
    keyed(),
  )
  expect(cancelled.body, JSON.stringify(cancelled.body)).toMatchObject({
    status: 'CLOSED',
    outstanding_amount: -10_00,
    rollover_out_amount: 20_00,
    refund: { amount: 20_00, absorbed_amount: 20_00, state: 'ABSORBED' },
  })
  expect(await stranded()).toEqual([])
  expect(await figures(next.id)).toMatchObject({ rollover_amount: 20_00 })
  expect(await auditMoney(server.db)).toEqual([])
  const back = await ada.post(
    '/repayments',
    repaymentOf(employerId, {
      amount: -10_00,
      allocations: [{ invoice_id: source.id, amount: -10_00 }],
      expected: await versionsOf(server, source.id),
    }),
    keyed(),
  )
  expect(back.status, JSON.stringify(back.body)).toBe(201)
  expect(await figures(source.id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('the rest beside a waiting refund can be refunded, rolled over, paid back or allocated', async () => {
  const source = await createInvoice(server.db, { employerId, original: 100_00 })
  const paid = await ada.post(
    '/repayments',
    repaymentOf(employerId, {
      amount: 160_00,
      allocations: [{ invoice_id: source.id, amount: 160_00 }],
      expected: await versionsOf(server, source.id),
    }),
    keyed(),
  )
  const next = await draft(80_00)
  const waits = { status: 'REFUND_IN_PROGRESS' }
  expect((await refund(source.id, 20_00)).body).toMatchObject({ ...waits, outstanding_amount: -40_00 })
  expect((await refund(source.id, 5_00)).body).toMatchObject({
    ...waits,
    outstanding_amount: -35_00,
    refund: { amount: 25_00, absorbed_amount: 0, state: 'WAITING' },
  })
  expect((await refund(source.id, 35_01)).body.code).toBe('remaining-negative')
  expect((await roll(source.id, 10_00, next.id)).body).toMatchObject({ ...waits, outstanding_amount: -25_00 })
  const back = await ada.post(
    '/repayments',
    repaymentOf(employerId, {
      amount: -5_00,
      allocations: [{ invoice_id: source.id, amount: -5_00 }],
      expected: await versionsOf(server, source.id),
    }),
    keyed(),
  )
  expect(back.status, JSON.stringify(back.body)).toBe(201)
  const other = await createInvoice(server.db, { employerId, original: 15_00 })
  const allocate = async (rest: number) =>
    ada.put(
      `/repayments/${paid.body.id}/allocations`,
      {
        allocations: [
          { invoice_id: source.id, amount: 160_00 - rest },
          { invoice_id: other.id, amount: 15_00 },
        ],
        expected: await versionsOf(server, source.id, other.id),
        version: 1,
      },
      keyed(),
    )
  // The waiting refund is no longer overpaid, so it stays.
  expect((await allocate(20_01)).body.code).toBe('submission-made')
  expect((await allocate(20_00)).status).toBe(200)
  expect(await figures(source.id)).toMatchObject({ ...waits, outstanding_amount: 0 })
  expect((await refund(source.id, 1)).body.code).toBe('submission-made')
  expect(await auditMoney(server.db)).toEqual([])
  await leaveDraft(server, next.id)
  expect(await figures(source.id)).toMatchObject({ status: 'REFUNDED', outstanding_amount: 0, rollover_out_amount: 35_00 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[INV-024] [ERR-032] a refund is at most the overpaid amount, and refused for a stale invoice', async () => {
  const source = await overpaid()
  expect((await refund(source.id, 30_01)).body).toMatchObject({ code: 'remaining-negative' })
  expect((await refund(source.id, 0)).status).toBe(422)
  const stale = await ada.post(`/invoices/${source.id}/refund`, { amount: 1, version: 7 }, keyed())
  expect(stale.body).toMatchObject({
    code: 'stale-version',
    detail: 'There was a problem with the Refund request, or your Invoice Status has changed. Refresh the page and try again.',
    facts: { id: source.id, version: 1 },
  })
  const even = await createInvoice(server.db, { employerId, original: 5, paid: 5, status: 'CLOSED' })
  expect((await refund(even.id, 1)).body).toMatchObject({ code: 'not-overpaid', detail: 'This invoice is not overpaid.' })
})

test('[INV-010] a rollover skips an invoice that owes nothing', async () => {
  const source = await overpaid()
  const empty = await createInvoice(server.db, { employerId, lines: [], status: 'ON_DEDUCTION_FILE', dueDate: 10 })
  const next = await createInvoice(server.db, { employerId, original: 80_00, status: 'ON_DEDUCTION_FILE', dueDate: 10 })
  expect((await roll(source.id, 1, empty.id)).status).toBe(409)
  expect((await roll(source.id, 1, next.id)).status).toBe(200)
})

test('[INV-025] [INV-026] with several bank accounts neither a refund nor a credit is possible', async () => {
  const source = await overpaid()
  const next = await draft()
  await createBillingAccount(server.db, { organizationId })
  await createBillingAccount(server.db, { organizationId, employerIds: [employerId], accountNumber: '000987654321' })
  const words = 'is not possible for employers with multiple bank accounts.'
  expect((await refund(source.id, 1)).body).toMatchObject({ code: 'multiple-bank-accounts', detail: `Refund ${words}` })
  expect((await roll(source.id, 1, next.id)).body).toMatchObject({ code: 'multiple-bank-accounts', detail: `Credit ${words}` })
})

test('an invoice whose credit was used later cannot be reopened, and its payment stays', async () => {
  const source = await createInvoice(server.db, { employerId, original: 100_00 })
  const made = await ada.post(
    '/repayments',
    repaymentOf(employerId, {
      amount: 130_00,
      allocations: [{ invoice_id: source.id, amount: 130_00 }],
      expected: await versionsOf(server, source.id),
    }),
    keyed(),
  )
  const next = await draft()
  await roll(source.id, 10_00, next.id)
  await leaveDraft(server, next.id)
  const reopened = await ada.post(`/invoices/${source.id}/reopen`, { version: (await figures(source.id)).version }, keyed())
  expect(reopened.body).toMatchObject({ code: 'credit-used' })
  const smaller = await ada.patch(`/repayments/${made.body.id}`, { amount: 109_99, version: 1 }, keyed())
  expect(smaller.body).toMatchObject({ status: 409, code: 'credit-used' })
  const expected = await versionsOf(server, source.id)
  expect((await ada.patch(`/repayments/${made.body.id}`, { amount: 110_00, version: 1, expected }, keyed())).status).toBe(200)
  expect(await figures(source.id)).toMatchObject({ outstanding_amount: 0, paid_amount: 100_00 })
})

test('a waiting refund shrinks with returned money, and ends when all of it is returned', async () => {
  // A Monday: banks are open.
  await setToday(server.db, '2026-03-02')
  const bank = bankOf(server.db)
  const source = await debitedInvoice(server.db, bank, employerId)
  await bank.says({ trace: source.trace, code: 'SETTLED', amount: 100_00 })
  await ada.post(
    '/repayments',
    repaymentOf(employerId, {
      amount: 30_00,
      allocations: [{ invoice_id: source.id, amount: 30_00 }],
      expected: await versionsOf(server, source.id),
    }),
    keyed(),
  )
  await refund(source.id, 30_00)
  const invoice = async () => (await ada.get(`/invoices/${source.id}`)).body
  const back = async (amount: number) => {
    const { version } = (await ada.get(`/repayments/${source.repaymentId}`)).body
    const expected = await versionsOf(server, source.id)
    const made = await ada.post(
      `/repayments/${source.repaymentId}/returns`,
      { return_code: 'R10', amount, version, expected },
      keyed(),
    )
    expect(made.status, JSON.stringify(made.body)).toBe(200)
  }
  await back(10_00)
  expect(await invoice()).toMatchObject({ status: 'REFUND_IN_PROGRESS', outstanding_amount: 0, refund: { amount: 20_00 } })
  await back(20_00)
  expect(await invoice()).toMatchObject({
    status: 'CLOSED',
    outstanding_amount: 0,
    rollover_out_amount: 0,
    refund: null,
    debtor_flagged: false,
  })
  await back(70_00)
  expect(await figures(source.id)).toMatchObject({ status: 'RETURNED', paid_amount: 30_00, outstanding_amount: 70_00 })
  expect(await auditMoney(server.db)).toEqual([])
})
