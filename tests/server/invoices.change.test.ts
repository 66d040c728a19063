import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { addBusinessDays, addDays, onOrAfter } from '#domain/calendar.ts'
import { type InvoiceAction, allows, invoiceStatuses } from '#domain/invoice.ts'
import { figuresOf, newDebtor, type Someone, someone } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let ada: Someone
let employerId: number
let today: string

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada Admin')
  const { rows } = await sql<{ today: string }>`select business_date()::text as today`.execute(server.db)
  today = rows[0]?.today as string
})
afterAll(() => server.close())
beforeEach(async () => {
  employerId = (await newDebtor(server)).employerId
})

const figures = (id: number) => figuresOf(server, id)
const debits = async (id: number) =>
  (await sql`select state, amount, debit_date, attempt from ach_debits where invoice_id = ${id} order by id`.execute(server.db))
    .rows

test('[INV-016] an invoice is closed by hand, and stays Underpaid while something is owed', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 30_00, paid: 10_00 })
  const closed = await ada.post(`/invoices/${id}/close`, { notes: 'Settled by phone', version: 1 }, keyed())
  expect(closed.status, JSON.stringify(closed.body)).toBe(200)
  expect(closed.body).toMatchObject({ status: 'CLOSED', outstanding_amount: 20_00, derived: ['UNDERPAID'], version: 2 })
  const { events } = (await ada.get(`/invoices/${id}/history`)).body
  expect(events[0]).toMatchObject({ status: 'Closed', text: 'Settled by phone', actor: { name: 'Ada Admin' } })
})

test('[INV-017] a closed invoice is reopened, and stays open until money moves again', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 30_00, paid: 30_00, status: 'CLOSED' })
  const reopened = await ada.post(`/invoices/${id}/reopen`, { version: 1 }, keyed())
  expect(reopened.body).toMatchObject({ status: 'SENT', outstanding_amount: 0, version: 2 })
  expect((await ada.patch(`/invoices/${id}`, { due_date: addDays(today, 9), version: 2 }, keyed())).body.status).toBe('SENT')
  const paid = await ada.post(
    '/repayments',
    {
      debtor_type: 'EMPLOYER',
      debtor_id: employerId,
      amount: 1,
      repayment_date: today,
      allocations: [{ invoice_id: id, amount: 1 }],
      expected: { [id]: 3 },
    },
    keyed(),
  )
  expect(paid.status).toBe(201)
  expect(await figures(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: -1 })
})

test('[ERR-031] of two people who close, the second gets a conflict with the current invoice', async () => {
  const { id } = await createInvoice(server.db, { employerId })
  const otto = await someone(server, 'Otto Other')
  const answers = await Promise.all([ada, otto].map((one) => one.post(`/invoices/${id}/close`, { version: 1 }, keyed())))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
  const lost = answers.find((answer) => answer.status === 409)
  expect(lost?.body).toMatchObject({
    code: 'stale-version',
    detail: 'Invoice was closed in the meantime. Look at it as it is now, then try again.',
    facts: { id, status: 'CLOSED', version: 2 },
  })
  const edited = await otto.patch(`/invoices/${id}`, { due_date: today, version: 1 }, keyed())
  expect(edited.body.detail).toMatch(/^Invoice was closed/)
})

test('a changed due date is stored, but not one before the issue date', async () => {
  const { id } = await createInvoice(server.db, { employerId, issueDate: -10 })
  const edit = (due_date: unknown, version = 1) => ada.patch(`/invoices/${id}`, { due_date, reason: 'Agreed', version }, keyed())
  const edited = await edit(addDays(today, 30))
  expect(edited.body).toMatchObject({ due_date: addDays(today, 30), version: 2 })
  const early = await edit(addDays(today, -11), 2)
  expect(early.status).toBe(422)
  expect(early.body.errors).toEqual([{ path: 'due_date', message: 'The due date cannot be before the issue date.' }])
  for (const wrong of ['2026-02-30', '', null, 7]) expect((await edit(wrong, 2)).status).toBe(422)
  const stale = await edit(today, 1)
  expect(stale.body).toMatchObject({
    code: 'stale-version',
    detail: 'There was a problem with the change, or your Invoice Status has changed. Refresh the page and try again.',
  })
})

test('a changed due date moves the waiting debit, never before today, and is in the history', async () => {
  await sql`insert into lms_configurations (employer_id, payment_method, ach_processing_days)
    values (${employerId}, 'AUTO_ACH', 3)`.execute(server.owner)
  const { id } = await createInvoice(server.db, { employerId, status: 'SCHEDULED' })
  const before = (await debits(id)).map((debit) => (debit as { debit_date: string }).debit_date)[0]
  const edit = (body: object) => ada.patch(`/invoices/${id}`, { reason: 'Agreed', ...body }, keyed())
  const due_date = addDays(today, 40)
  const debit_date = addBusinessDays(due_date, -3)
  expect((await edit({ due_date, version: 1 })).body).toMatchObject({ due_date, ach: { state: 'SCHEDULED', debit_date } })
  const { events } = (await ada.get(`/invoices/${id}/history`)).body
  expect(events[0].changes).toContainEqual({ field: 'debit_date', before, after: debit_date })
  // Due at once: it is submitted on the next banking day.
  expect((await edit({ due_date: today, version: 2 })).body.ach.debit_date).toBe(onOrAfter(today))
  expect((await edit({ due_date, debit_date: addDays(today, -9), version: 3 })).body.ach.debit_date).toBe(onOrAfter(today))
  const sent = await createInvoice(server.db, { employerId })
  const none = await ada.patch(`/invoices/${sent.id}`, { due_date, debit_date, version: 1 }, keyed())
  expect(none.body.errors).toEqual([{ path: 'debit_date', message: 'No debit waits for its date.' }])
})

test('a scheduled invoice is switched to self pay: it is SENT, and its debit is cancelled', async () => {
  const { id } = await createInvoice(server.db, { employerId, status: 'SCHEDULED' })
  const switched = await ada.patch(`/invoices/${id}`, { payment_method: 'SELF_PAY', version: 1 }, keyed())
  expect(switched.body).toMatchObject({ status: 'SENT', payment_method: 'SELF_PAY', ach: { state: 'CANCELLED' } })
  expect((await ada.patch(`/invoices/${id}`, { payment_method: 'SELF_PAY', version: 2 }, keyed())).body.detail).toBe(
    'Actions unavailable when in Sent.',
  )
})

test('a scheduled debit shrinks with the outstanding amount, and is cancelled at zero', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 30_00, status: 'SCHEDULED' })
  const pay = async (amount: number) =>
    ada.post(
      '/repayments',
      {
        debtor_type: 'EMPLOYER',
        debtor_id: employerId,
        amount,
        repayment_date: today,
        expected: { [id]: (await figures(id)).version },
      },
      keyed(),
    )
  await pay(10_00)
  expect(await debits(id)).toMatchObject([{ state: 'SCHEDULED', amount: 20_00 }])
  expect(await figures(id)).toMatchObject({ status: 'SCHEDULED' })
  await pay(20_00)
  expect(await debits(id)).toMatchObject([{ state: 'CANCELLED' }])
  expect(await figures(id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
})

test('a returned invoice is collected by hand', async () => {
  for (const status of ['RETURNED', 'PARTIALLY_RETURNED'] as const) {
    const { id } = await createInvoice(server.db, { employerId, status })
    expect((await ada.post(`/invoices/${id}/collect`, { version: 1 }, keyed())).body).toMatchObject({
      status: 'SENT',
      version: 2,
    })
  }
})

test('a debit returned as R01 is retried, at most twice, on a banking day', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 30_00, status: 'RETURNED' })
  const debit_date = addBusinessDays(today, 2)
  const retry = (body: Record<string, unknown>) => ada.post(`/invoices/${id}/retry`, { debit_date, version: 1, ...body }, keyed())
  const past = await retry({ debit_date: addDays(today, -1) })
  expect(past.body.errors).toEqual([{ path: 'debit_date', message: 'The debit date cannot be in the past.' }])
  const sunday = await retry({ debit_date: '2031-01-05' })
  expect(sunday.body.errors[0].message).toBe('Banks do not work on that day. The next day on which they do is 2031-01-06.')
  expect((await retry({ debit_date: '2031-01-06' })).body.code).toBe('retry-too-late')
  const tried = await retry({})
  expect(tried.body).toMatchObject({ status: 'SCHEDULED', ach: { state: 'SCHEDULED', amount: 30_00, retries: 1, debit_date } })
  const [first] = await debits(id)
  expect(first).toMatchObject({ state: 'RETURNED', attempt: 0 })
  await sql`update ach_debits set state = 'RETURNED', return_code = 'R09', attempt = 2 where invoice_id = ${id} and attempt = 1`.execute(
    server.db,
  )
  await sql`update invoices set status = 'RETURNED' where id = ${id}`.execute(server.db)
  expect((await retry({ version: 2 })).body.code).toBe('retries-used-up')
  await sql`update ach_debits set return_code = 'R02', attempt = 1 where invoice_id = ${id} and attempt = 2`.execute(server.db)
  expect((await retry({ version: 2 })).body).toMatchObject({
    code: 'not-retryable',
    detail: 'Only a debit that came back as R01 or R09 can be tried again. Collect it manually.',
  })
})

const calls: readonly [InvoiceAction, string, Record<string, unknown>][] = [
  ['edit', '', { due_date: '2031-01-06' }],
  ['mark-self-pay', '', { payment_method: 'SELF_PAY' }],
  ['close', '/close', {}],
  ['reopen', '/reopen', {}],
  ['collect', '/collect', {}],
  ['retry-ach', '/retry', { debit_date: '2031-01-06' }],
  ['refund', '/refund', { amount: 1 }],
  ['cancel-refund', '/cancel-refund', {}],
  ['rollover', '/rollover', { amount: 1 }],
]

test.each(invoiceStatuses.values)(
  '[INV-019] [INV-020] in %s, a forbidden action is refused with the sentence of the table',
  async (status) => {
    const { id } = await createInvoice(server.db, { employerId, status })
    const awaited = ['PROCESSING', 'REFUND_IN_PROGRESS'].includes(status)
    // With a waiting refund nothing is overpaid here.
    const nothingOver = (action: InvoiceAction) => status === 'REFUND_IN_PROGRESS' && action !== 'cancel-refund'
    for (const [action, path, body] of calls.filter(([each]) => !allows(status, each) || nothingOver(each))) {
      const seen = action === 'rollover' ? { expected: { [id]: 1 } } : { version: 1 }
      const answer = await call(server, path === '' ? 'PATCH' : 'POST', `/invoices/${id}${path}`, {
        headers: keyed(ada.headers),
        body: { ...body, ...seen },
      })
      expect([action, answer.status, answer.body.detail]).toEqual([
        action,
        409,
        awaited
          ? 'Cannot Edit invoice. A submission has been made, results are being processed'
          : `Actions unavailable when in ${invoiceStatuses.label(status)}.`,
      ])
    }
    expect(await figures(id)).toMatchObject({ status, version: 1 })
  },
)

test('[PERM-003] a change outside of the grants is 404, without the permission 403, and changes nothing', async () => {
  const { id } = await createInvoice(server.db, { employerId })
  const stranger = await signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions: permissionIds,
      grants: [{ employerId: (await newDebtor(server, 'Elsewhere')).employerId }],
    }),
  )
  const reader = await signInAs(server, await createPerson(server.db, { permissions: [1] }))
  for (const [, path, body] of calls) {
    const sent = { ...body, ...(path === '/rollover' ? { expected: { [id]: 1 } } : { version: 1 }) }
    const method = path === '' ? 'PATCH' : 'POST'
    const send = (headers: Record<string, string>) =>
      call(server, method, `/invoices/${id}${path}`, { headers: keyed(headers), body: sent })
    expect((await send(stranger)).status).toBe(404)
    expect((await send(reader)).status).toBe(403)
  }
  expect(await figures(id)).toMatchObject({ version: 1 })
  expect(await auditMoney(server.db)).toEqual([])
})
