import { sql } from 'kysely'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { type Answer, call, type TestServer } from '#tests/support/server.ts'
import { signInAs } from '#tests/support/sign-in.ts'

/** An invoice as its row is; amounts in cents. */
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

/** The row of an invoice as it stands. */
export async function figuresOf(server: TestServer, id: number): Promise<InvoiceFigures> {
  const { rows } = await sql<InvoiceFigures>`select * from invoices where id = ${id}`.execute(server.db)
  return rows[0] as InvoiceFigures
}

/** The versions of invoices as they stand, as `expected` names them. */
export async function versionsOf(server: TestServer, ...ids: number[]): Promise<Record<string, number>> {
  const figures = await Promise.all(ids.map((id) => figuresOf(server, id)))
  return Object.fromEntries(figures.map((each) => [each.id, each.version]))
}

/** A person with every right, over the real API. */
export async function someone(server: TestServer, name: string) {
  const headers = await signInAs(server, await createPerson(server.db, { name, groups: [1] }))
  const send =
    (method: string) =>
    (path: string, body?: unknown, more: Record<string, string> = {}): Promise<Answer> =>
      call(server, method, path, { headers: { ...headers, ...more }, body })
  return { headers, get: send('GET'), post: send('POST'), patch: send('PATCH'), put: send('PUT') }
}

export type Someone = Awaited<ReturnType<typeof someone>>

/** A new employer of a new organization. */
export async function newDebtor(server: TestServer, name = 'Harbor'): Promise<{ employerId: number; organizationId: number }> {
  const company = await createCompany(server.db, name)
  return { employerId: company.employerIds[0] as number, organizationId: company.organizationId }
}

/** The body of a repayment of an employer, made on one day. */
export const repaymentOf = (employerId: number, body: Record<string, unknown>): Record<string, unknown> => ({
  debtor_type: 'EMPLOYER',
  debtor_id: employerId,
  repayment_date: '2026-02-03',
  expected: {},
  ...body,
})
