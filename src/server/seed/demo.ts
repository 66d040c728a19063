import { type Kysely, sql } from 'kysely'
import { createDemoPeople } from '#server/auth/demo-people.ts'
import { seedConfigurations } from '#server/seed/billing/configurations.ts'
import { makeChance, seedBalances, seedEmployees, seedUsers } from '#server/seed/employees.ts'
import { seedInvoiceHistory } from '#server/seed/billing/history.ts'
import { seedCompanies, type SeededEmployer } from '#server/seed/companies.ts'
import { seedHistory } from '#server/seed/history.ts'
import { loadBare } from '#server/seed/load.ts'
import { forgetPlans, moneyTables, seedMoney } from '#server/seed/money.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { putSetting } from '#server/tables/setting.ts'

/** The account manager of the demo: one organization with several employers, and one employer of another. */
const accountManager = 'maya.lindt@example.com'

/** The tables of companies and their people. */
const staffTables = ['organizations', 'employers', 'users', 'employees', 'balances']

/** What the seed makes; `today` is the business date, `yyyy-MM-dd`, that dates are relative to. */
export interface DemoSize {
  employees: number
  today: string
  /** How many invoices; without it as many as eight months of pay periods give. */
  invoices?: number | undefined
}

/**
 * Makes the demo company in one transaction: staff, organizations, employers, users, employees, balances, history.
 * The same size and day make the same data. Rows are made inside the database, by hashes of their number.
 */
export async function seedDemo(db: Kysely<Database>, { employees, today, invoices }: DemoSize): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select set_config('maintenance_work_mem', '512MB', true), set_config('work_mem', '64MB', true),
      set_config('wal_skip_threshold', '0', true),
      set_config('statement_timeout', '0', true)`.execute(tx)
    const people = await createDemoPeople(tx)
    const { employers, nextId } = await seedCompanies(tx, employees, today)
    await grantAccountManager(tx, people[accountManager] as string, employers)
    const staff = Object.entries(people).filter(([email]) => email !== accountManager)
    await makeChance(tx)
    await seedConfigurations(tx)
    await seedUsers(tx, { employers, firstId: nextId, total: employees, today })
    await loadBare(tx, 'balances', async () => {
      await seedBalances(tx, today)
      await loadBare(tx, 'employees', () => seedEmployees(tx, { pausers: staff.slice(0, 2).map(([, id]) => id), today }))
    })
    const billing = {
      suggester: { id: people['tom.berg@example.com'] as string, name: 'Tom Berg' },
      decider: { id: people['priya.raman@example.com'] as string, name: 'Priya Raman' },
    }
    await seedMoney(tx, { today, invoices, staff: billing })
    await loadBare(tx, 'audit_events', async () => {
      await seedHistory(tx, today)
      await seedInvoiceHistory(tx, today, billing)
    })
    await forgetPlans(tx)
    await sql`select setval('entity_ids', (select max(id) from (select max(id) as id from employees union all select max(id) from users) ids))`.execute(
      tx,
    )
    await sql`drop table made`.execute(tx)
    // Together with the company: a seed that was broken off is made again, a finished one never.
    await putSetting(tx, 'seed', 'demo')
  })
  // What it takes to plan well, two at a time: employees take as long as all others. PostgreSQL vacuums by itself soon after.
  await Promise.all(
    [['employees'], [...staffTables, ...moneyTables, 'audit_events'].filter((table) => table !== 'employees')].map((tables) =>
      sql`analyze ${sql.join(tables.map((table) => sql.ref(table)))}`.execute(db),
    ),
  )
}

async function grantAccountManager(tx: Tx, personId: string, employers: readonly SeededEmployer[]): Promise<void> {
  const [first] = employers
  const other = employers.find((employer) => employer.organizationId !== first?.organizationId)
  if (first)
    await tx
      .insertInto('access_grants')
      .values({ person_id: personId, organization_id: first.organizationId, employer_id: null })
      .execute()
  if (other)
    await tx.insertInto('access_grants').values({ person_id: personId, organization_id: null, employer_id: other.id }).execute()
}
