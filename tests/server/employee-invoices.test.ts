import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EmployeeInvoice } from '#contract/employee-invoices.ts'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createInvoice, createWriteOff, type TestInvoice } from '#tests/support/money.ts'
import { createPerson } from '#tests/support/people.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type Headers, signInAs } from '#tests/support/sign-in.ts'

// Mia moved from the first employer to the second; each billed her advances on invoices with other people.
let server: TestServer
let admin: Headers
let before: number
let now: number
let mia: number
let invoices: TestInvoice[]

beforeAll(async () => {
  server = await createServer()
  const { db } = server
  const company = await createCompany(db, 'Harbor', 2)
  ;[before, now] = company.employerIds as [number, number]
  ;({ id: mia } = await createEmployee(db, { employerId: now }))
  const other = await createEmployee(db, { employerId: now, firstName: 'Omar', lastName: 'Haddad' })
  const billed = (employerId: number, mine: number, more: Partial<Parameters<typeof createInvoice>[1]> = {}) =>
    createInvoice(db, {
      employerId,
      lines: [
        { employeeId: mia, amount: mine, departmentCode: 'D-1' },
        { employeeId: other.id, amount: 777_77 },
      ],
      ...more,
    })
  invoices = [
    await billed(before, 30_00, { status: 'CLOSED', dueDate: -40, paid: 807_77 }),
    await billed(now, 10_00, { dueDate: -5, companyCode: 'COLD-7' }),
    await billed(now, 20_00, { status: 'DRAFT', dueDate: 9, companyCode: 'C-3' }),
  ]
  await createInvoice(db, { employerId: now, lines: [{ employeeId: other.id, amount: 5_00 }] })
  await sql`update invoice_lines set withheld_amount = 2500 where id = ${invoices[0]?.lineIds[0]}`.execute(db)
  await createWriteOff(db, { invoiceId: invoices[1]?.id as number, lineId: invoices[1]?.lineIds[0] as number, amount: 4_00 })
  admin = await signInAs(server, await createPerson(db, { groups: [1] }))
})
afterAll(() => server.close())

const path = (query = '') => `/employees/${mia}/invoices${query}`
const get = (query = '', headers = admin) => call(server, 'GET', path(query), { headers })
const numbers = async (query = '', headers = admin): Promise<string[]> => {
  const { status, body } = await get(query, headers)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.map((row: EmployeeInvoice) => row.number)
}
const managerOf = async (permissions: number[], ...employers: number[]) =>
  signInAs(
    server,
    await createPerson(server.db, {
      kind: 'ACCOUNT_MANAGER',
      permissions,
      grants: employers.map((employerId) => ({ employerId })),
    }),
  )

test("[SCR-045] an employee's invoices show the own share, and nothing that others owe", async () => {
  const { body } = await get('?sort-order=desc')
  expect(body.lek).toBeNull()
  expect(body.data.map((row: EmployeeInvoice) => row.number)).toEqual(invoices.map(({ number }) => number).reverse())
  expect(body.data[1]).toEqual({
    invoice_id: invoices[1]?.id,
    number: invoices[1]?.number,
    status: 'SENT',
    employer: { id: now, name: 'Harbor Works 2' },
    period_start: expect.any(String),
    period_end: expect.any(String),
    report_date: expect.any(String),
    due_date: expect.any(String),
    line: {
      id: invoices[1]?.lineIds[0],
      employee_id: mia,
      employee_name: 'Mia Torres',
      employee_code: 'HF-88121',
      department_code: 'D-1',
      original_amount: 10_00,
      writeoff_amount: 0,
      pending_amount: 4_00,
      withheld_amount: null,
    },
  })
  expect(JSON.stringify(body)).not.toMatch(/77777|80777|78777|Haddad/)
})

test('they are counted, summed, filtered, searched, sorted and paged by cursor', async () => {
  const [paid, sent, draft] = invoices.map(({ number }) => number)
  expect((await get('/count')).body).toEqual({
    count: 3,
    exact: true,
    totals: { original_amount: 60_00, withheld_amount: 25_00 },
  })
  expect((await get('/count?status=DRAFT')).body).toMatchObject({
    count: 1,
    totals: { original_amount: 20_00, withheld_amount: 0 },
  })
  expect(await numbers('?status=CLOSED,SENT')).toEqual([paid, sent])
  expect(await numbers('?status-not=CLOSED')).toEqual([sent, draft])
  expect(await numbers('?withheld=YES')).toEqual([paid])
  expect(await numbers('?pending-write-offs=YES')).toEqual([sent])
  expect(await numbers('?due-from=2000-01-01&due-to=2001-01-01')).toEqual([])
  for (const q of [sent, sent?.slice(4), `inv${sent?.slice(4)}`, 'cold-7', 'works 2 cold'])
    expect(await numbers(`?q=${q}`)).toEqual([sent])
  expect(await numbers('?q=works%201')).toEqual([paid])
  expect(await numbers('?sort=original_amount')).toEqual([sent, draft, paid])
  expect(await numbers('?sort=due_date&sort-order=desc')).toEqual([draft, sent, paid])
  const first = await get('?limit=2&sort=original_amount')
  expect(await numbers(`?limit=2&sort=original_amount&lek=${encodeURIComponent(first.body.lek)}`)).toEqual([paid])
  expect(await numbers('?limit=1&direction=before')).toEqual([draft])
  const other = await call(server, 'GET', `/employees/${mia}/invoices?lek=${encodeURIComponent(first.body.lek)}`, {
    headers: admin,
  })
  expect(other.body.code).toBe('cursor-invalid')
})

test('[PERM-003] an account manager sees invoices of accessible employers only', async () => {
  const [, sent, draft] = invoices.map(({ number }) => number)
  const manager = await managerOf([1, 2], now)
  expect(await numbers('', manager)).toEqual([sent, draft])
  expect((await get('/count', manager)).body).toMatchObject({ count: 2, totals: { original_amount: 30_00, withheld_amount: 0 } })
  expect(await numbers('?q=works%201', manager)).toEqual([])
  for (const stranger of [await managerOf([1, 2], before), await managerOf([1, 2])])
    for (const query of ['', '/count']) expect([query, (await get(query, stranger)).status]).toEqual([query, 404])
  for (const unable of [await managerOf([2], now), await managerOf([1], now)])
    for (const query of ['', '/count']) expect([query, (await get(query, unable)).status]).toEqual([query, 403])
})
