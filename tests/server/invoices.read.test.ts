import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InvoiceLine } from '#contract/invoice-lines.ts'
import type { LedgerEntry } from '#contract/invoice-ledger.ts'
import { totalsOf } from '#tests/support/ledger.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, setRolloverPercentage, type TestInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let admin: Headers
let manager: Headers
let stranger: Headers
let organizationId: number
let employers: number[]
let invoice: TestInvoice

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  ;({ organizationId, employerIds: employers } = await createCompany(db, 'Harbor', 3))
  invoice = await createInvoice(db, {
    employerId: employers[0] as number,
    original: 700_00,
    lineCount: 7,
    paid: 50_00,
    dueDate: -3,
  })
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
  const grants = [{ employerId: employers[0] as number }]
  manager = await signInAs(server, await createPerson(db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 2], grants }))
  stranger = await signInAs(server, await createPerson(db, { kind: 'ACCOUNT_MANAGER', permissions: [1, 2] }))
})
afterAll(() => server.close())

const get = (path: string, headers = admin) => call(server, 'GET', path, { headers })
const read = async (path: string, headers = admin) => {
  const answer = await get(path, headers)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** All pages of a part of an invoice. */
async function pages<Row>(part: string, name: string, limit: number): Promise<Row[]> {
  const rows: Row[] = []
  for (let lek: string | null = null; ; ) {
    const page = await read(`/invoices/${invoice.id}/${part}?limit=${limit}${lek ? `&lek=${encodeURIComponent(lek)}` : ''}`)
    expect(page[name].length).toBeLessThanOrEqual(limit)
    rows.push(...page[name])
    lek = page.lek
    if (lek === null) return rows
  }
}

describe('the columns of an invoice', () => {
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  let one: Record<string, unknown>
  beforeAll(async () => {
    one = await read(`/invoices/${invoice.id}`)
  })

  test.each([
    ['ENT-074', () => ({ id: invoice.id, number: `INV-${invoice.id}` })],
    ['ENT-075', () => ({ status: 'SENT', derived: ['OVERDUE', 'UNDERPAID'] })],
    ['ENT-076', () => ({ company_code: 'C-100' })],
    ['ENT-077', () => ({ payment_method: 'SELF_PAY' })],
    ['ENT-078', () => ({ issue_date: date })],
    ['ENT-079', () => ({ report_date: date })],
    ['ENT-080', () => ({ due_date: date })],
    ['ENT-081', () => ({ days_past_due: 3 })],
    ['ENT-082', () => ({ original_amount: 700_00 })],
    ['ENT-083', () => ({ invoice_amount: 700_00 })],
    ['ENT-084', () => ({ paid_amount: 50_00 })],
    ['ENT-085', () => ({ rollover_amount: 0 })],
    ['ENT-086', () => ({ writeoff_amount: 0 })],
    ['ENT-087', () => ({ outstanding_amount: 650_00 })],
    ['ENT-088', () => ({ organization: { id: organizationId, name: 'Harbor' } })],
    ['ENT-089', () => ({ employer: { id: employers[0], name: 'Harbor Works 1' } })],
  ] as const)('[%s]', (_, column) => {
    expect(one).toMatchObject(column())
  })

  test('[ENT-092] has notes once somebody wrote one', async () => {
    expect(one).toMatchObject({ has_notes: false })
    await sql`insert into notes (entity_type, entity_id, text, user_id, user_name) values ('invoice', ${invoice.id}, 'x', 'x', 'x')`.execute(
      server.db,
    )
    expect((await read(`/invoices/${invoice.id}`)).has_notes).toBe(true)
  })
})

test('[SCR-051] the lines come by employee and page by page, with suggested write-offs', async () => {
  await createWriteOff(server.db, { invoiceId: invoice.id, lineId: invoice.lineIds[2] as number, amount: 30_00 })
  const lines = await pages<InvoiceLine>('lines', 'lines', 3)
  expect(lines).toHaveLength(7)
  expect(new Set(lines.map((line) => line.id))).toEqual(new Set(invoice.lineIds))
  expect(lines.find((line) => line.id === invoice.lineIds[2])).toMatchObject({
    employee_name: 'Mia Torres',
    original_amount: 100_00,
    writeoff_amount: 0,
    pending_amount: 30_00,
    withheld_amount: null,
  })
  expect(lines.reduce((sum, line) => sum + line.original_amount, 0)).toBe(700_00)
})

test('[CONST-009] the ledger adds up to the totals of the invoice', async () => {
  const entries = await pages<LedgerEntry>('ledger', 'entries', 3)
  expect(entries.map((entry) => entry.id)).toEqual(entries.map((entry) => entry.id).sort((a, b) => a - b))
  expect(entries).toHaveLength(8)
  const { original_amount, invoice_amount, paid_amount, outstanding_amount } = await read(`/invoices/${invoice.id}`)
  expect(totalsOf(entries)).toMatchObject({ original_amount, invoice_amount, paid_amount, outstanding_amount })
  expect(entries.at(-1)).toMatchObject({
    kind: 'PAYMENT',
    amount: 50_00,
    repayment_id: invoice.repaymentId,
    actor: { id: 'service' },
  })
})

test('[SCR-053] the history has the events of an invoice, newest first', async () => {
  const one = await createInvoice(server.db, { employerId: employers[0] as number })
  const { version } = await read(`/invoices/${one.id}`)
  const closed = await call(server, 'POST', `/invoices/${one.id}/close`, { headers: keyed(admin), body: { version } })
  expect(closed.status, JSON.stringify(closed.body)).toBe(200)
  const again = await call(server, 'POST', `/invoices/${one.id}/reopen`, {
    headers: keyed(admin),
    body: { version: closed.body.version },
  })
  expect(again.status, JSON.stringify(again.body)).toBe(200)
  const first = await read(`/invoices/${one.id}/history?limit=1`)
  const second = await read(`/invoices/${one.id}/history?limit=1&lek=${encodeURIComponent(first.lek)}`)
  expect(first.events[0]).toMatchObject({
    changes: [
      { field: 'status', before: 'CLOSED', after: 'SENT' },
      { field: 'closed_by', before: 'Robin Test', after: null },
    ],
    version: again.body.version,
  })
  expect(second.events[0].changes).toContainEqual({ field: 'status', before: 'SENT', after: 'CLOSED' })
  expect(second.lek).toBeNull()
})

test('[INV-021] [INV-022] an overpayment says what can roll over, what can be refunded, and into which invoice', async () => {
  const employerId = employers[1] as number
  const over = await createInvoice(server.db, { employerId, original: 100_00, paid: 130_00, status: 'CLOSED' })
  const path = `/invoices/${over.id}/overpayment`
  expect(await read(path)).toEqual({ overpaid_amount: 30_00, rollover_limit: 0, refund_limit: 30_00, next_invoice: null })
  await setRolloverPercentage(server.db, { employerId }, 1_000)
  await createInvoice(server.db, { employerId, status: 'DRAFT', dueDate: 30 })
  const next = await createInvoice(server.db, { employerId, status: 'ON_DEDUCTION_FILE', dueDate: 20, original: 80_00 })
  await createInvoice(server.db, { employerId, status: 'SENT', dueDate: 1 })
  expect(await read(path)).toEqual({
    overpaid_amount: 30_00,
    rollover_limit: 10_00,
    refund_limit: 30_00,
    next_invoice: expect.objectContaining({ id: next.id, number: next.number, invoice_amount: 80_00, version: 1 }),
  })
  const debtor = { type: 'ORGANIZATION', id: organizationId } as const
  const ours = await createInvoice(server.db, { employerId: employers[0] as number, debtor, status: 'CLOSED', paid: 120_00 })
  const theirs = await createInvoice(server.db, { employerId: employers[2] as number, debtor, status: 'DRAFT' })
  expect((await read(`/invoices/${ours.id}/overpayment`)).next_invoice.id).toBe(theirs.id)
  expect((await read(`/invoices/${ours.id}/overpayment`, manager)).next_invoice).toBeNull()
})

test('[API-114] a work period balance names the invoices of the employee', async () => {
  const { db } = server
  const employerId = employers[0] as number
  const { id } = await createEmployee(db, { employerId, balance: { available: 10_00 } })
  const other = await createEmployee(db, { employerId, balance: { available: 10_00 } })
  const period = { periodStart: '2026-01-01', periodEnd: '2026-01-07' }
  const on = await createInvoice(db, { employerId, lines: [{ employeeId: id, amount: 12_00, departmentCode: 'D-1' }], ...period })
  await createInvoice(db, {
    employerId,
    lines: [{ employeeId: id, amount: 5_00 }],
    periodStart: '2026-01-08',
    periodEnd: '2026-01-15',
  })
  await createInvoice(db, { employerId, lines: [{ employeeId: other.id, amount: 5_00 }], ...period })
  const { rows } = await sql<{ employee_id: number; id: number }>`select employee_id, id from work_period_balances`.execute(db)
  const balance = rows.find((row) => row.employee_id === id)?.id
  const path = `/employees/${id}/work-period-balances/${balance}/invoice-details`
  const { data } = await read(path)
  expect(data).toHaveLength(1)
  expect(data[0]).toMatchObject({
    invoice_id: on.id,
    number: on.number,
    status: 'SENT',
    period_start: '2026-01-01',
    line: { employee_id: id, original_amount: 12_00, department_code: 'D-1' },
  })
  expect((await get(`/employees/${other.id}/work-period-balances/${balance}/invoice-details`)).status).toBe(404)
  expect((await get(path, stranger)).status).toBe(404)
  const unable = await signInAs(server, await createPerson(db, { permissions: [2] }))
  expect((await get(path, unable)).status).toBe(403)
})

test('[API-119] no part of an invoice is open to a stranger, and no cursor to another invoice or person', async () => {
  const parts = ['', '/lines', '/ledger', '/history', '/overpayment', '/download', '/download?format=csv']
  for (const part of parts) {
    expect([part, (await get(`/invoices/${invoice.id}${part}`, stranger)).status]).toEqual([part, 404])
    expect([part, (await get(`/invoices/999999999${part}`)).status]).toEqual([part, 404])
  }
  expect((await get(`/invoices/${invoice.id}`, manager)).status).toBe(200)
  const other = await createInvoice(server.db, { employerId: employers[0] as number, lineCount: 3 })
  for (const part of ['lines', 'ledger']) {
    const lek = encodeURIComponent((await read(`/invoices/${invoice.id}/${part}?limit=2`)).lek)
    expect((await get(`/invoices/${other.id}/${part}?lek=${lek}`)).body.code).toBe('cursor-invalid')
    expect((await get(`/invoices/${invoice.id}/${part}?lek=${lek}`, manager)).body.code).toBe('cursor-invalid')
    expect((await get(`/invoices/${invoice.id}/${part}?lek=${lek}`)).status).toBe(200)
  }
})
