import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { writeOffSorts } from '#contract/write-offs.ts'
import { createCompany } from '#tests/support/company.ts'
import { createInvoice, createWriteOff } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { keyed, call, createServer, type TestServer } from '#tests/support/server.ts'
import { personWith, type SignedIn } from '#tests/support/session.ts'
import { signInAs } from '#tests/support/sign-in.ts'

let server: TestServer
let employerId: number
let suggester: SignedIn
let approver: SignedIn

beforeAll(async () => {
  server = await createServer()
  employerId = (await createCompany(server.db, 'Harbor')).employerIds[0] as number
  suggester = await personWith(server, [1, 1001, 1008], 'Tom Berg')
  approver = await personWith(server, [1, 1008], 'Priya Raman')
})
afterAll(() => server.close())

const get = (path: string, { headers } = suggester) => call(server, 'GET', path, { headers })
const post = (path: string, body: unknown, { headers } = suggester) =>
  call(server, 'POST', path, { headers: keyed(headers), body })
const lineWithReason = (line_id: number, amount: number, reason = 'EMPLOYEE_TERMINATED') => ({ line_id, amount, reason })

test('[SCR-062] suggesting needs write:billing, deciding approve:write-offs', async () => {
  const invoice = await createInvoice(server.db, { employerId })
  const lineId = invoice.lineIds[0] as number
  const writeOff = await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount: 5_00 })
  const suggestion = { suggestions: [lineWithReason(lineId, 1_00)], version: 1 }
  expect((await post(`/invoices/${invoice.id}/write-offs`, suggestion, approver)).status).toBe(403)
  const biller = await personWith(server, [1, 1001])
  for (const [step, body] of [
    ['approve', { amount: 1_00, reason: 'No', version: 1, expected: { [invoice.id]: 1 } }],
    ['reject', { reason: 'No', version: 1 }],
    ['reverse', { reason: 'No', version: 1, expected: { [invoice.id]: 1 } }],
  ] as const)
    expect((await post(`/write-offs/${writeOff.id}/${step}`, body, biller)).status).toBe(403)
  expect((await get('/write-offs', await personWith(server, [1001, 1008]))).status).toBe(403)
})

test('[PERM-003] write-offs of another employer are neither found nor counted', async () => {
  const elsewhere = (await createCompany(server.db, 'Elsewhere')).employerIds[0] as number
  const person = await createPerson(server.db, {
    kind: 'ACCOUNT_MANAGER',
    permissions: permissionIds,
    grants: [{ employerId: elsewhere }],
  })
  const stranger = { ...approver, headers: await signInAs(server, person) }
  const invoice = await createInvoice(server.db, { employerId, lineCount: 2 })
  const [first, second] = invoice.lineIds as [number, number]
  const writeOff = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: first, amount: 5_00 })
  const there = await createInvoice(server.db, { employerId: elsewhere })
  const own = await createWriteOff(server.db, { invoiceId: there.id, lineId: there.lineIds[0] as number, amount: 5_00 })
  for (const path of [`/invoices/${invoice.id}/write-offs`, `/write-offs/${writeOff.id}`, `/write-offs/${writeOff.id}/history`])
    expect([path, (await get(path, stranger)).status]).toEqual([path, 404])
  for (const [path, body] of [
    [`/invoices/${invoice.id}/write-offs`, { suggestions: [lineWithReason(second, 1_00)], version: 1 }],
    [`/write-offs/${writeOff.id}/approve`, { amount: 1_00, reason: 'No', version: 1, expected: { [invoice.id]: 1 } }],
    [`/write-offs/${writeOff.id}/reject`, { reason: 'No', version: 1 }],
    [`/write-offs/${writeOff.id}/reverse`, { reason: 'No', version: 1, expected: { [invoice.id]: 1 } }],
  ] as const)
    expect([path, (await post(path, body, stranger)).status]).toEqual([path, 404])
  const listed = (await get('/write-offs', stranger)).body.write_offs
  expect(listed.map((one: { id: number }) => one.id)).toEqual([own.id])
  expect((await get('/write-offs/count', stranger)).body).toEqual({
    count: 1,
    exact: true,
    totals: { suggested_amount: 5_00, approved_amount: 0 },
  })
  expect((await get(`/write-offs?id=${writeOff.id}`, stranger)).body.write_offs).toEqual([])
  const { lek } = (await get('/write-offs?limit=1')).body
  expect((await get(`/write-offs?limit=1&lek=${lek}`, stranger)).body.code).toBe('cursor-invalid')
})

test.each(writeOffSorts)('[SCR-062] the list sorted by %s has all rows once, in both directions', async (sort) => {
  const invoice = await createInvoice(server.db, { employerId, original: 100_00, lineCount: 10 })
  for (const [at, lineId] of invoice.lineIds.entries()) {
    const { id } = await createWriteOff(server.db, { invoiceId: invoice.id, lineId, amount: 1_00 * (1 + (at % 3)) })
    if (at % 2 === 0) await post(`/write-offs/${id}/reject`, { reason: 'No', version: 1 }, approver)
  }
  const expected = (await get('/write-offs/count')).body.count
  expect(expected).toBeGreaterThan(9)
  for (const order of ['asc', 'desc']) {
    const walk = async (direction: string) => {
      const pages: number[][] = []
      for (let lek: string | null = null; ; ) {
        const query = new URLSearchParams({ sort, 'sort-order': order, limit: '7', direction, ...(lek && { lek }) })
        const page = await get(`/write-offs?${query}`)
        expect(page.status).toBe(200)
        pages.push(page.body.write_offs.map((one: { id: number }) => one.id))
        lek = page.body.lek
        if (lek === null) return direction === 'after' ? pages.flat() : pages.reverse().flat()
      }
    }
    const forward = await walk('after')
    expect(new Set(forward).size).toBe(expected)
    expect(await walk('before')).toEqual(forward)
  }
})

test('[SCR-062] filters, search by employee, by company and by invoice number', async () => {
  const { organizationId, employerIds } = await createCompany(server.db, 'Filters')
  const invoice = await createInvoice(server.db, { employerId: employerIds[0] as number, original: 200_00, lineCount: 2 })
  const [first, second] = invoice.lineIds as [number, number]
  await sql`update employees set last_name = 'Zebrowski-Lang' where id = ${invoice.employeeIds[0] as number}`.execute(server.db)
  const one = await createWriteOff(server.db, { invoiceId: invoice.id, lineId: first, amount: 5_00 })
  const suggestions = [lineWithReason(second, 5_00, 'BANKRUPTCY')]
  const made = await post(`/invoices/${invoice.id}/write-offs`, { suggestions, version: 1 })
  const two = made.body.write_offs[0]
  await post(`/write-offs/${two.id}/reject`, { reason: 'No', version: 1 }, approver)
  const ids = async (query: string) => {
    const answer = await get(`/write-offs?employer-id=${employerIds[0]}&${query}`)
    const count = await get(`/write-offs/count?employer-id=${employerIds[0]}&${query}`)
    expect(count.body.count, query).toBe(answer.body.write_offs.length)
    return answer.body.write_offs.map((row: { id: number }) => row.id)
  }
  expect(await ids('')).toEqual([one.id, two.id])
  expect(await ids('status=PENDING')).toEqual([one.id])
  expect(await ids('status-not=PENDING')).toEqual([two.id])
  expect(await ids('amount-over=500')).toEqual([])
  expect(await ids('amount-over=499')).toEqual([one.id, two.id])
  expect(await ids('amount-under=500')).toEqual([])
  expect(await ids('reason=BANKRUPTCY,FRAUD')).toEqual([two.id])
  expect(await ids('reason-not=BANKRUPTCY')).toEqual([one.id])
  expect(await ids(`organization-id=${organizationId}`)).toEqual([one.id, two.id])
  expect(await ids(`organization-id=${employerIds[0]}`)).toEqual([])
  expect(await ids(`invoice-id=${invoice.number}`)).toEqual([one.id, two.id])
  expect(await ids(`id=${two.id}`)).toEqual([two.id])
  expect(await ids('q=zebrowski%20mia')).toEqual([one.id])
  expect(await ids('q=filters%20zebrowski')).toEqual([one.id])
  expect(await ids('q=filters')).toEqual([one.id, two.id])
  expect(await ids('q=harbor')).toEqual([])
  expect(await ids(`q=${invoice.number}`)).toEqual([one.id, two.id])
  expect(await ids('q=nobody')).toEqual([])
  const { rows } = await sql<{ today: string }>`
    select (now() at time zone 'America/New_York')::date::text as today`.execute(server.db)
  expect(await ids(`suggested-from=2020-01-01&suggested-to=${rows[0]?.today}`)).toEqual([one.id, two.id])
  expect(await ids(`suggested-on=${rows[0]?.today}`)).toEqual([one.id, two.id])
  expect(await ids('suggested-from=2019-01-01&suggested-to=2020-01-01')).toEqual([])
  const wrong = await get('/write-offs?invoice-id=INV-x')
  expect([wrong.status, wrong.body.errors[0].message]).toEqual([422, 'An invoice id looks like INV-40001.'])
})
