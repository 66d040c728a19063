import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lastRelease } from '#server/boot/last-release.ts'
import { migrate, migratorOf } from '#server/boot/migrate.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { grantTo } from '#server/postgres/grants.ts'
import { applicationRole, ownerRole } from '#server/postgres/roles.ts'
import { selectAll } from '#server/postgres/select.ts'
import type { Database } from '#server/tables/database.ts'
import { stepsLeft, takeLaterSteps } from '#server/tables/later-steps.ts'
import { putSetting } from '#server/tables/setting.ts'
import { distributedTables } from '#server/tables/placement.ts'
import { createCompany } from '#tests/support/company.ts'
import { asAdministrator, createDatabase, type TestDatabase } from '#tests/support/database.ts'
import { addKeyedMonths, addKeyedRows, type RowsOf } from '#tests/support/keyed-rows.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

interface ForeignKey {
  table: string
  parent: string
  name: string
  columns: string[]
  validated: boolean
}

/** Keys without the organization: the last release groups by those of ids, and names the others in `on conflict`. */
const neededByLastRelease = [
  'deductions (invoice_id)',
  'employees (id)',
  'invoice_lines (invoice_id, employee_id)',
  'work_period_balances (id)',
]

/** The foreign keys of the tables to each other, to employers and to organizations. */
const foreignKeysOf = (db: Kysely<Database>) => selectAll<ForeignKey>(db)`
  select conrelid::regclass::text as table, confrelid::regclass::text as parent, conname as name, convalidated as validated,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
  from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = any(${[...distributedTables]}::text[]::regclass[])
    and confrelid = any(${[...distributedTables, 'employers', 'organizations']}::text[]::regclass[]) order by 1, 3`

/** The rows of every table, and those among them without an organization. */
async function countRows(db: Kysely<Database>): Promise<{ table: string; all: number; empty: number }[]> {
  const counts = distributedTables.map(
    (
      table,
    ) => sql`select ${table}::text as table, count(*)::int as all, (count(*) filter (where organization_id is null))::int as empty
      from ${sql.table(table)}`,
  )
  return selectAll<{ table: string; all: number; empty: number }>(db)`${sql.join(counts, sql` union all `)} order by 1`
}

/** Columns, constraints, indexes and triggers of all tables and partitions; internal triggers have numbers in their names. */
const schemaOf = (db: Kysely<Database>) => selectAll<{ of: string; name: string; says: string }>(db)`
  select conrelid::regclass::text as of, conname as name, concat(pg_get_constraintdef(oid), ' ', convalidated) as says
    from pg_constraint where connamespace = 'public'::regnamespace and not (select relispartition from pg_class c where c.oid = conrelid)
  union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    and not (select relispartition from pg_class c where c.oid = tablename::regclass)
  union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(t.oid) from pg_trigger t
    where not tgisinternal and not (select relispartition from pg_class c where c.oid = tgrelid)
  union all select attrelid::regclass::text, attname, concat(format_type(atttypid, atttypmod), ' ', attnotnull) from pg_attribute
    where attname = 'organization_id'
    and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition)
  union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
    and prolang <> (select oid from pg_language where lanname = 'c')
  order by 1, 2, 3`

/** Two organizations: the debtors of one are its employers, the other one pays for both of its employers. */
async function twoOrganizations(db: Kysely<Database>): Promise<RowsOf[]> {
  const [one, two] = [await createCompany(db, 'Harbor'), await createCompany(db, 'Quay', 2)]
  const of = (organization: number, debtor: RowsOf['debtor']) => (employer: number) => ({ organization, employer, debtor })
  return [
    ...one.employerIds.map(of(one.organizationId, 'EMPLOYER')),
    ...two.employerIds.map(of(two.organizationId, 'ORGANIZATION')),
  ]
}

test('every row of the big tables has an organization, and every key between them contains it', async () => {
  const columns = await selectAll<{ table: string }>(database.db)`
    select attrelid::regclass::text as table from pg_attribute where attname = 'organization_id' and attnotnull
      and attrelid = any(${[...distributedTables]}::text[]::regclass[])`
  expect(columns.map(({ table }) => table).sort()).toEqual([...distributedTables].sort())
  const keys = await foreignKeysOf(database.db)
  expect(keys.length).toBe(32)
  expect(keys.filter((key) => !key.columns.includes('organization_id') || !key.validated)).toEqual([])
  // No table outside of an organization refers to one inside.
  const others = await selectAll<{ table: string }>(database.db)`
    select conrelid::regclass::text as table from pg_constraint where contype = 'f' and conparentid = 0
      and confrelid = any(${[...distributedTables]}::text[]::regclass[]) and conrelid <> all(${[...distributedTables]}::text[]::regclass[])`
  expect(others).toEqual([])
})

test('primary and unique keys contain the organization, except for the last release', async () => {
  const keys = await selectAll<{ key: string }>(database.db)`
    select pg_get_indexdef(indexrelid) as key from pg_index
    where indisunique and indrelid = any(${[...distributedTables]}::text[]::regclass[]) and not exists (
      select from pg_attribute where attrelid = indrelid and attnum = any(indkey) and attname = 'organization_id')`
  const columns = keys.map(({ key }) => / ON (?:ONLY )?public\.(.*)$/.exec(key)?.[1]?.replace(' USING btree', ''))
  expect(columns.sort()).toEqual(neededByLastRelease)
})

test('what only one row of all organizations may have is free again once it is given up', async () => {
  await released(async ({ owner, db, companies }) => {
    const [one, two] = companies.filter(({ debtor }, at) => at === 0 || debtor === 'ORGANIZATION') as [RowsOf, RowsOf]
    const [first, second] = [await addKeyedRows(owner, one), await addKeyedRows(owner, two)]
    const [user, other] = await selectAll<{ id: number }>(owner)`
      insert into users (brand, first_name, last_name, email, status)
      select 'DAYLINE', 'Mia', 'Torres', 'mia@example.com', 'ACTIVE' from generate_series(1, 2) returning id`
    const results = await selectAll<{ id: number }>(owner)`
      insert into ach_results (trace_number, code, amount, effective_date)
      select n::text, 'R01', 1, '2026-02-01' from generate_series(1, 4) n returning id`
    const columns = [
      { table: 'employees', column: 'user_id', row: 'id', by: 'employee', values: [user?.id, other?.id], more: sql`` },
      { table: 'ach_debits', column: 'trace_number', row: 'invoice_id', by: 'invoice', values: ['10', '9'], more: sql`` },
      ...(['bank_result_id', 'dishonor_result_id'] as const).map((column, at) => ({
        ...{ table: 'repayments', column, row: 'id', by: 'return' },
        values: [results[2 * at]?.id, results[2 * at + 1]?.id],
        more: column === 'bank_result_id' ? sql`` : sql`, failure = 'DISHONORED', reconciliation_status = 'FAILED'`,
      })),
    ]
    const give = (at: (typeof columns)[number], ids: Record<string, number>, value: unknown) =>
      sql`update ${sql.table(at.table)} set ${sql.ref(at.column)} = ${value} ${value === null ? sql`` : at.more}
        where ${sql.ref(at.row)} = ${ids[at.by]}`.execute(db)
    // Taken before the upgrade, and noted by it.
    for (const at of columns) await give(at, first, at.values[0])
    await migrate(owner)
    await owner.transaction().execute((tx) => grantTo(tx, applicationRole))
    await takeLaterSteps(owner)
    for (const at of columns) {
      const taken = { code: '23505', constraint: 'taken_values_pkey' }
      await expect(give(at, second, at.values[0])).rejects.toMatchObject(taken)
      await give(at, second, at.values[1])
      await expect(give(at, first, at.values[1])).rejects.toMatchObject(taken)
    }
    const noted = () => selectAll(owner)`select name, value from taken_values order by name, value::int`
    const all = columns.flatMap(({ column, values }) => values.map((value) => ({ name: column, value: String(value) })))
    const inOrder = (rows: typeof all) =>
      rows.toSorted((a, b) => a.name.localeCompare(b.name) || Number(a.value) - Number(b.value))
    expect(await noted()).toEqual(inOrder(all))
    const [linked] = columns
    if (linked) await give(linked, first, null)
    if (linked) await give(linked, second, linked.values[0])
    expect(await noted()).toEqual(inOrder(all.filter(({ value, name }) => name !== 'user_id' || value !== String(other?.id))))
  })
}, 60_000)

test('a child row of another organization is refused, and one without gets that of its parent', async () => {
  const { owner } = database
  await addKeyedMonths(owner)
  const companies = await twoOrganizations(owner)
  const refused = new Set<string>()
  for (const of of companies) {
    const other = companies.find(({ organization }) => organization !== of.organization)?.organization as number
    const before = async (table: string, insert: (more: object) => Promise<unknown>) => {
      const error = await insert({ organization_id: other }).catch((thrown: unknown) => thrown)
      // A payment without invoices is nobody's child.
      if (table === 'repayments' && Array.isArray(error))
        await sql`delete from repayments where organization_id = ${other}
        and not exists (select from ledger_entries where repayment_id = repayments.id)`.execute(owner)
      else expect(error).toMatchObject({ code: '23503', constraint: expect.stringMatching(/_(of|in)_organization/) })
      if (!Array.isArray(error)) refused.add(table)
    }
    await addKeyedRows(owner, of, { before })
  }
  expect([...refused].sort()).toEqual([...distributedTables].sort())
  const organizations = await selectAll<{ organization_id: number }>(owner)`
    select distinct organization_id from ledger_entries where kind = 'UNALLOCATED' order by 1`
  expect(organizations.map((row) => row.organization_id)).toEqual([...new Set(companies.map((of) => of.organization))].sort())
  await expect(sql`update ledger_entries set organization_id = organization_id`.execute(owner)).rejects.toThrow(
    'The ledger is only ever added to.',
  )
})

/** A database as the last release leaves it, with rows in every table. */
async function released(work: (at: { owner: Kysely<Database>; db: Kysely<Database>; companies: RowsOf[] }) => Promise<void>) {
  const name = `released_${randomBytes(6).toString('hex')}`
  await asAdministrator(`create database ${name} owner ${ownerRole}`)
  const open = (url: string) =>
    kyselyOn(
      openPool({
        url: url.replace(/[^/]+$/, name),
        name: 'tests',
        businessTimeZone: 'UTC',
        statementTimeout: 30_000,
        connections: 3,
      }),
    )
  const [owner, db] = [open(database.ownerUrl), open(database.url)]
  try {
    await migratorOf(owner).migrateTo(lastRelease.migration)
    await owner.transaction().execute((tx) => grantTo(tx, applicationRole))
    await addKeyedMonths(owner)
    const companies = await twoOrganizations(owner)
    for (let round = 0; round < 2; round++) for (const of of companies) await addKeyedRows(owner, of)
    // Several pages.
    await sql`insert into employees (employer_id, first_name, last_name, employee_code, status, flow, brand)
      select ${companies[0]?.employer}, 'Mia', 'Torres', 'M-' || n, 'ELIGIBLE', 'PAYROLL', 'DAYLINE' from generate_series(1, 400) n`.execute(
      owner,
    )
    await work({ owner, db, companies })
  } finally {
    await Promise.all([owner.destroy(), db.destroy()])
    await asAdministrator(`drop database ${name} with (force)`)
  }
}

const totals = (db: Kysely<Database>) => selectAll(db)`
  select id, original_amount, writeoff_amount, paid_amount, outstanding_amount, version, updated_at from invoices order by id`

test('an upgrade fills the rows of the last release in batches, also if it is interrupted', async () => {
  await released(async ({ owner, db, companies }) => {
    const before = { totals: await totals(owner), rows: await countBefore(owner) }
    await migrate(owner)
    await owner.transaction().execute((tx) => grantTo(tx, applicationRole))
    expect((await countRows(owner)).filter(({ all, empty }) => all === 0 || empty < all)).toEqual([])
    const steps = await stepsLeft(owner)
    expect(steps.length).toBeGreaterThan(50)

    const stop = new AbortController()
    const employees = async () => (await countRows(owner)).find(({ table }) => table === 'employees')
    // Left by a run that was interrupted before it filled anything.
    await sql`alter table employees add constraint employees_organization_id_given check (organization_id is not null) not valid`.execute(
      owner,
    )
    await owner.transaction().execute(async (locking) => {
      await sql`select from employees order by id limit 1 for update`.execute(locking)
      const first = takeLaterSteps(owner, { stop: stop.signal, pages: 1 })
      // Everybody but the locked one, which is left for a further pass.
      await expect.poll(async () => (await employees())?.empty).toBe(1)
      stop.abort()
      await first
    })
    expect(await stepsLeft(owner)).toEqual(steps)
    expect((await employees())?.empty).toBe(1)

    // Interrupted again and again, while servers of the last release add rows.
    let isDone = false
    const adding = (async () => {
      for (let round = 0; !isDone && round < 40; round++) {
        for (const of of companies) await addKeyedRows(db, of, { except: ['rewards'] })
        await sleep(50)
      }
    })()
    // Later and later, so that a busy machine also comes to the end.
    for (let after = 100; (await stepsLeft(owner)).length > 0; after += 20)
      await takeLaterSteps(owner, { stop: AbortSignal.timeout(after), pages: 1 })
    isDone = true
    await adding
    expect(await stepsLeft(owner)).toEqual([])
    expect((await countRows(owner)).filter(({ empty }) => empty > 0)).toEqual([])
    expect((await foreignKeysOf(owner)).filter(({ validated }) => !validated)).toEqual([])
    const schema = await schemaOf(database.owner)
    expect(await schemaOf(owner)).toEqual(schema)
    // Each step can be repeated.
    await putSetting(owner, 'later-steps', JSON.stringify(steps))
    await takeLaterSteps(owner)
    expect(await schemaOf(owner)).toEqual(schema)
    const after = await totals(owner)
    expect(after.slice(0, before.totals.length)).toEqual(before.totals)
    expect(await wrongOrganizations(owner)).toEqual([])
    expect((await countRows(owner)).every(({ all }, at) => all >= (before.rows[at]?.all ?? 0))).toBe(true)

    // A month that is added later has everything, too.
    await sql`insert into monthly_partitions (parent, month) values ('transactions', '2027-05-01')`.execute(db)
    const keys = await selectAll<{ name: string }>(owner)`
      select conname as name from pg_constraint where conrelid = 'transactions_2027_05'::regclass and contype = 'f'`
    expect(keys.length).toBe(2)
  })
}, 300_000)

test('until an entry has its organization, the ledger admits that change and no other', async () => {
  await released(async ({ owner }) => {
    await migrate(owner)
    const refusal = 'The ledger is only ever added to.'
    await expect(sql`update ledger_entries set amount = amount + 1`.execute(owner)).rejects.toThrow(refusal)
    await expect(sql`delete from ledger_entries`.execute(owner)).rejects.toThrow(refusal)
    await sql`update ledger_entries set organization_id = organization_id`.execute(owner)
    await expect(sql`update ledger_entries set organization_id = organization_id`.execute(owner)).rejects.toThrow(refusal)
    await expect(sql`update ledger_entries set organization_id = organization_id + 1`.execute(owner)).rejects.toThrow(refusal)
  })
}, 60_000)

/** The number of rows of every table, before they have an organization. */
const countBefore = (db: Kysely<Database>) =>
  selectAll<{ table: string; all: number }>(db)`${sql.join(
    distributedTables.map((table) => sql`select ${table}::text as table, count(*)::int as all from ${sql.table(table)}`),
    sql` union all `,
  )} order by 1`

/** Rows whose organization is not that of their employer or debtor. */
const wrongOrganizations = (db: Kysely<Database>) => selectAll(db)`
  select 'employee' as of, e.id from employees e join employers o on o.id = e.employer_id where e.organization_id <> o.organization_id
  union all select 'entry', t.id from time_entries t join employers o on o.id = t.employer_id where t.organization_id <> o.organization_id
  union all select 'repayment', r.id from repayments r left join employers o on r.debtor_type = 'EMPLOYER' and o.id = r.debtor_id
    where r.organization_id is distinct from coalesce(o.organization_id, r.debtor_id)
  union all select 'invoice', i.id from invoices i join employers o on o.id = i.employer_id where i.organization_id <> o.organization_id`

test('every statement of the server that adds such a row names the organization', () => {
  const statement = new RegExp(`insert into (${distributedTables.join('|')})\\b(?: as \\w+)?\\s*\\(([^)]*)`, 'g')
  const sources = globSync('src/server/**/*.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const found = sources.flatMap(({ path, text }) =>
    [...text.matchAll(statement)].map(([, table, columns = '']) => ({ path, table, names: /\borganization_id\b/.test(columns) })),
  )
  // `repayments` are inserted with the columns of their row, which its type requires.
  expect(new Set(found.map(({ table }) => table)).size).toBe(distributedTables.length)
  expect(
    found.filter(({ names, table, path }) => !names && !(table === 'repayments' && path.endsWith('/repayments.ts'))),
  ).toEqual([])
})
