import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selectAll } from '#server/postgres/select.ts'
import { distributedTables, keysOfLastRelease, referenceTables, triggersOfWholeTables } from '#server/tables/placement.ts'
import { createDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

const distributed: readonly string[] = distributedTables
const reference: readonly string[] = referenceTables
const placed = [...distributed, ...reference]

interface ForeignKey {
  table: string
  parent: string
  columns: string[]
}

/** The foreign keys from or to the placed tables. */
const foreignKeys = () => selectAll<ForeignKey>(database.owner)`
  select conrelid::regclass::text as table, confrelid::regclass::text as parent,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
  from pg_constraint where contype = 'f' and conparentid = 0
    and (conrelid = any(${placed}::text[]::regclass[]) or confrelid = any(${placed}::text[]::regclass[])) order by 1, 2`

test('every table with an organization in its foreign keys is distributed, and has it', async () => {
  const rows = await selectAll<{ name: string }>(database.owner)`
    select distinct attrelid::regclass::text as name from pg_attribute join pg_constraint on conrelid = attrelid
    where attname = 'organization_id' and attnotnull and contype = 'f' and conparentid = 0 and attnum = any(conkey)
      and cardinality(conkey) > 1 and not attrelid::regclass::text ~ '_\\d{4}_\\d\\d$' order by 1`
  expect(rows.map(({ name }) => name)).toEqual([...distributed].sort())
})

test('a foreign key of a big table leads to a reference table, or stays in the organization', async () => {
  const wrong = (await foreignKeys()).filter(
    ({ table, parent, columns }) =>
      distributed.includes(table) &&
      !(distributed.includes(parent) && columns.includes('organization_id')) &&
      !reference.includes(parent),
  )
  expect(wrong).toEqual([])
})

test('foreign keys lead to tables before, and none from other tables to a big one', async () => {
  const keys = await foreignKeys()
  const isBefore = (list: readonly string[], { table, parent }: ForeignKey) => list.indexOf(parent) <= list.indexOf(table)
  const ofReference = keys.filter(({ table }) => reference.includes(table))
  expect(ofReference.filter((key) => !(reference.includes(key.parent) && isBefore(reference, key)))).toEqual([])
  const toBig = keys.filter(({ parent }) => distributed.includes(parent))
  expect(toBig.filter((key) => !(distributed.includes(key.table) && isBefore(distributed, key)))).toEqual([])
})

test('a unique key of a big table contains the organization, but for those of the last release', async () => {
  const keys = await selectAll<{ key: string }>(database.owner)`
    select indrelid::regclass || ' (' || (select string_agg(attname, ', ' order by place) from unnest(indkey) with ordinality as k(num, place)
      join pg_attribute on attrelid = indrelid and attnum = num) || ')' as key
    from pg_index where indisunique and indrelid = any(${distributed}::text[]::regclass[])
      and not exists (select from pg_attribute where attrelid = indrelid and attname = 'organization_id' and attnum = any(indkey)) order by 1`
  expect(keys.map(({ key }) => key)).toEqual(
    [
      ...keysOfLastRelease.primary.map((table) => `${table} (id)`),
      ...keysOfLastRelease.unique.map(({ table, columns }) => `${table} (${columns})`),
    ].sort(),
  )
})

test('rows of every placed table have an identity, by which shards move while others write', async () => {
  const without = await selectAll<{ name: string }>(database.owner)`
    select relname as name from pg_class where oid = any(${placed}::text[]::regclass[])
      and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)`
  // Its words may be there twice, so the whole row is its identity.
  expect(without).toEqual([{ name: 'name_words' }])
})

/**
 * The triggers that remain, by table and function: with the setting `citus.enable_unsafe_triggers` Citus runs triggers of rows on the
 * shards. Those that use another table need `citus.allow_nested_distributed_execution`, too; they read and write rows of their own
 * organization, by its key, or of a reference table.
 */
const remaining: Readonly<Record<string, string>> = {
  'ach_debits take_value': 'notes a trace number in a reference table',
  'ach_results normalize_ach_code': 'concerns the row alone',
  'employees keep_changed_name_words': 'notes words in a reference table',
  'employees keep_employer_key': 'reads a reference table',
  'employees keep_user_employer': 'changes a row of a reference table',
  'employees take_value': 'notes a user in a reference table',
  'ledger_entries refuse_change_of_ledger': 'only refuses; also the one of a statement, that empties the table',
  'repayments take_value': 'notes a result of the bank in a reference table',
  'transactions count_transactions': 'changes the balance, by organization and id',
  'transactions refuse_withdrawals': 'reads the employee, by organization and id, and holds its employer in a reference table',
  'users keep_changed_name_words': 'notes words in a reference table',
  'work_period_balances keep_available_amount': 'changes the employee, by organization and id',
}

interface Trigger {
  name: string
  of: string
  rows: boolean
  transition: boolean
}

const triggers = () => selectAll<Trigger>(database.owner)`
  select tgname as name, tgrelid::regclass || ' ' || tgfoid::regproc as of, tgtype & 1 = 1 as rows,
    tgnewtable is not null or tgoldtable is not null as transition
  from pg_trigger where not tgisinternal and tgparentid = 0 and tgrelid = any(${placed}::text[]::regclass[]) order by 2`

test('a trigger that remains on these tables is one of rows, and its reason is known', async () => {
  const all = await triggers()
  const left = all.filter(({ name }) => !triggersOfWholeTables.includes(name))
  expect([...new Set(left.map(({ of }) => of))]).toEqual(Object.keys(remaining))
  expect(left.filter(({ transition }) => transition)).toEqual([])
  expect(left.filter(({ rows }) => !rows).map(({ name }) => name)).toEqual(['ledger_is_not_emptied'])
  expect(triggersOfWholeTables.filter((name) => !all.some((each) => each.name === name))).toEqual([])
})

test('the server adds entries by the function that adds them up', () => {
  const sources = globSync('src/server/**/*.ts')
    // The demo company is loaded with its totals.
    .filter((path) => !path.includes('/seed/'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
  const adding = /insert into ledger_entries|insertInto\('ledger_entries'\)/
  expect(sources.filter(({ text }) => adding.test(text)).map(({ path }) => path)).toEqual([])
  expect(sources.filter(({ text }) => text.includes('add_ledger_entries(')).map(({ path }) => path)).toEqual([
    'src/server/tables/ledger.ts',
  ])
})
