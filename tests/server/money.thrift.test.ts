import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PreparingClient } from '#server/postgres/prepared.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createInvoices, createRepayment, setRolloverPercentage, type TestInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { type TestServer, call, createServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let debtor: number
let invoices: TestInvoice[]

beforeAll(async () => {
  server = await createServer()
  debtor = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  invoices = await createInvoices(
    server.db,
    Array.from({ length: 17 }, () => ({ employerId: debtor, original: 100_00 })),
  )
  admin = await signInAs(server, await createPerson(server.db, { groups: [1] }))
})
afterAll(() => server.close())
afterEach(() => vi.restoreAllMocks())

/** Sends a change under its own key; returns the response. */
async function send(method: 'POST' | 'PATCH' | 'PUT', path: string, body: Record<string, unknown>) {
  const reply = await call(server, method, path, { headers: { ...admin, 'idempotency-key': randomUUID() }, body })
  expect([200, 201], JSON.stringify(reply.body)).toContain(reply.status)
  return reply.body as { id: number; version: number; write_offs: { id: number; version: number }[] }
}

const pay = async ({ id }: TestInvoice) => {
  const reply = await call(server, 'POST', '/repayments', {
    headers: { ...admin, 'idempotency-key': randomUUID() },
    body: {
      debtor_type: 'EMPLOYER',
      debtor_id: debtor,
      amount: 40_00,
      repayment_date: '2026-01-05',
      descriptor: `Wire for ${id}`,
      allocations: [{ invoice_id: id, amount: 40_00 }],
      expected: { [id]: 1 },
    },
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
}

/** Counts the database round trips of `work`: packets that each wait for an answer, and statements. */
async function sentBy(work: () => Promise<void>): Promise<{ packets: number; sent: string[] }> {
  let packets = 0
  const sent: string[] = []
  const { query } = PreparingClient.prototype
  vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (this: PreparingClient, ...args) {
    const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
    if (stream.writableCorked === 0) packets += 1
    sent.push(String((args[0] as { text?: string })?.text ?? args[0]).trim())
    return query.apply(this, args as never)
  })
  await work()
  vi.restoreAllMocks()
  return { packets, sent }
}

test('a repayment needs at most four round trips, with few statements that have prepared plans', async () => {
  for (const invoice of invoices.slice(0, 7)) await pay(invoice)
  const { packets, sent } = await sentBy(() => pay(invoices[7] as TestInvoice))
  expect(packets).toBeLessThanOrEqual(4)
  // Two of them look for the same repayment, one, sent with that for the person, for the organization, and one adds its entries, for
  // which a distributed database needs a statement apart.
  expect(sent.length).toBeLessThanOrEqual(16)
  // An invoice with everything that its rules read is queried once.
  expect(sent.filter((text) => text.includes('in_flight_amount'))).toHaveLength(1)
  const unprepared = sent.filter((text) => !text.includes('/* prepared */'))
  expect(unprepared.filter((text) => /\b(join|exists)\b/.test(text))).toEqual([])
  expect(unprepared.map((text) => text.split(/\s+/).slice(0, 3).join(' '))).toEqual([
    'begin',
    'savepoint before_change',
    'commit',
  ])
})

test('a rollover reads its two invoices in full once before and once after it', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Pier')
  const employerId = employerIds[0] as number
  await setRolloverPercentage(server.db, { organizationId }, 1000)
  const source = await createInvoice(server.db, { employerId, status: 'CLOSED', original: 10_00, paid: 20_00 })
  const next = await createInvoice(server.db, { employerId, status: 'DRAFT', original: 90_00 })
  const body = { amount: 50, expected: { [source.id]: 1, [next.id]: 1 } }
  const { sent } = await sentBy(async () => {
    await send('POST', `/invoices/${source.id}/rollover`, body)
  })
  expect(sent.filter((text) => text.includes('in_flight_amount')).length).toBeLessThanOrEqual(4)
})

test('no statement of a repayment is planned again at every call', async () => {
  const clients = new Set<PreparingClient>()
  const { query } = PreparingClient.prototype
  vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(function (this: PreparingClient, ...args) {
    clients.add(this)
    return query.apply(this, args as never)
  })
  for (const invoice of invoices.slice(9)) await pay(invoice)
  vi.restoreAllMocks()
  for (const client of clients) {
    const { rows } = await client.query(
      // PostgreSQL compares the generic plan with five custom plans, and keeps the better kind.
      'select statement from pg_prepared_statements where custom_plans > 5',
    )
    expect(rows).toEqual([])
  }
})

test('a repayment takes one connection, also when the activity of its session is recorded', async () => {
  await sql`update sessions set last_active_at = last_active_at - interval '20 seconds'`.execute(server.db)
  const asked = vi.spyOn(Pool.prototype, 'connect')
  await pay(invoices[8] as TestInvoice)
  expect(asked.mock.calls.length).toBe(1)
  vi.restoreAllMocks()
  const { rows } = await sql`select from sessions where last_active_at < now() - interval '15 seconds'`.execute(server.db)
  expect(rows).toEqual([])
})

test('each change of money needs few round trips to the database', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Quay')
  const employerId = employerIds[0] as number
  await setRolloverPercentage(server.db, { organizationId }, 1000)
  const paid = { employerId, original: 100_00, paid: 40_00 }
  const over = { employerId, status: 'CLOSED', original: 10_00, paid: 20_00 } as const
  const [one, other, rolled, refunded, next] = (await createInvoices(server.db, [
    paid,
    { employerId, original: 100_00 },
    over,
    over,
    { employerId, status: 'DRAFT', original: 90_00 },
  ])) as [TestInvoice, TestInvoice, TestInvoice, TestInvoice, TestInvoice]
  const versionOf = async (table: 'invoices' | 'repayments' | 'write_offs', id: number) =>
    (await server.db.selectFrom(table).select('version').where('id', '=', id).executeTakeFirstOrThrow()).version
  const seen = async (...ids: number[]) =>
    Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await versionOf('invoices', id)])))
  const counts: Record<string, number> = {}
  const countRoundTrips = async (name: string, method: 'POST' | 'PATCH' | 'PUT', path: string, body: Record<string, unknown>) => {
    let answer: Awaited<ReturnType<typeof send>> | undefined
    const { packets } = await sentBy(async () => {
      answer = await send(method, path, body)
    })
    counts[name] = packets
    return answer as Awaited<ReturnType<typeof send>>
  }
  const repayment = one.repaymentId as number
  const share = (invoice: TestInvoice, amount: number) => ({ invoice_id: invoice.id, amount })
  await countRoundTrips('allocate', 'PUT', `/repayments/${repayment}/allocations`, {
    allocations: [share(one, 30_00), share(other, 10_00)],
    version: await versionOf('repayments', repayment),
    expected: await seen(one.id, other.id),
  })
  await countRoundTrips('edit', 'PATCH', `/repayments/${repayment}`, {
    amount: 35_00,
    version: await versionOf('repayments', repayment),
    expected: await seen(one.id, other.id),
  })
  const debit = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 50_00,
    origin: 'ACH_ENTRY',
    allocations: [{ invoiceId: other.id, amount: 50_00 }],
  })
  await countRoundTrips('return', 'POST', `/repayments/${debit.id}/returns`, {
    return_code: 'R01',
    amount: 50_00,
    version: await versionOf('repayments', debit.id),
    expected: await seen(other.id),
  })
  await countRoundTrips('rollover', 'POST', `/invoices/${rolled.id}/rollover`, {
    amount: 50,
    expected: await seen(rolled.id, next.id),
  })
  const version = await versionOf('invoices', refunded.id)
  await countRoundTrips('refund', 'POST', `/invoices/${refunded.id}/refund`, { amount: 5_00, version })
  const { write_offs } = await countRoundTrips('suggest', 'POST', `/invoices/${one.id}/write-offs`, {
    suggestions: [{ line_id: one.lineIds[0], amount: 5_00, reason: 'OTHER', details: 'Left the company' }],
    version: await versionOf('invoices', one.id),
  })
  const [writeOff] = write_offs as [{ id: number; version: number }]
  await countRoundTrips('approve', 'POST', `/write-offs/${writeOff.id}/approve`, {
    amount: 5_00,
    reason: 'Checked',
    version: writeOff.version,
    expected: await seen(one.id),
  })
  await countRoundTrips('reverse', 'POST', `/write-offs/${writeOff.id}/reverse`, {
    reason: 'Was paid',
    version: await versionOf('write_offs', writeOff.id),
    expected: await seen(one.id),
  })
  // The person and permissions once; then the locks, the change and the commit.
  for (const name of ['allocate', 'edit', 'return', 'approve']) expect(counts[name], name).toBeLessThanOrEqual(6)
  for (const name of ['rollover', 'refund', 'reverse']) expect(counts[name], name).toBeLessThanOrEqual(7)
  expect(counts['suggest']).toBeLessThanOrEqual(8)
})
