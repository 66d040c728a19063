import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deductionSorts } from '#contract/deductions.ts'
import { createCompany, organizationOfInvoice } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, type InvoiceInput } from '#tests/support/money.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'

let server: TestServer
let employerId: number
let biller: SignedIn

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  biller = await personWith(server, [1, 1001], 'Tom Berg')
  for (const [at, status] of ['PENDING', 'APPROVED', 'DELIVERED', 'WAITING_CONFIRMATION', 'APPROVED', 'PENDING'].entries()) {
    const { id } = await reported({ reportDate: `2026-01-0${1 + (at % 4)}` })
    await sql`update deductions set status = ${status} where id = ${id}`.execute(server.db)
  }
})
afterAll(() => server.close())

const get = (path: string) => call(server, 'GET', path, { headers: biller.headers })
const post = (path: string, body: unknown) => call(server, 'POST', path, { headers: keyed(biller.headers), body })

/** An invoice with a pending deduction. */
async function reported(more: Partial<InvoiceInput> = {}) {
  const invoice = await createInvoice(server.db, { employerId, status: 'ON_DEDUCTION_FILE', ...more })
  return { invoice, id: invoice.deductionId as number }
}

test.each(deductionSorts)('[SCR-063] the list sorted by %s has all rows once, in both directions', async (sort) => {
  // Ids and report dates of deductions in a different order than those of their invoices.
  const late = await createInvoice(server.db, { employerId, status: 'DRAFT', reportDate: '2026-01-04' })
  await reported({ reportDate: '2026-01-07' })
  await reported({ reportDate: '2026-01-04' })
  await sql`insert into deductions (organization_id, invoice_id) values (${organizationOfInvoice(late.id)}, ${late.id})`.execute(
    server.db,
  )
  const expected = (await get('/deductions/count')).body.count
  const keyOf = (one: Record<string, unknown>) => String(one[sort]).padStart(sort === 'id' ? 12 : 0, '0')
  for (const order of ['asc', 'desc']) {
    const walk = async (direction: string) => {
      const pages: Record<string, unknown>[][] = []
      for (let lek: string | null = null; ; ) {
        const query = new URLSearchParams({ sort, 'sort-order': order, limit: '5', direction, ...(lek && { lek }) })
        const page = await get(`/deductions?${query}`)
        expect(page.status).toBe(200)
        pages.push(page.body.deductions)
        lek = page.body.lek
        if (lek === null) return direction === 'after' ? pages.flat() : pages.reverse().flat()
      }
    }
    const forward = await walk('after')
    expect(new Set(forward.map((one) => one.id)).size).toBe(expected)
    expect(forward.length).toBe(expected)
    const keys = forward.map(keyOf)
    expect(order === 'asc' ? keys : keys.reverse()).toEqual([...keys].sort())
    const ids = forward.map((one) => one.id)
    expect((await walk('before')).map((one) => one.id)).toEqual(ids)
    const { body } = await get(`/deductions?sort=${sort}&sort-order=${order}&limit=3&from-id=${ids[4]}`)
    expect(body.deductions.map((one: { id: number }) => one.id)).toEqual(ids.slice(4, 7))
  }
})

test('[SCR-063] filters, and search by employer and by invoice number', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Zephyr')
  const works = employerIds[0] as number
  const one = await reported({ employerId: works, reportDate: '2026-02-01' })
  const two = await reported({ employerId: works, reportDate: '2026-03-01' })
  await createWriteOff(server.db, { invoiceId: two.invoice.id, lineId: two.invoice.lineIds[0] as number, amount: 1_00 })
  await post(`/deductions/${one.id}/approve`, { version: 1 })
  for (const sort of deductionSorts) {
    const ids = async (query: string) => {
      const answer = await get(`/deductions?employer-id=${works}&sort=${sort}&${query}`)
      const count = await get(`/deductions/count?employer-id=${works}&${query}`)
      expect(count.body.count, query).toBe(answer.body.deductions.length)
      return answer.body.deductions.map((row: { id: number }) => row.id).sort()
    }
    expect(await ids('')).toEqual([one.id, two.id])
    expect(await ids('status=PENDING')).toEqual([two.id])
    expect(await ids('status-not=PENDING')).toEqual([one.id])
    expect(await ids('pending-write-offs=YES')).toEqual([two.id])
    expect(await ids('pending-write-offs=NO')).toEqual([one.id])
    expect(await ids('pending-write-offs-not=YES')).toEqual([one.id])
    expect(await ids('pending-write-offs-not=YES,NO')).toEqual([])
    expect(await ids('reported-from=2026-02-02&reported-to=2099-01-01')).toEqual([two.id])
    expect(await ids('reported-from=2000-01-01&reported-to=2026-02-28')).toEqual([one.id])
    expect(await ids(`organization-id=${organizationId}`)).toEqual([one.id, two.id])
    expect(await ids(`invoice-id=${two.invoice.number}`)).toEqual([two.id])
    expect(await ids(`id=${one.id}`)).toEqual([one.id])
    expect(await ids('q=zephyr')).toEqual([one.id, two.id])
    expect(await ids(`q=${one.invoice.number}`)).toEqual([one.id])
    expect(await ids('q=harbor')).toEqual([])
  }
})
