import { type Kysely, sql } from 'kysely'
import { createDemoPeople } from '#server/auth/demo-people.ts'
import { seedConfigurations } from '#server/seed/billing/configurations.ts'
import { seedInvoiceHistory } from '#server/seed/billing/history.ts'
import type { BillingStaff } from '#server/seed/billing/load-invoices.ts'
import { seedCompanies, type SeededEmployer } from '#server/seed/companies.ts'
import { seedDataEmails } from '#server/seed/data-emails.ts'
import { fillMade, createMade, type Part, type People, seedEmployees } from '#server/seed/employees.ts'
import { seedBalances } from '#server/seed/balances.ts'
import { makePeriods } from '#server/seed/billing/periods.ts'
import { seedHistory } from '#server/seed/history.ts'
import { seedLinkedAccounts, seedRewards } from '#server/seed/linked-accounts.ts'
import { seedMappings } from '#server/seed/mappings.ts'
import { inOneTransaction, plans, type Run, twoAtATime } from '#server/seed/lanes.ts'
import {
  analyze,
  type BareTable,
  isBare,
  restoreIndexes,
  type Load,
  restoreReferences,
  dropDefinitions,
  type DroppedDefinitions,
} from '#server/seed/load.ts'
import { noteWorked } from '#server/money/billing/demo-days.ts'
import { leavePastPeriods } from '#server/seed/past-periods.ts'
import { leaveIndexes } from '#server/tables/later-steps.ts'
import { moneyLoads, moneyTables, advanceSequences, planMoney } from '#server/seed/money.ts'
import { seedIntegrations } from '#server/seed/integrations.ts'
import { seedSftpUsers } from '#server/seed/sftp-users.ts'
import { seedAddresses, seedIdentityChecks, seedUsers } from '#server/seed/users.ts'
import type { Tx, Database } from '#server/tables/database.ts'
import { putSetting } from '#server/tables/setting.ts'

/** The account manager of the demo: one organization with several employers, and one employer of another. */
const accountManager = 'maya.lindt@example.com'

/** The size of the demo; dates are relative to `today`, the business date, `yyyy-MM-dd`. */
export interface DemoSize {
  employees: number
  today: string
  /** Number of invoices; by default as many as eight months of pay periods give. */
  invoices?: number | undefined
}

/**
 * Creates the demo company: staff, organizations, employers, users, employees, balances, money, history. The same size and day
 * give the same data. Rows are created inside the database, from hashes of their number. It runs in one transaction; `inSteps` it
 * takes little more than half the time, but an interrupted seed must be dropped. Indexes that only speed up reads are left to
 * `takeLaterSteps`.
 */
export const seedDemo = (db: Kysely<Database>, size: DemoSize, { inSteps = false } = {}): Promise<void> =>
  (inSteps ? twoAtATime : inOneTransaction)(db, (run) => makeDemo(run, size))

/**
 * Adds the words of people's names for the search of misspelled ones: the trigger that usually adds them is disabled while rows
 * are loaded.
 */
async function addNameWords(tx: Tx): Promise<void> {
  // The table is empty; rows written to a table in the transaction that truncated it bypass the WAL.
  await sql`truncate name_words`.execute(tx)
  await sql`select add_name_words(array(select name_key from employees union select name_key from users))`.execute(tx)
}

async function makeDemo(run: Run, { employees, today, invoices }: DemoSize): Promise<void> {
  const { people, pausers, billing, taken } = await run((tx) => begin(tx, employees, today))
  const of = (table: BareTable): DroppedDefinitions => taken.find((each) => each.table === table) as DroppedDefinitions
  const load = ({ table, load: fill }: Load) => run((tx) => fill(tx).then(() => restoreIndexes(tx, of(table))))
  const half = employees >> 1
  const halves: readonly Part[] = [
    [1, half],
    [half + 1, employees],
  ]
  await Promise.all(halves.map((part) => run((tx) => fillMade(tx, people, part))))
  await run((tx) => sql`analyze made (n, id, employer_id)`.execute(tx))
  await Promise.all([
    load({ table: 'work_period_balances', load: (tx) => seedBalances(tx, today) }),
    load({ table: 'users', load: (tx) => seedUsers(tx, people) }),
    load({ table: 'linked_accounts', load: (tx) => seedLinkedAccounts(tx, people) }),
    load({ table: 'rewards', load: (tx) => seedRewards(tx, today) }),
  ])
  await Promise.all(halves.map((part) => run((tx) => seedEmployees(tx, { pausers, today, part }))))

  const ofUsers = Promise.all([
    load({ table: 'identity_checks', load: (tx) => seedIdentityChecks(tx, today) }),
    load({ table: 'current_addresses', load: (tx) => seedAddresses(tx, today) }),
  ])
  // Money is planned while employees are completed; steps wait for their turn in this order, long ones first.
  const planned = Promise.all([run((tx) => planMoney(tx, { today, invoices })), run((tx) => seedHistory(tx, today))])
  await Promise.all([
    ofUsers,
    load({ table: 'name_words', load: addNameWords }),
    run((tx) => analyze(tx, 'employees')).then(() =>
      Promise.all(of('employees').indexes.map((statement) => run((tx) => sql.raw(statement).execute(tx)))),
    ),
    planned.then(() => {
      const invoiceHistory: Load = { table: 'audit_events_before', load: (tx) => seedInvoiceHistory(tx, today, billing) }
      return Promise.all([invoiceHistory, ...moneyLoads(today, billing)].map(load))
    }),
  ])
  await restoreReferences(run, taken)
  await run((tx) =>
    end(
      tx,
      today,
      taken.flatMap(({ later }) => later),
    ),
  )
}

interface SeedStart {
  people: People
  pausers: string[]
  billing: BillingStaff
  taken: DroppedDefinitions[]
}

/** Creates staff and companies, and prepares the other tables for loading. */
async function begin(tx: Tx, employees: number, today: string): Promise<SeedStart> {
  await sql`drop schema if exists ${sql.ref(plans)} cascade`.execute(tx)
  await sql`create schema ${sql.ref(plans)}`.execute(tx)
  const ids = await createDemoPeople(tx)
  const { employers, nextId } = await seedCompanies(tx, employees, today)
  await grantAccountManager(tx, ids[accountManager] as string, employers)
  await seedConfigurations(tx)
  await seedMappings(tx)
  await seedDataEmails(tx, today)
  await seedSftpUsers(tx, today)
  await seedIntegrations(tx, today)
  const people = { employers, firstId: nextId, total: employees, today }
  await createMade(tx, people)
  await makePeriods(tx, today)
  const staff = Object.entries(ids).filter(([email]) => email !== accountManager)
  return {
    people,
    pausers: staff.slice(0, 2).map(([, id]) => id),
    billing: {
      suggester: { id: ids['tom.berg@example.com'] as string, name: 'Tom Berg' },
      decider: { id: ids['priya.raman@example.com'] as string, name: 'Priya Raman' },
    },
    taken: await dropDefinitions(tx),
  }
}

/** Notes the values that are unique over all organizations: the triggers that usually do are disabled while rows are loaded. */
async function takeValues(tx: Tx): Promise<void> {
  const columns = {
    user_id: 'employees',
    trace_number: 'ach_debits',
    bank_result_id: 'repayments',
    dishonor_result_id: 'repayments',
  }
  for (const [column, table] of Object.entries(columns))
    await sql`insert into taken_values (name, value) select ${column}, ${sql.ref(column)}::text from ${sql.table(table)}
      where ${sql.ref(column)} is not null`.execute(tx)
}

async function end(tx: Tx, today: string, later: readonly string[]): Promise<void> {
  await advanceSequences(tx)
  await takeValues(tx)
  await sql`select setval('entity_ids', (select max(id) from (select max(id) as id from employees union all select max(id) from users) ids))`.execute(
    tx,
  )
  await analyze(tx, 'organizations', 'employers', ...moneyTables.filter((table) => !isBare(table)))
  await sql`drop schema ${sql.ref(plans)} cascade`.execute(tx)
  await sql`select derive_pay_groups()`.execute(tx)
  await analyze(tx, 'pay_groups', 'pay_periods')
  await leaveIndexes(tx, later)
  await leavePastPeriods(tx, today)
  await noteWorked(tx, today)
  // Set with the last step: an interrupted demo company is created again, a complete one never.
  await putSetting(tx, 'seed', 'demo')
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
