import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { HistoryEvent } from '#contract/history.ts'
import { absorbRefunds } from '#server/money/credits/absorb-refunds.ts'
import { bankOf, ensureAccount, setToday } from '#tests/support/bank.ts'
import { clientOf, figuresOf, someone, type Someone, versionsOf } from '#tests/support/billing.ts'
import { createCompany } from '#tests/support/company.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createInvoice, createRepayment, setRolloverPercentage } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { createServer, keyed, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

// One organization that is billed as a whole, with two employers; Mia manages only one of them.
let server: TestServer
let ada: Someone
let mia: Pick<Someone, 'get' | 'post' | 'put' | 'patch'>
let organizationId: number
let own: number
let sibling: number

async function managerOf(grants: ({ employerId: number } | { organizationId: number })[]) {
  const rights = { kind: 'ACCOUNT_MANAGER' as const, name: 'Mia Manager', permissions: [1, 3, 1001, 1008] }
  return clientOf(server, await signInAs(server, await createPerson(server.db, { ...rights, grants })))
}

beforeAll(async () => {
  server = await createServer()
  ada = await someone(server, 'Ada Admin')
})
afterAll(() => server.close())
beforeEach(async () => {
  const company = await createCompany(server.db, 'Harbor', 2)
  organizationId = company.organizationId
  ;[own, sibling] = company.employerIds as [number, number]
  await setRolloverPercentage(server.db, { organizationId }, 1000)
  mia = await managerOf([{ employerId: own }])
})

const debtor = () => ({ type: 'ORGANIZATION' as const, id: organizationId })
const invoiceOf = (employerId: number, more: Partial<Parameters<typeof createInvoice>[1]> = {}) =>
  createInvoice(server.db, { employerId, debtor: debtor(), ...more })
const overpaid = () => invoiceOf(own, { status: 'CLOSED', paid: 130_00 })
/** Invoices of both employers that one of them owes, so that who manages only that one sees the debtor and not the other invoice. */
const ownDebtor = () => ({ type: 'EMPLOYER' as const, id: own })
const draftOf = (employerId: number, dueDate: number) => invoiceOf(employerId, { status: 'DRAFT', dueDate, original: 80_00 })

test('[PERM-003] a rollover neither shows nor changes the invoice of an inaccessible employer', async () => {
  const source = await overpaid()
  const next = await draftOf(sibling, 10)
  const before = [await figuresOf(server, source.id), await figuresOf(server, next.id)]
  const guesses = [{}, { [source.id]: 1 }, { [source.id]: 1, [next.id]: 1 }, { [source.id]: 7, [next.id]: 1 }]
  for (const expected of guesses) {
    const answer = await mia.post(`/invoices/${source.id}/rollover`, { amount: 5_00, expected }, keyed())
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).not.toMatch(new RegExp(`${next.id}|Works 2|80_?00`))
  }
  const refused = await mia.post(`/invoices/${source.id}/rollover`, { amount: 5_00, expected: { [source.id]: 1 } }, keyed())
  expect(refused.body).toMatchObject({ status: 409, code: 'no-next-invoice' })
  expect((await mia.get(`/invoices/${source.id}/overpayment`)).body).toMatchObject({ next_invoice: null })
  expect([await figuresOf(server, source.id), await figuresOf(server, next.id)]).toEqual(before)
})

test('a rollover to the next invoice goes where that is accessible', async () => {
  const source = await overpaid()
  const next = await draftOf(own, 10)
  await draftOf(sibling, 20)
  const expected = await versionsOf(server, source.id, next.id)
  const rolled = await mia.post(`/invoices/${source.id}/rollover`, { amount: 5_00, expected }, keyed())
  expect(rolled.status, JSON.stringify(rolled.body)).toBe(200)
  expect(await figuresOf(server, next.id)).toMatchObject({ rollover_amount: 5_00 })
})

test('the ledger names other invoices and repayments only where they are accessible', async () => {
  const source = await invoiceOf(sibling, { status: 'CLOSED', paid: 130_00 })
  const taker = await draftOf(own, 10)
  const rolled = await ada.post(
    `/invoices/${source.id}/rollover`,
    {
      amount: 5_00,
      expected: await versionsOf(server, source.id, taker.id),
    },
    keyed(),
  )
  expect(rolled.status, JSON.stringify(rolled.body)).toBe(200)
  const credited = async (who: Pick<Someone, 'get'>) =>
    (await who.get(`/invoices/${taker.id}/ledger`)).body.entries.find((entry: { kind: string }) => entry.kind === 'ROLLOVER_IN')
  expect(await credited(ada)).toMatchObject({ amount: 5_00, counter_invoice_id: source.id })
  expect(await credited(mia)).toMatchObject({ amount: 5_00, counter_invoice_id: null })

  const paid = await invoiceOf(own, { original: 50_00 })
  const added = await ada.post(
    '/repayments',
    {
      debtor_type: 'ORGANIZATION',
      debtor_id: organizationId,
      amount: 20_00,
      repayment_date: '2026-02-03',
      allocations: [{ invoice_id: paid.id, amount: 20_00 }],
      expected: await versionsOf(server, paid.id),
    },
    keyed(),
  )
  const payment = async (who: Pick<Someone, 'get'>) =>
    (await who.get(`/invoices/${paid.id}/ledger`)).body.entries.find((entry: { kind: string }) => entry.kind === 'PAYMENT')
  expect(await payment(ada)).toMatchObject({ amount: 20_00, repayment_id: added.body.id })
  expect(await payment(mia)).toMatchObject({ amount: 20_00, repayment_id: null })
  const newestText = async (who: Pick<Someone, 'get'>) => (await who.get(`/invoices/${paid.id}/history`)).body.events[0].text
  expect(await newestText(ada)).toBe(added.body.reference_id)
  expect(await newestText(mia)).toBe('a repayment')
})

test("a refund of an organization's debt is hidden without access to the organization", async () => {
  const source = await overpaid()
  const next = await draftOf(sibling, 10)
  const refused = await mia.post(`/invoices/${source.id}/refund`, { amount: 5_00, version: 1 }, keyed())
  expect(refused.body).toMatchObject({ status: 409, code: 'beyond-access' })
  expect(JSON.stringify(refused.body)).not.toContain(String(next.id))
  expect(await figuresOf(server, source.id)).toMatchObject({ status: 'CLOSED', version: 1 })

  const whole = await managerOf([{ organizationId }])
  expect((await whole.post(`/invoices/${source.id}/refund`, { amount: 5_00, version: 1 }, keyed())).body).toMatchObject({
    status: 'REFUND_IN_PROGRESS',
  })
  await server.db.transaction().execute((tx) => absorbRefunds(tx, next.id, new Date()))
  expect(await figuresOf(server, next.id)).toMatchObject({ rollover_amount: 5_00 })
})

test('[PERM-003] the repayments of the organization are hidden, and cannot be changed or added', async () => {
  const invoice = await invoiceOf(own, { original: 50_00 })
  const repayment = await createRepayment(server.db, {
    debtor: debtor(),
    amount: 20_00,
    allocations: [{ invoiceId: invoice.id, amount: 10_00 }],
  })
  const expected = await versionsOf(server, invoice.id)
  const body = { debtor_type: 'ORGANIZATION', debtor_id: organizationId, amount: 1_00, repayment_date: '2026-02-03', expected }
  for (const answer of [
    await mia.get(`/repayments/${repayment.id}`),
    await mia.get(`/repayments/${repayment.id}/history`),
    await mia.patch(`/repayments/${repayment.id}`, { amount: 1_00, version: 1, expected }, keyed()),
    await mia.put(`/repayments/${repayment.id}/allocations`, { allocations: [], version: 1, expected }, keyed()),
    await mia.post(`/repayments/${repayment.id}/returns`, { return_code: 'R01', amount: 1_00, version: 1, expected }, keyed()),
    await mia.post('/repayments', body, keyed()),
    await mia.post('/repayments', { ...body, allocations: [{ invoice_id: invoice.id, amount: 1_00 }] }, keyed()),
  ])
    expect([answer.status, answer.body.code]).toEqual([404, 'not-found'])
  for (const query of ['', `?invoice-id=${invoice.id}`, `?q=INV-${invoice.id}`, `?q=REP-${repayment.id}`])
    expect((await mia.get(`/repayments${query}`)).body.repayments).toEqual([])
  expect((await mia.get('/repayments/amounts')).body).toMatchObject({ total_amount: 0 })
})

test('allocations to inaccessible invoices are hidden, and make a repayment read-only', async () => {
  const mine = await invoiceOf(own, { original: 50_00, debtor: ownDebtor() })
  const theirs = await invoiceOf(sibling, { original: 50_00, debtor: ownDebtor() })
  const { id } = await createRepayment(server.db, {
    debtor: ownDebtor(),
    amount: 30_00,
    allocations: [
      { invoiceId: mine.id, amount: 20_00 },
      { invoiceId: theirs.id, amount: 10_00 },
    ],
  })
  for (const answer of [(await mia.get(`/repayments/${id}`)).body, (await mia.get('/repayments')).body.repayments[0]])
    expect(answer).toMatchObject({ amount: 30_00, allocations: [{ invoice_id: mine.id, amount: 20_00 }] })
  expect((await mia.get(`/repayments?invoice-id=${theirs.id}`)).body.repayments).toEqual([])
  const expected = await versionsOf(server, mine.id)
  for (const answer of [
    await mia.put(`/repayments/${id}/allocations`, { allocations: [], version: 1, expected }, keyed()),
    await mia.patch(`/repayments/${id}`, { amount: 25_00, version: 1, expected }, keyed()),
    await mia.post(`/repayments/${id}/returns`, { return_code: 'R01', amount: 30_00, version: 1, expected }, keyed()),
  ])
    expect(answer.body).toMatchObject({ status: 409, code: 'beyond-access' })
  expect(await figuresOf(server, theirs.id)).toMatchObject({ paid_amount: 10_00, version: 1 })
  expect(await auditMoney(server.db)).toEqual([])
})

test('[PERM-003] the history of a repayment has only allocations to accessible invoices', async () => {
  const mine = await invoiceOf(own, { original: 50_00, debtor: ownDebtor() })
  const theirs = await invoiceOf(sibling, { original: 50_00, debtor: ownDebtor() })
  const { body: made } = await ada.post(
    '/repayments',
    {
      debtor_type: 'EMPLOYER',
      debtor_id: own,
      amount: 30_00,
      repayment_date: '2026-06-15',
      allocations: [
        { invoice_id: mine.id, amount: 20_00 },
        { invoice_id: theirs.id, amount: 10_00 },
      ],
      expected: await versionsOf(server, mine.id, theirs.id),
    },
    keyed(),
  )
  await ada.put(
    `/repayments/${made.id}/allocations`,
    {
      allocations: [{ invoice_id: mine.id, amount: 20_00 }],
      version: made.version,
      expected: await versionsOf(server, mine.id, theirs.id),
    },
    keyed(),
  )
  const [ours, others] = [
    { number: `INV-${mine.id}`, amount: 20_00 },
    { number: `INV-${theirs.id}`, amount: 10_00 },
  ]
  const changesFor = async (person: Pick<Someone, 'get'>) =>
    Promise.all(
      [`/repayments/${made.id}/history`, `/audit-events?kind=repayment&record=${made.id}`].map(async (path) => {
        const { body } = await person.get(path)
        return (body.events ?? body.audit_events).map(({ changes }: HistoryEvent) =>
          changes.filter(({ field }) => field === 'allocations'),
        )
      }),
    )
  const change = (before: unknown, after: unknown) => [{ field: 'allocations', before, after }]
  const [seen, audited] = await changesFor(ada)
  expect(seen).toEqual([change([ours, others], [ours]), change(null, [ours, others])])
  expect(audited).toEqual(seen)
  for (const events of await changesFor(mia)) expect(events).toEqual([[], change([], [ours])])
})

test('a bank result of an inaccessible invoice reveals nothing of it, and cannot be booked', async () => {
  const bank = bankOf(server.db)
  const { id } = await invoiceOf(sibling, { status: 'SCHEDULED', debtor: ownDebtor() })
  await ensureAccount(server.db, sibling)
  await setToday(server.db, '2027-03-02')
  await bank.round()
  const [debit] = bank.debits
  await bank.says({ trace: debit?.trace_number as string, code: 'R01', amount: 40_00, on: '2020-01-01' })
  const [stands] = (await mia.get('/bank-results')).body.bank_results
  expect(stands).toMatchObject({ amount: 40_00, invoice: null })
  expect((await mia.get(`/bank-results/count?q=INV-${id}`)).body.count).toBe(0)
  expect((await ada.get(`/bank-results/count?q=INV-${id}`)).body.count).toBe(1)
  for (const expected of [{}, { [id]: 7 }, await versionsOf(server, id)]) {
    const answer = await mia.post(`/bank-results/${stands.id}/book`, { reason: 'x', version: stands.version, expected }, keyed())
    expect(answer.body).toMatchObject({ status: 409, code: 'beyond-access' })
    expect(JSON.stringify(answer.body)).not.toContain(String(id))
  }
  const dismissed = await mia.post(`/bank-results/${stands.id}/dismiss`, { reason: 'x', version: stands.version }, keyed())
  expect(dismissed.body).toMatchObject({ state: 'DISMISSED', invoice: null })
})

test('[PERM-003] facts of a debtor are shown, and filtered by, only with access to the debtor itself', async () => {
  const mine = await invoiceOf(own, { status: 'REFUND_IN_PROGRESS', paid: 130_00 })
  const theirs = await invoiceOf(sibling, { status: 'SENT' })
  await sql`insert into credits (organization_id, kind, invoice_id, amount, state) values (${organizationId}, 'REFUND', ${mine.id}, 1000, 'WAITING')`.execute(
    server.db,
  )
  await sql`insert into debtor_flags (organization_id, debtor_type, debtor_id, invoice_id, reason)
    values (${organizationId}, 'ORGANIZATION', ${organizationId}, ${theirs.id}, 'x')`.execute(server.db)
  const whole = await managerOf([{ organizationId }])
  const debtorFacts = async (who: Pick<Someone, 'get'>) => {
    const found = async (filter: string): Promise<number[]> =>
      (await who.get(`/invoices?limit=50&employer-id=${own}&${filter}`)).body.data.map((one: { id: number }) => one.id)
    const { debtor_flagged, active_account_count } = (await who.get(`/invoices/${mine.id}`)).body
    return {
      flagged: debtor_flagged,
      accounts: active_account_count !== null,
      found: await found('debtor-flagged=YES'),
      others: await found('debtor-flagged=NO'),
      stranded: await found('stranded-refund=YES'),
    }
  }
  expect(await debtorFacts(mia)).toEqual({ flagged: false, accounts: false, found: [], others: [mine.id], stranded: [] })
  expect(await debtorFacts(whole)).toEqual({ flagged: true, accounts: true, found: [mine.id], others: [], stranded: [mine.id] })
})
