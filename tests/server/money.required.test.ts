import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { addDays } from '#domain/calendar.ts'
import { organizationOfInvoice } from '#tests/support/company.ts'
import { billing, figuresOf, repaymentOf, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { createBillingAccount, createInvoice, createRepayment, createWriteOff } from '#tests/support/money.ts'
import { rightValue } from '#tests/support/right-values.ts'
import { call, keyed, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let ada: Someone
let employerId: number
let organizationId: number

billing((made) => {
  ;({ server, ada, employerId, organizationId } = made)
})

const bare = (method: string, path: string, body: unknown, headers = ada.headers) => call(server, method, path, { headers, body })
const withKey = (method: string, path: string, body: unknown) => bare(method, path, body, keyed(ada.headers))

/** A complete body of a call. */
const bodyOf = ({ body, fixed }: { body: z.ZodObject; fixed: object }, id: number): Record<string, unknown> => ({
  ...(rightValue(body, id) as object),
  ...fixed,
})

test('each change of money needs a key; without one it is 400 with a code, and changes nothing', async () => {
  const money = server.services.routes.routes.filter((route) => route.change && route.endpoint.money)
  const names = money.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  expect(names).toEqual(
    expect.arrayContaining([
      'PATCH /invoices/{id}',
      'POST /invoices/{id}/rollover',
      'POST /invoices/{id}/refund',
      'POST /invoices/{id}/write-offs',
      'POST /write-offs/{id}/approve',
      'POST /deductions/{id}/approve',
      'POST /repayments',
      'PATCH /repayments/{id}',
      'PUT /repayments/{id}/allocations',
      'POST /repayments/{id}/returns',
      'POST /invoices/{id}/unflag',
      'POST /bank-results/{id}/book',
      'POST /bank-results/{id}/replace',
      'POST /bank-results/{id}/dismiss',
      'POST /bank-results/{id}/reopen',
    ]),
  )
  const { id } = await createInvoice(server.db, { employerId })
  for (const { endpoint, intents } of money)
    for (const { intent } of intents) {
      const answer = await bare(endpoint.method, endpoint.path.replace('{id}', String(id)), bodyOf(intent, id))
      expect([intent.id, answer.status, answer.body.code]).toEqual([intent.id, 400, 'idempotency-key-required'])
      expect(answer.body.detail).toMatch(/Idempotency-Key/)
    }
  // Every write under these nouns is one, except settings: an unmarked one would work without a key.
  const unmarked = server.services.routes.routes.filter(
    ({ endpoint, change }) =>
      change &&
      !endpoint.money &&
      /^\/(invoices|repayments|write-offs|deductions(?!\/configurations)|bank-results)\b/.test(endpoint.path),
  )
  expect(unmarked.map(({ endpoint }) => endpoint.path)).toEqual([])
  expect(await figuresOf(server, id)).toMatchObject({ status: 'SENT', version: 1 })
})

test('each change of money needs the versions of its records; without them it is 428', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 100_00, paid: 40_00 })
  const overpaid = await createInvoice(server.db, { employerId, original: 10_00, paid: 30_00, status: 'CLOSED' })
  const writeOff = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[0] as number, amount: 5_00 })
  const { id: repaymentId } = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 10_00,
    allocations: [{ invoiceId: invoice.id, amount: 10_00 }],
  })
  const { id: debitId } = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 10_00,
    origin: 'ACH_ENTRY',
    allocations: [{ invoiceId: invoice.id, amount: 10_00 }],
  })
  const share = { allocations: [{ invoice_id: invoice.id, amount: 5_00 }] }
  const calls: [method: string, path: string, body: Record<string, unknown>][] = [
    ['POST', `/invoices/${invoice.id}/close`, {}],
    ['PATCH', `/invoices/${invoice.id}`, { due_date: '2026-12-01' }],
    ['POST', `/invoices/${overpaid.id}/refund`, { amount: 1 }],
    ['POST', `/invoices/${overpaid.id}/rollover`, { amount: 1 }],
    ['POST', `/invoices/${overpaid.id}/rollover`, { amount: 1, expected: {} }],
    ['POST', '/repayments', { ...repaymentOf(employerId, { amount: 5_00, ...share }), expected: undefined }],
    ['POST', '/repayments', repaymentOf(employerId, { amount: 5_00, ...share })],
    ['PATCH', `/repayments/${repaymentId}`, { amount: 1_00 }],
    ['PATCH', `/repayments/${repaymentId}`, { amount: 1_00, version: 1 }],
    ['PUT', `/repayments/${repaymentId}/allocations`, { ...share, version: 1 }],
    ['PUT', `/repayments/${repaymentId}/allocations`, { ...share, version: 1, expected: {} }],
    ['POST', `/repayments/${repaymentId}/returns`, { return_code: 'R01', amount: 1, expected: {} }],
    ['POST', `/repayments/${debitId}/returns`, { return_code: 'R01', amount: 1, version: 1 }],
    ['POST', `/repayments/${debitId}/returns`, { return_code: 'R01', amount: 1, version: 1, expected: {} }],
    ['POST', `/write-offs/${writeOff.id}/approve`, { amount: 5_00, reason: 'Left', version: 1 }],
    ['POST', `/write-offs/${writeOff.id}/approve`, { amount: 5_00, reason: 'Left', version: 1, expected: {} }],
    ['POST', `/write-offs/${writeOff.id}/reject`, { reason: 'Left' }],
    ['POST', `/deductions/${invoice.deductionId}/approve`, {}],
    ['POST', '/bank-results/30001/book', { reason: 'Told by phone', version: 1 }],
    ['POST', '/bank-results/30001/replace', { reason: 'Told by phone', expected: {} }],
    ['POST', '/bank-results/30001/dismiss', { reason: 'Told by phone' }],
  ]
  for (const [method, path, body] of calls) {
    const answer = await withKey(method, path, body)
    expect([path, JSON.stringify(body), answer.status, answer.body.code]).toEqual([
      path,
      JSON.stringify(body),
      428,
      'version-required',
    ])
    expect(answer.body.detail).toMatch(/^Send the version that you saw/)
  }
  expect(await figuresOf(server, invoice.id)).toMatchObject({ paid_amount: 60_00, version: 1 })
})

test('no intent of money works without any of the versions that its contract names', async () => {
  const money = server.services.routes.intents.filter(({ endpoint }) => endpoint.money)
  expect(money.length).toBeGreaterThan(20)
  for (const intent of money) {
    const { version, expected } = intent.body.shape as Record<string, z.ZodType | undefined>
    // One with a default may be left out.
    const needed = Object.entries({ version, expected }).filter(([, schema]) => schema && !(schema instanceof z.ZodDefault))
    expect(needed.length, intent.id).toBeGreaterThan(0)
    for (const [field] of needed) {
      const { [field]: _, ...body } = bodyOf(intent, employerId)
      const answer = await withKey(intent.endpoint.method, intent.endpoint.path.replace('{id}', String(employerId)), body)
      expect([intent.id, answer.status, answer.body.code]).toEqual([intent.id, 428, 'version-required'])
      expect(answer.body.errors).toMatchObject([{ path: field }])
    }
  }
})

test('a return is refused if any invoice that it changes has a new version', async () => {
  const [debited, other] = [
    await createInvoice(server.db, { employerId, original: 40_00, status: 'PROCESSING' }),
    await createInvoice(server.db, { employerId, original: 60_00 }),
  ]
  const id = debited.repaymentId as number
  const repayment = async () => (await ada.get(`/repayments/${id}`)).body
  const back = async (expected: Record<string, number>) =>
    ada.post(
      `/repayments/${id}/returns`,
      { return_code: 'R01', amount: 10_00, version: (await repayment()).version, expected },
      keyed(),
    )
  await sql`update repayments set ach_state = 'COMPLETED', version = version + 1 where id = ${id}`.execute(server.db)
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, repayment_id, actor_id, actor_name)
    values (${organizationOfInvoice(debited.id)}, ${debited.id}, 'PAYMENT', 4000, ${id}, 'service', 'System')`.execute(server.db)
  const moved = await ada.put(
    `/repayments/${id}/allocations`,
    {
      allocations: [{ invoice_id: other.id, amount: 40_00 }],
      expected: await versionsOf(server, debited.id, other.id),
      version: (await repayment()).version,
    },
    keyed(),
  )
  expect(moved.body, JSON.stringify(moved.body)).toMatchObject({ debited_invoice_id: debited.id })
  const seen = await versionsOf(server, debited.id, other.id)
  for (const id of [debited.id, other.id]) {
    const stale = await back({ ...seen, [id]: (seen[id] as number) - 1 })
    expect(stale.body).toMatchObject({
      status: 409,
      code: 'stale-version',
      detail: 'There was a problem with the return, or your Invoice Status has changed. Refresh the page and try again.',
    })
    expect(stale.body.facts.map((fact: { id: number }) => fact.id)).toEqual([debited.id, other.id])
    const { [id]: _, ...rest } = seen
    expect((await back(rest)).body).toMatchObject({ status: 428, code: 'version-required' })
  }
  expect(await figuresOf(server, other.id)).toMatchObject({ paid_amount: 40_00 })
  expect((await back(seen)).body).toMatchObject({ returned_amount: 10_00 })
})

test('specified calls and changes of other records work without a key', async () => {
  const { headers } = await someone(server, 'Mia Moore')
  expect((await bare('POST', '/auth/logout', {}, headers)).status).toBeLessThan(300)
  const unneeded = server.services.routes.routes.filter(({ endpoint }) => endpoint.money && !endpoint.extension)
  expect(unneeded).toEqual([])
})

test('[REP-007] [INV-025] with several active bank accounts no money is paid back', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 10_00, paid: 30_00, status: 'CLOSED' })
  await createBillingAccount(server.db, { organizationId })
  await createBillingAccount(server.db, { organizationId, accountNumber: '000987654321' })
  const back = async () =>
    ada.post(
      '/repayments',
      repaymentOf(employerId, {
        amount: -5_00,
        allocations: [{ invoice_id: id, amount: -5_00 }],
        expected: await versionsOf(server, id),
      }),
      keyed(),
    )
  expect((await back()).body).toMatchObject({
    status: 409,
    code: 'multiple-bank-accounts',
    detail: 'Negative payment is not possible for employers with multiple bank accounts.',
  })
  expect(await figuresOf(server, id)).toMatchObject({ outstanding_amount: -20_00 })
})

test('dates of money lie within ten years, and those of repayments not after today', async () => {
  const invoice = await createInvoice(server.db, { employerId, original: 100_00 })
  const { as_of: today } = (await ada.get(`/invoices/${invoice.id}`)).body
  const add = async (dates: Record<string, string>) =>
    ada.post(
      '/repayments',
      repaymentOf(employerId, {
        amount: 1_00,
        allocations: [{ invoice_id: invoice.id, amount: 1_00 }],
        expected: await versionsOf(server, invoice.id),
        ...dates,
      }),
      keyed(),
    )
  const wrong: Record<string, string>[] = [
    { repayment_date: addDays(today, 1) },
    { repayment_date: '0206-02-03' },
    { repayment_date: '9999-12-31' },
    { effective_date: addDays(today, 1) },
    { effective_date: '1900-01-01' },
  ]
  for (const dates of wrong) {
    const answer = await add(dates)
    expect([dates, answer.status, answer.body.errors?.[0]?.path]).toEqual([dates, 422, Object.keys(dates)[0]])
  }
  const made = await add({ repayment_date: today, effective_date: today })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const later = await ada.patch(`/repayments/${made.body.id}`, { repayment_date: addDays(today, 1), version: 1 }, keyed())
  expect([later.status, later.body.errors[0].path]).toEqual([422, 'repayment_date'])
  for (const due_date of ['9999-12-31', '0026-12-01', addDays(today, 3_700)]) {
    const { version } = await figuresOf(server, invoice.id)
    const answer = await ada.patch(`/invoices/${invoice.id}`, { due_date, version }, keyed())
    expect([due_date, answer.status, answer.body.errors?.[0]?.path]).toEqual([due_date, 422, 'due_date'])
  }
})

test('a change of money locks at most 1,000 invoices, however many versions are sent', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 100_00 })
  const seen = (count: number) => ({
    ...Object.fromEntries(Array.from({ length: count - 1 }, (_, at) => [id + 1 + at, 1])),
    [id]: 1,
  })
  const share = { allocations: [{ invoice_id: id, amount: 1_00 }] }
  const calls = [
    ['POST', '/repayments', repaymentOf(employerId, { amount: 1_00, ...share })],
    ['POST', `/invoices/${id}/rollover`, { amount: 1 }],
  ] as const
  for (const [method, path, body] of calls) {
    const answer = await withKey(method, path, { ...body, expected: seen(1_001) })
    expect([path, answer.status, answer.body.errors]).toEqual([path, 422, [{ path: 'expected', message: 'At most 1,000' }]])
  }
  expect((await withKey('POST', '/repayments', { ...calls[0][2], expected: seen(1_000) })).status).toBe(201)
})
