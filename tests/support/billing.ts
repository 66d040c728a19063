import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { absorbRefunds } from '#server/money/credits/absorb-refunds.ts'
import { type InvoiceRow, saveInvoice } from '#server/tables/invoices.ts'
import { createCompany } from '#tests/support/company.ts'
import { setRolloverPercentage } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, call, createServer, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

/** An invoice as its row; amounts in cents. */
export interface InvoiceFigures {
  id: number
  status: string
  version: number
  original_amount: number
  rollover_amount: number
  rollover_out_amount: number
  paid_amount: number
  invoice_amount: number
  outstanding_amount: number
}

/** The current row of an invoice. */
export async function figuresOf(server: TestServer, id: number): Promise<InvoiceFigures> {
  const { rows } = await sql<InvoiceFigures>`select * from invoices where id = ${id}`.execute(server.db)
  return rows[0] as InvoiceFigures
}

/** The current versions of invoices, as `expected` takes them. */
export async function versionsOf(server: TestServer, ...ids: number[]): Promise<Record<string, number>> {
  const figures = await Promise.all(ids.map((id) => figuresOf(server, id)))
  return Object.fromEntries(figures.map((each) => [each.id, each.version]))
}

/** The current versions of the invoices that a decision on a write-off or a return of a repayment changes, for `expected`. */
export async function versionsBehind(
  server: TestServer,
  noun: 'write-offs' | 'repayments',
  id: number,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number }>`${
    noun === 'write-offs'
      ? sql`select invoice_id as id from write_offs where id = ${id}`
      : sql`select invoice_id as id from repayment_allocations where repayment_id = ${id}
        union select invoice_id from ach_debits where repayment_id = ${id}`
  }`.execute(server.db)
  return versionsOf(server, ...rows.map((row) => row.id))
}

/** Calls as the person of these headers; `more` headers carry the key of a change of money. */
export function clientOf(server: TestServer, headers: Record<string, string>) {
  const send =
    (method: string) =>
    (path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> =>
      call(server, method, path, { headers: { ...headers, ...more }, body })
  return { headers, get: send('GET'), post: send('POST'), patch: send('PATCH'), put: send('PUT') }
}

/** A person with every right, over the real API. */
export const someone = async (server: TestServer, name: string) =>
  clientOf(server, await signInAs(server, await createPerson(server.db, { name, groups: [1] })))

export type Someone = Awaited<ReturnType<typeof someone>>

/** A new employer of a new organization. */
export async function newDebtor(server: TestServer, name = 'Harbor'): Promise<{ employerId: number; organizationId: number }> {
  const company = await createCompany(server.db, name)
  return { employerId: company.employerIds[0] as number, organizationId: company.organizationId }
}

/** The body of a repayment of an employer, on one day. */
export const repaymentOf = (employerId: number, body: Record<string, unknown>): Record<string, unknown> => ({
  debtor_type: 'EMPLOYER',
  debtor_id: employerId,
  repayment_date: '2026-02-03',
  expected: {},
  ...body,
})

/** The server of a test file, Ada with every right, and the new debtor of the current test. */
export interface Billing {
  server: TestServer
  ada: Someone
  employerId: number
  organizationId: number
}

/** Creates a server and Ada per test file, and per test a new debtor, whose invoices may roll over this many basis points. */
export function billing(give: (made: Billing) => void, rollover: number | null = null): void {
  let server: TestServer
  let ada: Someone
  beforeAll(async () => {
    server = await createServer()
    ada = await someone(server, 'Ada Admin')
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    const debtor = await newDebtor(server)
    if (rollover !== null) await setRolloverPercentage(server.db, { organizationId: debtor.organizationId }, rollover)
    give({ server, ada, ...debtor })
  })
}

/** Like the clock: absorbs refunds, then the invoice leaves DRAFT; null if it had left before. */
export const leaveDraft = (server: TestServer, id: number): Promise<InvoiceRow | null> =>
  server.db.transaction().execute(async (tx) => {
    const invoice = await absorbRefunds(tx, id, new Date())
    if (invoice) await saveInvoice(tx, invoice, { status: 'ON_DEDUCTION_FILE' }, new Date())
    return invoice
  })
