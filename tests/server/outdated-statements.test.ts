import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCompany, createEmployee } from '#tests/support/company.ts'
import { createBillingAccount } from '#tests/support/money.ts'
import { call, createServer, type TestServer } from '#tests/support/server.ts'
import { type SignedIn, personWith } from '#tests/support/session.ts'

let server: TestServer
let priya: SignedIn
let id: number

beforeAll(async () => {
  server = await createServer()
  priya = await personWith(server, [1, 2, 3, 9, 1013])
  const { organizationId, employerIds } = await createCompany(server.db, 'Harbor')
  await createBillingAccount(server.db, { organizationId })
  ;({ id } = await createEmployee(server.db, { employerId: employerIds[0] as number }))
})
afterAll(() => server.close())

const columns = [0, 1, 2].map((round) => `later_${round}`)
test.each(columns)('calls go on while a migration adds %s to the tables that their statements read', async (column) => {
  const read = () => call(server, 'GET', `/employees/${id}`, priya)
  const statuses = async () => {
    const { status, body } = await read()
    const paused = { status: 'PAUSED', reason: 'Leave', version: body.version }
    const changed = await call(server, 'PATCH', `/employees/${id}`, { ...priya, body: paused })
    const resumed = { status: 'ACTIVE', version: changed.body.version }
    const last = await call(server, 'PATCH', `/employees/${id}`, { ...priya, body: resumed })
    const lists = await Promise.all(Array.from({ length: 4 }, () => call(server, 'GET', '/employees', priya)))
    const accounts = await call(server, 'GET', '/billing-accounts', priya)
    return [status, changed.status, last.status, accounts.status, ...lists.map((list) => list.status)]
  }
  const good = Array(8).fill(200)
  expect(await statuses()).toEqual(good)
  for (const table of [
    'employees',
    'employers',
    'organizations',
    'people',
    'sessions',
    'users',
    'idempotency_keys',
    'billing_accounts',
  ])
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(server.owner)
  expect(await statuses()).toEqual(good)
  expect(await statuses()).toEqual(good)
})
