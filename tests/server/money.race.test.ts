import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { takeBankResult } from '#server/money/bank-results/take.ts'
import { settleAch } from '#server/money/repayments/ach.ts'
import type { Tx } from '#server/tables/database.ts'
import { service } from '#server/tables/ledger.ts'
import { figuresOf, newDebtor, repaymentOf, type Someone, someone, versionsOf } from '#tests/support/billing.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, createInvoices, createRepayment, setRolloverPercentage } from '#tests/support/money.ts'
import { keyed, type Answer } from '#tests/support/server.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'

let server: TestServer
let people: Someone[]
let ada: Someone
let employerId: number
let organization_id: number

beforeAll(async () => {
  server = await createServer()
  people = await Promise.all(['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'].map((name) => someone(server, name)))
  ada = people[0] as Someone
})
afterAll(() => server.close())
beforeEach(async () => {
  const made = await newDebtor(server)
  employerId = made.employerId
  organization_id = made.organizationId
  await setRolloverPercentage(server.db, made, 1000)
})

const figures = (id: number) => figuresOf(server, id)
const versions = (...ids: number[]) => versionsOf(server, ...ids)
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => server.db.transaction().execute(work)
const pay = (who: Someone, body: Record<string, unknown>, headers = keyed()) =>
  who.post('/repayments', repaymentOf(employerId, body), headers)
const to = (id: number, amount: number) => ({ amount, allocations: [{ invoice_id: id, amount }] })
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).sort()

/** Lets the bank report a result for a repayment of a debit; reading it twice concurrently counts once. */
async function bankSays(
  repaymentId: number,
  invoiceId: number,
  said: { code: string; amount: number; on: string; addenda?: string },
) {
  const trace = `0910000${String(repaymentId).padStart(8, '0')}`
  await sql`insert into ach_debits (organization_id, invoice_id, repayment_id, amount, debit_date, state)
    select organization_id, ${invoiceId}, ${repaymentId}, amount, repayment_date, 'SETTLED' from repayments
    where id = ${repaymentId} and not exists (select from ach_debits where repayment_id = ${repaymentId})`.execute(server.db)
  await sql`update ach_debits set trace_number = ${trace} where repayment_id = ${repaymentId}`.execute(server.db)
  // Settled by the fixture or the test without a result of the bank.
  await sql`insert into ach_results (trace_number, code, amount, effective_date, taken_at, state, repayment_id)
    select ${trace}, 'SETTLED', amount, coalesce(effective_date, repayment_date), now(), 'BOOKED', id from repayments
    where id = ${repaymentId} and ach_state = 'COMPLETED' on conflict do nothing`.execute(server.db)
  await sql`update repayments set effective_date = coalesce(effective_date, repayment_date)
    where id = ${repaymentId} and ach_state = 'COMPLETED'`.execute(server.db)
  // A bank answers no debit that was not submitted.
  await sql`update repayments set repayment_date = least(repayment_date, ${said.on}::date) where id = ${repaymentId}`.execute(
    server.db,
  )
  const { rows } = await sql<{ id: number }>`insert into ach_results (trace_number, code, amount, addenda, effective_date)
    values (${trace}, ${said.code}, ${said.amount}, ${said.addenda ?? ''}, ${said.on}) returning id`.execute(server.db)
  return () => inTransaction((tx) => takeBankResult(tx, rows[0]?.id as number, { today: said.on, now: new Date() }))
}

test.each([
  ['by itself', () => ({ amount: 60_00 })],
  ['explicitly', (id: number) => to(id, 60_00)],
] as const)(
  '[INV-018] of concurrent repayments, allocated %s, one is accepted and all others get a conflict',
  async (_, body) => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await createInvoice(server.db, { employerId, original: 60_00 })
      const answers = await Promise.all(
        people.map((who) => pay(who, { ...body(id), descriptor: `Round ${round}`, expected: { [id]: 1 } })),
      )
      expect(statuses(answers)).toEqual([201, 409, 409, 409, 409, 409])
      for (const { body: problem } of answers.filter((answer) => answer.status === 409))
        expect(problem).toMatchObject({
          code: 'stale-version',
          detail: 'Invoice was closed in the meantime. Look at it as it is now, then try again.',
          facts: [{ id, status: 'CLOSED', outstanding_amount: 0, version: 2 }],
        })
      expect(await figures(id)).toMatchObject({ status: 'CLOSED', paid_amount: 60_00 })
    }
    expect(await auditMoney(server.db)).toEqual([])
  },
)

test('[INV-018] [ERR-031] concurrent partial payments with fresh versions take exactly the owed amount', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 50_00 })
  let refused = 0
  let turn = 0
  const paid = await Promise.all(
    people.map(async (who) => {
      let sum = 0
      for (;;) {
        const fresh = (await who.get(`/invoices/${id}`)).body
        if (fresh.status === 'CLOSED') return sum
        const amount = Math.min(7_00, fresh.outstanding_amount)
        turn += 1
        const answer = await pay(who, { amount, descriptor: `Part ${turn}`, expected: { [id]: fresh.version } })
        if (answer.status === 201) sum += amount
        else refused += 1
        expect([201, 409]).toContain(answer.status)
      }
    }),
  )
  expect(paid.reduce((sum, each) => sum + each, 0)).toBe(50_00)
  expect(refused).toBeGreaterThan(0)
  expect(await figures(id)).toMatchObject({ status: 'CLOSED', paid_amount: 50_00, outstanding_amount: 0 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('a repayment sent twice or after a lost answer is one; its key with another body is refused', async () => {
  const { id } = await createInvoice(server.db, { employerId, original: 60_00 })
  const key = { 'idempotency-key': randomUUID() }
  const body = { ...to(id, 20_00), expected: { [id]: 1 } }
  // The first response is not read: the connection is aborted during the call.
  const lost = new AbortController()
  const first = fetch(`${server.origin}/api/repayments`, {
    method: 'POST',
    headers: { ...ada.headers, ...key, 'content-type': 'application/json' },
    body: JSON.stringify(repaymentOf(employerId, body)),
    signal: lost.signal,
  }).catch(() => null)
  setTimeout(() => lost.abort(), 5)
  const answers = await Promise.all([pay(ada, body, key), pay(ada, body, key), pay(ada, body, key)])
  await first
  expect(statuses(answers)).toEqual([201, 201, 201])
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  const other = await pay(ada, { ...to(id, 21_00), expected: { [id]: 2 } }, key)
  expect([other.status, other.body.code]).toEqual([409, 'idempotency-key-reused'])
  expect(await figures(id)).toMatchObject({ paid_amount: 20_00, version: 2 })
  const { count } = (await ada.get(`/repayments/count?debtor-id=${employerId}`)).body
  expect(count).toBe(1)
})

test('[REP-004] [REP-005] a pending debit that somebody paid by hand in the meantime settles as closed and overpaid', async () => {
  for (let round = 0; round < 3; round += 1) {
    const invoice = await createInvoice(server.db, { employerId, original: 60_00, status: 'PROCESSING' })
    const repaymentId = invoice.repaymentId as number
    const recordReturn = async (): Promise<void> => {
      const answer = await pay(ada, {
        ...to(invoice.id, 60_00),
        descriptor: `Round ${round}`,
        expected: await versions(invoice.id),
      })
      if (answer.status === 409) await recordReturn()
    }
    const settle = () =>
      inTransaction((tx) => settleAch(tx, service, { id: repaymentId, organization_id }, '2026-02-05', new Date()))
    if (round === 0) {
      await recordReturn()
      expect(await figures(invoice.id)).toMatchObject({ status: 'PROCESSING', paid_amount: 60_00, outstanding_amount: 0 })
      await settle()
    } else await Promise.all([recordReturn(), settle(), settle()])
    const after = (await ada.get(`/invoices/${invoice.id}`)).body
    expect(after).toMatchObject({
      status: 'CLOSED',
      outstanding_amount: -60_00,
      derived: ['OVERPAID'],
      ach: { state: 'SETTLED' },
    })
    expect((await ada.get(`/repayments/${repaymentId}`)).body).toMatchObject({
      ach_state: 'COMPLETED',
      reconciliation_status: 'RECONCILED',
      effective_date: '2026-02-05',
      allocations: [{ counted: true }],
    })
  }
  expect(await auditMoney(server.db)).toEqual([])
})

test('an R01 after its credit was sent returns the source, keeps the other, flags the debtor', async () => {
  const source = await createInvoice(server.db, { employerId, original: 100_00, status: 'PROCESSING' })
  const next = await createInvoice(server.db, { employerId, original: 80_00, status: 'DRAFT', dueDate: 20 })
  await pay(ada, { ...to(source.id, 30_00), expected: { [source.id]: 1 } })
  await inTransaction((tx) =>
    settleAch(tx, service, { id: source.repaymentId as number, organization_id }, '2026-02-05', new Date()),
  )
  const rolled = await ada.post(
    `/invoices/${source.id}/rollover`,
    {
      amount: 10_00,
      expected: await versions(source.id, next.id),
    },
    keyed(),
  )
  expect(rolled.status, JSON.stringify(rolled.body)).toBe(200)
  await sql`update invoices set status = 'SENT' where id = ${next.id}`.execute(server.db)
  const before = await figures(next.id)
  const take = await bankSays(source.repaymentId as number, source.id, { code: 'R01', amount: 100_00, on: '2026-02-06' })
  const [, , clash] = await Promise.all([
    take(),
    take(),
    ada.post(`/invoices/${source.id}/reopen`, { version: (await figures(source.id)).version }, keyed()),
  ])
  expect(clash?.status).toBe(409)
  expect((await ada.get(`/invoices/${source.id}`)).body).toMatchObject({
    status: 'RETURNED',
    paid_amount: 20_00,
    outstanding_amount: 80_00,
    rollover_out_amount: 10_00,
    debtor_flagged: true,
    ach: { state: 'RETURNED', return_code: 'R01' },
  })
  expect(await figures(next.id)).toEqual(before)
  const { rows } = await sql`select debtor_id, invoice_id from debtor_flags where debtor_id = ${employerId}`.execute(server.db)
  expect(rows).toEqual([{ debtor_id: employerId, invoice_id: source.id }])
  expect(await auditMoney(server.db)).toEqual([])
})

test('[ENT-100] a return over three invoices reported concurrently counts once, to the cent', async () => {
  const originals = [33_34, 33_33, 33_33]
  const invoices = await createInvoices(
    server.db,
    originals.map((original) => ({ employerId, original, status: 'CLOSED' })),
  )
  const { id } = await createRepayment(server.db, {
    debtor: { type: 'EMPLOYER', id: employerId },
    amount: 100_00,
    origin: 'ACH_ENTRY',
    allocations: invoices.map((invoice, at) => ({ invoiceId: invoice.id, amount: originals[at] as number })),
  })
  const expected = await versionsOf(server, ...invoices.map((invoice) => invoice.id))
  const body = { return_code: 'R01', amount: 50_01, addenda: 'trace 7', version: 1, expected }
  const { rows: days } = await sql<{ today: string }>`select business_date()::text as today`.execute(server.db)
  const said = { code: 'R01', amount: 50_01, addenda: 'trace 7', on: days[0]?.today as string }
  const take = await bankSays(id, invoices[0]?.id as number, said)
  const [byService, ...answers] = await Promise.all([
    take(),
    ...people.map((who) => who.post(`/repayments/${id}/returns`, body, keyed())),
  ])
  expect(byService).toBe('returned')
  expect(new Set(statuses(answers))).toEqual(new Set([200]))
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  const after = await Promise.all(invoices.map((invoice) => figures(invoice.id)))
  expect(after.map((each) => each.outstanding_amount).reduce((sum, each) => sum + each, 0)).toBe(50_01)
  // Only the first was debited; its payments of the others are owed again.
  expect(after.map(({ status }) => status)).toEqual(['PARTIALLY_RETURNED', 'SENT', 'SENT'])
  // If a person was first, the bank's confirmation changes once more what may be debited for the first.
  expect([2, 3]).toContain(after[0]?.version)
  expect(after.slice(1).map(({ version }) => version)).toEqual([2, 2])
  expect((await ada.get(`/repayments/count?debtor-id=${employerId}&origin=RETURN`)).body.count).toBe(1)
  expect(await auditMoney(server.db)).toEqual([])
})

test('[REP-009] [ERR-032] [ERR-033] concurrent payback, rollover and refund of the same overpaid cents: one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const source = await createInvoice(server.db, { employerId, original: 300_00, paid: 330_00, status: 'CLOSED' })
    const next = await createInvoice(server.db, { employerId, original: 80_00, status: 'DRAFT', dueDate: 20 + round })
    const taker = (await ada.get(`/invoices/${source.id}/overpayment`)).body.next_invoice?.id ?? next.id
    const expected = await versions(source.id, taker)
    const answers = await Promise.all([
      pay(people[1] as Someone, { ...to(source.id, -30_00), descriptor: `Round ${round}`, expected: { [source.id]: 1 } }),
      (people[2] as Someone).post(`/invoices/${source.id}/rollover`, { amount: 30_00, expected }, keyed()),
      (people[3] as Someone).post(`/invoices/${source.id}/refund`, { amount: 30_00, version: 1 }, keyed()),
    ])
    const good = answers.filter((answer) => answer.status < 300)
    expect(good, JSON.stringify(answers.map((answer) => answer.body))).toHaveLength(1)
    for (const lost of answers.filter((answer) => answer.status >= 300))
      expect([lost.status, lost.body.code]).toEqual([409, 'stale-version'])
    const words = (at: number) => `There was a problem with the ${at === 1 ? 'Rollover' : 'Refund'} request, or your Invoice`
    for (const at of [1, 2]) if (answers[at]?.status === 409) expect(answers[at]?.body.detail).toContain(words(at))
    expect(await figures(source.id)).toMatchObject({ outstanding_amount: 0, version: 2 })
  }
  expect(await auditMoney(server.db)).toEqual([])
})
