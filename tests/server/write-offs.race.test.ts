import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { versionsBehind } from '#tests/support/billing.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, type InvoiceInput } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { type Answer, call, createServer, keyed, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let employerId: number
let tom: SignedIn
let priya: SignedIn
let noor: SignedIn

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  tom = await personWith(server, [1, 1001, 1008], 'Tom Berg')
  priya = await personWith(server, [1, 1001, 1008], 'Priya Raman')
  noor = await personWith(server, [1, 1001, 1008], 'Noor Haddad')
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})

const post = (path: string, body: unknown, { headers }: SignedIn, key?: string) =>
  call(server, 'POST', path, { headers: { ...keyed(headers), ...(key && { 'idempotency-key': key }) }, body })
/** Decides on a write-off, with the current version of its invoice. */
const decide = async (id: number, step: 'approve' | 'reverse', body: object, who: SignedIn, key?: string) =>
  post(`/write-offs/${id}/${step}`, { expected: await versionsBehind(server, 'write-offs', id), ...body }, who, key)
const invoiceWith = (more: Partial<InvoiceInput> = {}) =>
  createInvoice(server.db, { employerId, original: 300_00, lineCount: 3, ...more })
const suggestion = (line_id: number, amount: number, version = 1) => ({
  suggestions: [{ line_id, amount, reason: 'EMPLOYEE_TERMINATED' }],
  version,
})
const approval = (amount: number, version = 1) => ({ amount, reason: 'Left', version })
const statuses = (answers: readonly Answer[]) => answers.map((answer) => answer.status).sort()
const rounds = 8

/** An invoice with a suggestion by Tom on its first line. */
async function invoiceWithSuggestion(amount: number, more: Partial<InvoiceInput> = {}) {
  const invoice = await invoiceWith(more)
  const lineId = invoice.lineIds[0] as number
  const { id } = await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount, by: tom })
  return { invoice, lineId, id }
}

/** The stored amounts of an invoice, and that its lines equal its ledger. */
async function storedAmounts(invoiceId: number) {
  const { rows } = await sql<{
    status: string
    writeoff_amount: number
    lines: number
    entries: number
    deduction: string | null
    pending: number
  }>`
    select i.status, i.writeoff_amount, (select sum(writeoff_amount)::bigint from invoice_lines where invoice_id = i.id) as lines,
      (select count(*)::int from ledger_entries where invoice_id = i.id and kind = 'WRITE_OFF') as entries,
      (select status from deductions where invoice_id = i.id) as deduction,
      (select count(*)::int from write_offs where invoice_id = i.id and status = 'PENDING') as pending
    from invoices i where i.id = ${invoiceId}`.execute(server.db)
  const [row] = rows
  expect(row?.lines).toBe(row?.writeoff_amount)
  return row
}

test('[DED-006] of a concurrent suggestion and approval of the deduction exactly one wins, in either order', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const invoice = await invoiceWith({ status: 'ON_DEDUCTION_FILE' })
    const suggest = () => post(`/invoices/${invoice.id}/write-offs`, suggestion(invoice.lineIds[0] as number, 10_00), tom)
    const approve = () => post(`/deductions/${invoice.deductionId}/approve`, { version: 1 }, priya)
    const [one, other] = await Promise.all(round % 2 === 0 ? [suggest(), approve()] : [approve(), suggest()])
    const [suggestionMade, approved] = round % 2 === 0 ? [one, other] : [other, one]
    const now = await storedAmounts(invoice.id)
    if (suggestionMade.status === 201) {
      expect([approved.status, approved.body.detail]).toEqual([409, 'Approve is not possible while write-offs are pending.'])
      expect(now).toMatchObject({ status: 'ON_DEDUCTION_FILE', deduction: 'PENDING', pending: 1 })
    } else {
      expect([suggestionMade.status, suggestionMade.body.code, approved.status]).toEqual([409, 'stale-version', 200])
      expect(now).toMatchObject({ status: 'DEDUCTION_APPROVED', deduction: 'APPROVED', pending: 0 })
    }
  }
})

test.each(['suggestion', 'approval'] as const)(
  '[DED-006] while one is running the other waits for it, and loses: %s first',
  async (first) => {
    const invoice = await invoiceWith({ status: 'ON_DEDUCTION_FILE' })
    const suggest = () => post(`/invoices/${invoice.id}/write-offs`, suggestion(invoice.lineIds[0] as number, 10_00), tom)
    const approve = () => post(`/deductions/${invoice.deductionId}/approve`, { version: 1 }, priya)
    const hold = await server.pool.connect()
    try {
      await hold.query('begin')
      await hold.query('select 1 from invoices where id = $1 for update', [invoice.id])
      const before = first === 'suggestion' ? suggest() : approve()
      await waitingFor(1)
      const after = first === 'suggestion' ? approve() : suggest()
      await waitingFor(2)
      await hold.query('commit')
      expect((await before).status).toBe(first === 'suggestion' ? 201 : 200)
      expect((await after).status).toBe(409)
    } finally {
      hold.release()
    }
  },
)

/** Waits until this number of calls wait for a lock. */
async function waitingFor(count: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db)
    if ((rows[0]?.waiting ?? 0) >= count) return
  }
}

test('[SCR-062] of several concurrent approvers one approves, once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { invoice, id } = await invoiceWithSuggestion(80_00)
    const answers = await Promise.all([
      decide(id, 'approve', approval(80_00), priya),
      decide(id, 'approve', approval(50_00), noor),
      decide(id, 'approve', approval(80_00), tom),
      post(`/write-offs/${id}/reject`, { reason: 'No', version: 1 }, noor),
    ])
    expect(statuses(answers)).toEqual([200, 409, 409, 409])
    expect(answers[2]?.status).toBe(409)
    const [one] = answers.filter((answer) => answer.status === 200)
    const now = await storedAmounts(invoice.id)
    expect(now?.writeoff_amount).toBe(one?.body.approved_amount ?? 0)
    expect(now?.entries).toBe(one?.body.status === 'APPROVED' ? 1 : 0)
  }
})

test('[SCR-062] the same approval sent twice concurrently under one key is one, with one answer', async () => {
  const { invoice, id } = await invoiceWithSuggestion(80_00)
  const answers = await Promise.all(
    [1, 2, 3].map(() => decide(id, 'approve', { ...approval(80_00), expected: { [invoice.id]: 1 } }, priya, 'twice')),
  )
  expect(statuses(answers)).toEqual([200, 200, 200])
  expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
  expect(await storedAmounts(invoice.id)).toMatchObject({ writeoff_amount: 80_00, entries: 1 })
})

test('[SCR-061] of several concurrent suggestions for one line one is stored', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const invoice = await invoiceWith()
    const lineId = invoice.lineIds[0] as number
    const answers = await Promise.all(
      [tom, priya, noor].map((person) => post(`/invoices/${invoice.id}/write-offs`, suggestion(lineId, 60_00), person)),
    )
    expect(statuses(answers)).toEqual([201, 409, 409])
    expect(await storedAmounts(invoice.id)).toMatchObject({ pending: 1 })
  }
})

test('[SCR-062] concurrent approvals of several lines all count, once repeated with the new version', async () => {
  const invoice = await invoiceWith({ original: 300_00, lineCount: 6 })
  const ids: number[] = []
  for (const lineId of invoice.lineIds)
    ids.push((await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount: 50_00, by: tom })).id)
  const answers = await Promise.all(
    ids.map(async (id, at) => {
      for (;;) {
        const answer = await decide(id, 'approve', approval(50_00), at % 2 ? priya : noor)
        if (answer.body.code !== 'stale-version') return answer
      }
    }),
  )
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 200, 200])
  expect(await storedAmounts(invoice.id)).toMatchObject({ status: 'CLOSED', writeoff_amount: 300_00, entries: 6 })
})

test('[SCR-062] undone twice concurrently, it is undone once', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { invoice, id } = await invoiceWithSuggestion(80_00)
    await decide(id, 'approve', approval(80_00), priya)
    const undo = { reason: 'Wrong', version: 2 }
    const answers = await Promise.all([tom, priya, noor].map((person) => decide(id, 'reverse', undo, person)))
    expect(statuses(answers)).toEqual([200, 409, 409])
    expect(await storedAmounts(invoice.id)).toMatchObject({ writeoff_amount: 0, entries: 2 })
  }
})

test('[SCR-062] undone while the invoice is closed, one of the two wins', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { invoice, id } = await invoiceWithSuggestion(80_00)
    await decide(id, 'approve', approval(80_00), priya)
    const [undone, closed] = await Promise.all([
      decide(id, 'reverse', { reason: 'Wrong', version: 2 }, priya),
      post(`/invoices/${invoice.id}/close`, { version: 2 }, tom),
    ])
    const now = await storedAmounts(invoice.id)
    if (undone.status === 200) {
      expect([closed.status, closed.body.code]).toEqual([409, 'stale-version'])
      expect(now).toMatchObject({ status: 'SENT', writeoff_amount: 0 })
    } else {
      expect([undone.status, undone.body.detail, closed.status]).toEqual([
        409,
        'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.',
        200,
      ])
      expect(now).toMatchObject({ status: 'CLOSED', writeoff_amount: 80_00 })
    }
  }
})

test('[SCR-062] undone while the invoice is reopened, it counts only after that', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { invoice, id } = await invoiceWithSuggestion(100_00, { original: 100_00, lineCount: 1 })
    await decide(id, 'approve', approval(100_00), priya)
    const [reopened, undone] = await Promise.all([
      post(`/invoices/${invoice.id}/reopen`, { version: 2 }, tom),
      decide(id, 'reverse', { reason: 'Wrong', version: 2 }, priya),
    ])
    expect(reopened.status, JSON.stringify(reopened.body)).toBe(200)
    const now = await storedAmounts(invoice.id)
    if (undone.status === 200) expect(now).toMatchObject({ status: 'SENT', writeoff_amount: 0, entries: 2 })
    else {
      // Refused by its state, or because the person saw an older version of the invoice.
      expect(undone.status).toBe(409)
      expect(['status-forbids', 'stale-version']).toContain(undone.body.code)
      expect(now).toMatchObject({ status: 'SENT', writeoff_amount: 100_00, entries: 1 })
    }
  }
})

test('[DED-005] of several concurrent approvals, deliveries or confirmations each step is taken once', async () => {
  const invoice = await invoiceWith({ status: 'ON_DEDUCTION_FILE', confirmationFlow: 'SINGLE' })
  const confirmations = invoice.lineIds.map((line_id) => ({ line_id, withheld_amount: 100_00 }))
  for (const [at, [step, body]] of [
    ['approve', {}] as const,
    ['deliver', {}] as const,
    ['confirmations', { confirmations }] as const,
  ].entries()) {
    const answers = await Promise.all(
      [tom, priya, noor].map((person) =>
        post(`/deductions/${invoice.deductionId}/${step}`, { ...body, version: at + 1 }, person),
      ),
    )
    expect([step, statuses(answers)]).toEqual([step, [200, 409, 409]])
  }
  const { rows } = await sql`select 1 from audit_events where entity = 'deduction'
    and entity_id = ${String(invoice.deductionId)}`.execute(server.db)
  expect(rows).toHaveLength(3)
})
