import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { versionsBehind } from '#tests/support/billing.ts'
import { createCompany, organizationOfInvoice } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, type InvoiceInput } from '#tests/support/money.ts'
import { auditMoney } from '#tests/support/money-audit.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

const problem =
  'There was a problem with the Write-off request, or your Invoice Status has changed. Refresh the page and try again.'

let server: TestServer
let employerId: number
let suggester: SignedIn
let approver: SignedIn
let chief: Headers

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  suggester = await personWith(server, [1, 1001, 1008], 'Tom Berg')
  approver = await personWith(server, [1, 1008], 'Priya Raman')
  chief = await signInAs(server, await createPerson(server.db, { name: 'Ada Admin', groups: [1] }))
})
afterAll(async () => {
  expect(await auditMoney(server.db)).toEqual([])
  await server.close()
})

const invoiceWith = (more: Partial<InvoiceInput> = {}) =>
  createInvoice(server.db, { employerId, original: 300_00, lineCount: 3, ...more })
const get = (path: string, { headers } = suggester) => call(server, 'GET', path, { headers })
const post = (path: string, body: unknown, { headers } = suggester) =>
  call(server, 'POST', path, { headers: keyed(headers), body })
/** Decides on a write-off, with the current version of its invoice. */
const decide = async (id: number, step: 'approve' | 'reverse', body: object, who = suggester) =>
  post(`/write-offs/${id}/${step}`, { expected: await versionsBehind(server, 'write-offs', id), ...body }, who)

interface Line {
  line_id: number
  amount: number
  reason?: string
  details?: string
}
const lineWithReason = (line_id: number, amount: number, more: Partial<Line> = {}): Line => ({
  line_id,
  amount,
  reason: 'EMPLOYEE_TERMINATED',
  ...more,
})
const suggest = (invoiceId: number, version: number, ...suggestions: Line[]) =>
  post(`/invoices/${invoiceId}/write-offs`, { suggestions, version })

/** One pending suggestion, and its invoice. */
async function waiting(amount = 80_00, more: Partial<InvoiceInput> = {}) {
  const invoice = await invoiceWith(more)
  const lineId = invoice.lineIds[0] as number
  const made = await suggest(invoice.id, 1, lineWithReason(lineId, amount))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { invoice, lineId, writeOff: made.body.write_offs[0] as { id: number; version: number } }
}

const facts = async (invoiceId: number) =>
  (
    await sql<{ status: string; writeoff_amount: number; invoice_amount: number; outstanding_amount: number; version: number }>`
      select status, writeoff_amount, invoice_amount, outstanding_amount, version from invoices where id = ${invoiceId}`.execute(
      server.db,
    )
  ).rows[0]
const lineOff = async (lineId: number) =>
  (await sql<{ off: number }>`select writeoff_amount as off from invoice_lines where id = ${lineId}`.execute(server.db)).rows[0]
    ?.off
const setStatus = (invoiceId: number, status: string) =>
  sql`update invoices set status = ${status}, version = version + 1 where id = ${invoiceId}`.execute(server.db)

test('[SCR-061] suggestions for several employees are pending, and move no money', async () => {
  const invoice = await invoiceWith()
  const [first, second] = invoice.lineIds as [number, number, number]
  const made = await suggest(
    invoice.id,
    1,
    lineWithReason(first, 40_00, { details: 'Left in March' }),
    lineWithReason(second, 100_00, { reason: 'FRAUD' }),
  )
  expect(made.status).toBe(201)
  expect(made.body.write_offs).toMatchObject([
    {
      invoice_id: invoice.id,
      invoice_number: invoice.number,
      invoice_status: 'SENT',
      line_id: first,
      employee_name: 'Mia Torres',
      suggested_amount: 40_00,
      approved_amount: null,
      reason: 'EMPLOYEE_TERMINATED',
      details: 'Left in March',
      status: 'PENDING',
      suggested_by: { id: suggester.id, name: 'Tom Berg' },
      own: true,
      decided_by: null,
      version: 1,
    },
    { line_id: second, suggested_amount: 100_00, reason: 'FRAUD' },
  ])
  expect(await facts(invoice.id)).toMatchObject({ writeoff_amount: 0, outstanding_amount: 300_00, version: 2 })
  const listed = (await get(`/invoices/${invoice.id}/write-offs`, approver)).body.write_offs
  expect(listed.map((one: { own: boolean }) => one.own)).toEqual([false, false])
  const { events } = (await get(`/write-offs/${made.body.write_offs[0].id}/history`)).body
  expect(events).toMatchObject([
    { status: 'Write-off suggested', text: 'Left in March', actor: { name: 'Tom Berg' }, version: 1 },
  ])
  const kept = await sql<{ text: string; version: number }>`
    select text, version from audit_events where entity = 'invoice' and entity_id = ${String(invoice.id)}`.execute(server.db)
  expect(kept.rows).toEqual([{ text: 'Mia Torres: $40.00, Employee terminated\nMia Torres: $100.00, Fraud', version: 2 }])
})

test('[WOF-001] a reason is required for every selected employee', async () => {
  const invoice = await invoiceWith()
  const [first, second] = invoice.lineIds as [number, number]
  for (const [reason, message] of [
    [undefined, 'This is a required field.'],
    ['', 'This is a required field.'],
    ['BECAUSE', 'There is no such value.'],
  ]) {
    const answer = await suggest(invoice.id, 1, lineWithReason(first, 1_00), lineWithReason(second, 1_00, { reason }))
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([{ path: 'suggestions.1.reason', message }])
  }
  expect((await get(`/invoices/${invoice.id}/write-offs`)).body.write_offs).toEqual([])
})

test('[WOF-001] one invalid line refuses all, and every invalid one is named', async () => {
  const invoice = await invoiceWith()
  const other = await invoiceWith()
  const [first, second, third] = invoice.lineIds as [number, number, number]
  const answer = await suggest(
    invoice.id,
    1,
    lineWithReason(first, 50_00),
    lineWithReason(second, 100_01),
    lineWithReason(third, 0),
    lineWithReason(other.lineIds[0] as number, 1_00),
    lineWithReason(first, 1_00),
  )
  expect(answer.status).toBe(422)
  expect(answer.body.errors).toEqual([
    { path: 'suggestions.1.amount', message: 'The suggested amount cannot exceed what the line owes: $100.00.' },
    { path: 'suggestions.2.amount', message: 'The suggested amount cannot be zero or negative.' },
    { path: 'suggestions.3.line_id', message: 'This invoice has no such line.' },
    { path: 'suggestions.4.line_id', message: 'Mia Torres is chosen twice.' },
  ])
  expect((await get(`/invoices/${invoice.id}/write-offs`)).body.write_offs).toEqual([])
  expect((await facts(invoice.id))?.version).toBe(1)
  expect((await suggest(invoice.id, 1)).body.errors[0].message).toBe('Choose at least one employee.')
})

test('[SCR-061] one suggestion per line at a time, and at most what the line still owes', async () => {
  const { invoice, lineId, writeOff } = await waiting(80_00)
  const second = await suggest(invoice.id, 2, lineWithReason(lineId, 5_00))
  expect(second.body.errors).toEqual([
    { path: 'suggestions.0.amount', message: 'A write-off of this line already waits for a decision.' },
  ])
  await decide(writeOff.id, 'approve', { amount: 80_00, reason: 'Left', version: 1 }, approver)
  const now = (await facts(invoice.id))?.version as number
  expect((await suggest(invoice.id, now, lineWithReason(lineId, 20_01))).status).toBe(422)
  expect((await suggest(invoice.id, now, lineWithReason(lineId, 20_00))).status).toBe(201)
})

test('[SCR-061] at most the total of the invoice, if credit rolled in', async () => {
  const invoice = await invoiceWith()
  const source = await invoiceWith({ status: 'CLOSED', paid: 500_00 })
  await sql`insert into ledger_entries (organization_id, invoice_id, kind, amount, counter_invoice_id, actor_id, actor_name) values
    (${organizationOfInvoice(source.id)}, ${source.id}, 'ROLLOVER_OUT', ${200_00}, ${invoice.id}, 'service', 'System'),
    (${organizationOfInvoice(invoice.id)}, ${invoice.id}, 'ROLLOVER_IN', ${200_00}, ${source.id}, 'service', 'System')`.execute(
    server.db,
  )
  const [first, second] = invoice.lineIds as [number, number]
  const answer = await suggest(invoice.id, 1, lineWithReason(first, 60_00), lineWithReason(second, 40_01))
  expect(answer.body.errors).toEqual([
    { path: 'suggestions.1.amount', message: 'Write-offs cannot exceed what the invoice comes to: $100.00.' },
  ])
  const over = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: first, amount: 100_00 })
  const then = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: second, amount: 50_00 })
  const approve = (id: number, amount: number) => decide(id, 'approve', { amount, reason: 'Left', version: 1 }, approver)
  expect((await approve(over.id, 70_00)).status).toBe(200)
  const refused = await approve(then.id, 50_00)
  expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
    409,
    'above-outstanding',
    'Write-offs cannot exceed what the invoice comes to: $30.00.',
  ])
})

test.each([
  ['DRAFT', 'Actions unavailable when in Draft.'],
  ['PROCESSING', 'Cannot Edit invoice. A submission has been made, results are being processed'],
  ['CLOSED', 'Actions unavailable when in Paid.'],
  ['REFUND_IN_PROGRESS', 'Cannot Edit invoice. A submission has been made, results are being processed'],
  ['REFUNDED', 'Actions unavailable when in Refunded.'],
] as const)('[SCR-061] [SCR-062] [INV-019] %s allows neither suggestion, approval nor undo', async (status, sentence) => {
  const { invoice, writeOff } = await waiting()
  const approved = await waiting()
  await decide(approved.writeOff.id, 'approve', { amount: 1_00, reason: 'Left', version: 1 }, approver)
  await setStatus(invoice.id, status)
  await setStatus(approved.invoice.id, status)
  const answers = [
    await suggest(invoice.id, 3, lineWithReason(invoice.lineIds[1] as number, 1_00)),
    await decide(writeOff.id, 'approve', { amount: 1_00, reason: 'Left', version: 1 }, approver),
    await decide(approved.writeOff.id, 'reverse', { reason: 'Wrong', version: 2 }, approver),
  ]
  const reopenFirst = 'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.'
  const sentences = [sentence, sentence, status === 'CLOSED' ? reopenFirst : sentence]
  expect(answers.map((answer) => [answer.status, answer.body.detail])).toEqual(sentences.map((each) => [409, each]))
})

test.each(['ON_DEDUCTION_FILE', 'DEDUCTION_APPROVED', 'SCHEDULED', 'SENT', 'RETURNED', 'PARTIALLY_RETURNED'] as const)(
  '[SCR-062] in %s a write-off is suggested and approved',
  async (status) => {
    const { invoice, writeOff } = await waiting(80_00, { status })
    const answer = await decide(writeOff.id, 'approve', { amount: 80_00, reason: 'Left', version: 1 }, approver)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    expect(await facts(invoice.id)).toMatchObject({ status, writeoff_amount: 80_00, outstanding_amount: 220_00 })
    if (status !== 'SCHEDULED') return
    const { rows } = await sql<{ amount: number }>`select amount from ach_debits where invoice_id = ${invoice.id}`.execute(
      server.db,
    )
    expect(rows).toEqual([{ amount: 220_00 }])
  },
)

test('[SCR-062] an approval reduces line and invoice once, and records actor and reason', async () => {
  const { invoice, lineId, writeOff } = await waiting(80_00)
  const body = { amount: 80_00, reason: 'Final pay was short', comments: 'Checked with payroll', version: 1 }
  const answer = await decide(writeOff.id, 'approve', body, approver)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({
    status: 'APPROVED',
    approved_amount: 80_00,
    decided_by: { id: approver.id, name: 'Priya Raman' },
    decision_reason: 'Final pay was short',
    comments: 'Checked with payroll',
    version: 2,
  })
  expect(await facts(invoice.id)).toMatchObject({ status: 'SENT', writeoff_amount: 80_00, invoice_amount: 220_00 })
  expect(await lineOff(lineId)).toBe(80_00)
  const again = await decide(writeOff.id, 'approve', { ...body, version: 2 }, approver)
  expect([again.status, again.body.code, again.body.detail]).toEqual([
    409,
    'already-decided',
    'This write-off is already approved.',
  ])
  const { events } = (await get(`/write-offs/${writeOff.id}/history`)).body
  expect(events[0]).toMatchObject({
    status: 'Write-off approved',
    text: 'Final pay was short\nChecked with payroll',
    actor: { name: 'Priya Raman' },
    changes: [
      { field: 'status', before: 'PENDING', after: 'APPROVED' },
      { field: 'approved_amount', before: null, after: 80_00 },
    ],
  })
})

test('[SCR-062] the rest of a partial approval is rejected', async () => {
  const { invoice, writeOff } = await waiting(80_00)
  const answer = await decide(writeOff.id, 'approve', { amount: 30_00, reason: 'Half', version: 1 }, approver)
  expect(answer.body).toMatchObject({ status: 'APPROVED', suggested_amount: 80_00, approved_amount: 30_00 })
  expect(await facts(invoice.id)).toMatchObject({ writeoff_amount: 30_00, outstanding_amount: 270_00 })
  const [event] = (await get(`/write-offs/${writeOff.id}/history`)).body.events
  expect(event.text).toBe('Half\n$30.00 of $80.00; the rest is rejected.')
  const { rows } = await sql`select 1 from write_offs where invoice_id = ${invoice.id} and status = 'PENDING'`.execute(server.db)
  expect(rows).toEqual([])
})

test.each([
  ['WOF-002', 80_01, 'above-suggested', 'The approved amount cannot exceed the suggested amount.'],
  ['WOF-003', 0, 'not-positive', 'The approved amount cannot be zero or negative.'],
  ['WOF-004', -1, 'not-positive', 'The approved amount cannot be zero or negative.'],
] as const)('[%s] an approval of %d cents is refused', async (_, amount, code, sentence) => {
  const { invoice, writeOff } = await waiting(80_00)
  const answer = await decide(writeOff.id, 'approve', { amount, reason: 'Left', version: 1 }, approver)
  expect([answer.status, answer.body.code, answer.body.detail]).toEqual([409, code, sentence])
  expect(answer.body.errors).toEqual([{ path: 'amount', message: sentence }])
  expect((await facts(invoice.id))?.writeoff_amount).toBe(0)
})

test('[WOF-005] a reason is required to approve, and to reject', async () => {
  const { writeOff } = await waiting()
  for (const reason of [undefined, '', '   ', '\u200b'])
    for (const [step, body] of [
      ['approve', { amount: 1_00, reason, version: 1, expected: await versionsBehind(server, 'write-offs', writeOff.id) }],
      ['reject', { reason, version: 1 }],
    ] as const) {
      const answer = await post(`/write-offs/${writeOff.id}/${step}`, body, approver)
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual([{ path: 'reason', message: 'This is a required field.' }])
    }
})

test('[WOF-006] comments and details have at most 500 characters', async () => {
  const { invoice, writeOff } = await waiting()
  const approve = (comments: string) =>
    decide(writeOff.id, 'approve', { amount: 1_00, reason: 'Left', comments, version: 1 }, approver)
  const long = await approve('x'.repeat(501))
  expect(long.body.errors).toEqual([{ path: 'comments', message: 'At most 500 characters' }])
  expect((await approve('x'.repeat(500))).body.comments).toHaveLength(500)
  const line = lineWithReason(invoice.lineIds[1] as number, 1_00, { details: 'x'.repeat(501) })
  expect((await suggest(invoice.id, 3, line)).body.errors[0].path).toBe('suggestions.0.details')
})

test('[SCR-062] nobody approves their own suggestion, but they can reject it', async () => {
  const { writeOff } = await waiting()
  const answer = await decide(writeOff.id, 'approve', { amount: 1_00, reason: 'Mine', version: 1 })
  expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
    409,
    'own-suggestion',
    'Somebody else has to approve what you suggested.',
  ])
  const taken = await post(`/write-offs/${writeOff.id}/reject`, { reason: 'My mistake', version: 1 })
  expect(taken.body).toMatchObject({ status: 'REJECTED', approved_amount: null, decision_reason: 'My mistake' })
})

test('[SCR-062] a super-admin can, and the history says so', async () => {
  const invoice = await invoiceWith()
  const made = await post(
    `/invoices/${invoice.id}/write-offs`,
    { suggestions: [lineWithReason(invoice.lineIds[0] as number, 10_00)], version: 1 },
    { ...suggester, headers: chief },
  )
  const [writeOff] = made.body.write_offs
  expect(writeOff.own).toBe(false)
  const body = { amount: 10_00, reason: 'Urgent', version: 1 }
  expect((await decide(writeOff.id, 'approve', body, { ...suggester, headers: chief })).status).toBe(200)
  const [event] = (await get(`/write-offs/${writeOff.id}/history`)).body.events
  expect(event.text).toBe('Urgent\nApproved by who suggested it, as a super-admin may.')
})

test('[SCR-062] [INV-018] a write-off of the whole rest closes the invoice; after a payment it makes it overpaid', async () => {
  const owed = await waiting(100_00, { original: 100_00, lineCount: 1 })
  await decide(owed.writeOff.id, 'approve', { amount: 100_00, reason: 'Left', version: 1 }, approver)
  expect(await facts(owed.invoice.id)).toMatchObject({ status: 'CLOSED', outstanding_amount: 0 })
  const paid = await waiting(50_00, { original: 100_00, lineCount: 1, paid: 70_00 })
  await decide(paid.writeOff.id, 'approve', { amount: 50_00, reason: 'Left', version: 1 }, approver)
  expect(await facts(paid.invoice.id)).toMatchObject({ status: 'CLOSED', outstanding_amount: -20_00 })
})

test('[SCR-062] rejecting keeps the amounts, and frees the line', async () => {
  const { invoice, lineId, writeOff } = await waiting(80_00)
  const answer = await post(
    `/write-offs/${writeOff.id}/reject`,
    { reason: 'Still employed', comments: 'See notes', version: 1 },
    approver,
  )
  expect(answer.body).toMatchObject({
    status: 'REJECTED',
    comments: 'See notes',
    decided_by: { name: 'Priya Raman' },
    version: 2,
  })
  expect(await facts(invoice.id)).toMatchObject({ writeoff_amount: 0, outstanding_amount: 300_00 })
  expect((await suggest(invoice.id, 3, lineWithReason(lineId, 100_00))).status).toBe(201)
  const undo = await decide(writeOff.id, 'reverse', { reason: 'No', version: 2 }, approver)
  expect([undo.status, undo.body.code]).toEqual([409, 'not-approved'])
})

test('[SCR-062] undoing adds a compensating entry', async () => {
  const { invoice, lineId, writeOff } = await waiting(80_00)
  await decide(writeOff.id, 'approve', { amount: 60_00, reason: 'Left', version: 1 }, approver)
  const undone = await decide(writeOff.id, 'reverse', { reason: 'Came back', version: 2 }, approver)
  expect(undone.body).toMatchObject({ status: 'REVERSED', approved_amount: 60_00, version: 3 })
  expect(await facts(invoice.id)).toMatchObject({ status: 'SENT', writeoff_amount: 0, outstanding_amount: 300_00 })
  expect(await lineOff(lineId)).toBe(0)
  const { rows } = await sql<{ amount: number; reverses: number | null; id: number }>`
    select id, amount, reverses from ledger_entries where write_off_id = ${writeOff.id} order by id`.execute(server.db)
  expect(rows).toMatchObject([
    { amount: 60_00, reverses: null },
    { amount: -60_00, reverses: rows[0]?.id },
  ])
  const again = await decide(writeOff.id, 'reverse', { reason: 'Again', version: 3 }, approver)
  expect([again.status, again.body.code, again.body.detail]).toEqual([
    409,
    'not-approved',
    'Only an approved write-off can be undone.',
  ])
})

test('[ERR-034] a stale version gets a conflict with the current state', async () => {
  const { invoice, lineId, writeOff } = await waiting()
  const suggested = await suggest(invoice.id, 1, lineWithReason(invoice.lineIds[1] as number, 1_00))
  expect([suggested.status, suggested.body.code, suggested.body.detail]).toEqual([409, 'stale-version', problem])
  expect(suggested.body.facts).toMatchObject({ id: invoice.id, version: 2, pending_write_offs: 1 })
  await setStatus(invoice.id, 'SCHEDULED')
  await sql`insert into ach_debits (organization_id, invoice_id, amount, debit_date)
    values (${organizationOfInvoice(invoice.id)}, ${invoice.id}, ${300_00}, business_date() + 2)`.execute(server.db)
  const approve = { amount: 1_00, reason: 'Left', expected: { [invoice.id]: 2 }, version: 1 }
  const moved = await decide(writeOff.id, 'approve', approve, approver)
  expect([moved.status, moved.body.code, moved.body.detail]).toEqual([409, 'stale-version', problem])
  expect(moved.body.facts).toMatchObject([{ id: invoice.id, status: 'SCHEDULED', version: 3 }])
  const body = { ...approve, expected: { [invoice.id]: 3 } }
  expect((await decide(writeOff.id, 'approve', body, approver)).status).toBe(200)
  for (const step of ['approve', 'reject', 'reverse'] as const) {
    const late =
      step === 'reject'
        ? await post(`/write-offs/${writeOff.id}/reject`, { reason: 'Late', version: 1 }, approver)
        : await decide(writeOff.id, step, { reason: 'Late', version: 1, ...(step === 'approve' && { amount: 1_00 }) }, approver)
    expect([step, late.status, late.body.detail]).toEqual([step, 409, problem])
    expect(late.body.facts).toMatchObject({ id: writeOff.id, status: 'APPROVED', version: 2 })
  }
  expect(await lineOff(lineId)).toBe(1_00)
})
