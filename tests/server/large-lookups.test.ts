import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEmployees } from '#contract/employees.ts'
import { listUsers } from '#contract/users.ts'
import { permissionIds } from '#domain/permissions.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Tx } from '#server/tables/database.ts'
import { pageOfEmployees } from '#server/tables/employee-list.ts'
import { sameRepayment } from '#server/tables/repayments.ts'
import { userList } from '#server/tables/user-list.ts'
import { createCompany } from '#tests/support/company.ts'
import { createPerson } from '#tests/support/people.ts'
import { genericPlansOf, planOf } from '#tests/support/plans.ts'
import { createServer, type TestServer } from '#tests/support/server.ts'

// Lookups that would read more in a larger company without the indexes of migration 0074.

const people = 10_000
let server: TestServer
let actor: Actor
let employerId: number
let organization_id: number

beforeAll(async () => {
  server = await createServer()
  const { organizationId, employerIds } = await createCompany(server.db, 'Harbor')
  organization_id = organizationId
  employerId = employerIds[0] as number
  actor = {
    kind: 'ADMIN',
    id: (await createPerson(server.db, { groups: [1] })).id,
    held: new Set<number>(permissionIds),
  } as never
  // A hundred endings of phone numbers, each in order of id.
  const phone = sql`'(917) 555-' || lpad((n % 100)::text, 4, '0')`
  await sql`insert into users (brand, first_name, last_name, email, status, phone_number)
    select 'DAYLINE', 'Many', 'Person', 'p' || n || '@example.com', 'ACTIVE', ${phone} from generate_series(1, ${people}) n`.execute(
    server.owner,
  )
  await sql`insert into employees (organization_id, employer_id, first_name, last_name, employee_code, status, flow, brand, pay_type,
      pay_frequency, phone_number)
    select ${organizationId}, ${employerId}, 'Many', 'Person', 'C-' || n, 'ELIGIBLE', 'PAYROLL', 'DAYLINE', 'HOURLY', 'WEEKLY', ${phone}
    from generate_series(1, ${people}) n`.execute(server.owner)
  await sql`insert into repayments (organization_id, debtor_type, debtor_id, amount, unallocated_amount, repayment_date, origin,
      reconciliation_status)
    select ${organizationId}, 'EMPLOYER', ${employerId}, 5000, 0, date '2026-01-01' + n % 1000, 'USER', 'RECONCILED'
    from generate_series(1, 5000) n`.execute(server.owner)
  await sql`analyze users, employees, repayments`.execute(server.owner)
})
afterAll(() => server.close())

const pages = {
  employees: (tx: Tx, q: string) => pageOfEmployees(tx, actor, listEmployees.query.parse({ q, limit: '5' }), null),
  users: (tx: Tx, q: string) => userList.page({ tx, actor }, listUsers.query.parse({ q, limit: '5' }), null),
}

test.each(['employees', 'users'] as const)(
  '[API-106] the last four digits of a phone number of %s are in an index',
  async (of) => {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(of)} where phone_number like '%0042' order by id limit 5`.execute(server.db)
    const found = async (tx: Tx, q: string) => (await pages[of](tx, q)).rows.map(({ id }) => ({ id }))
    const { plan, chosen } = await planOf(server, async (tx) => expect(await found(tx, '0042')).toEqual(rows))
    expect(plan).toContain(`"Index Cond":"(\\"right\\"(phone_digits, 4) = '0042'::text)"`)
    // Of a hundred people with these digits, those of the page.
    expect(chosen).toBeLessThan(50)
    const tx = server.db as unknown as Tx
    for (const q of ['55-0042', '917 555 0042', '1 (917) 555-0042']) expect(await found(tx, q)).toEqual(rows)
    expect(await found(tx, '(918) 555-0042')).toEqual([])
  },
)

test('whether a repayment is entered twice is looked up by its debtor, date and amount', async () => {
  const debtor = { organization_id, debtor_type: 'EMPLOYER', debtor_id: employerId } as const
  const same = { ...debtor, amount: 5000, repayment_date: '2026-01-02' }
  const plan = await genericPlansOf(server, async (tx) => {
    expect(await sameRepayment(tx, same)).toMatchObject({ amount: 5000, repayment_date: '2026-01-02' })
  })
  expect(plan).toMatch(
    /"Index Cond":"\(\(debtor_type = \$\d\) AND \(debtor_id = \$\d\) AND \(repayment_date = \$\d\) AND \(amount = \$\d\)\)"/,
  )
})
