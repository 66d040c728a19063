import { sql } from 'kysely'
import type { Run } from '#server/seed/lanes.ts'
import type { Tx } from '#server/tables/database.ts'

/** Tables that are loaded without what keeps them. */
export const bareTables = [
  'balances',
  'employees',
  'audit_events',
  'invoices',
  'invoice_lines',
  'deductions',
  'write_offs',
  'notes',
  'repayments',
  'repayment_allocations',
  'credits',
  'ach_debits',
  'ledger_entries',
] as const
export type BareTable = (typeof bareTables)[number]

/** What fills a table; with the plans made, in any order. */
export interface Load {
  table: BareTable
  load: (tx: Tx) => Promise<void>
}

/** The statements that give a table back what was taken from it. */
export interface Taken {
  table: BareTable
  /** Indexes, and constraints that are one; those that take long first. */
  indexes: string[]
  /** Foreign keys, which other tables have to be whole for. */
  references: string[]
}

/**
 * Takes a table's foreign keys, unique constraints, secondary indexes and triggers away: loading without them and making
 * them again afterwards is many times faster.
 */
export async function strip(tx: Tx, table: BareTable): Promise<Taken> {
  const constraints = await sql<{ name: string; kind: string; definition: string }>`
    select conname as name, contype::text as kind, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${table}::regclass and contype in ('f', 'u') order by contype desc, conname`.execute(tx)
  const indexes = await sql<{ name: string; definition: string }>`
    select relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on oid = indexrelid
    where indrelid = ${table}::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)
    order by pg_get_indexdef(indexrelid) !~ 'USING gin', 1`.execute(tx)
  for (const { name } of constraints.rows) await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  for (const { name } of indexes.rows) await sql`drop index ${sql.ref(name)}`.execute(tx)
  await sql`alter table ${sql.ref(table)} disable trigger user`.execute(tx)
  const again = (of: string) =>
    constraints.rows
      .filter(({ kind }) => kind === of)
      .map(({ name, definition }) => `alter table "${table}" add constraint "${name}" ${definition}`)
  return { table, indexes: [...indexes.rows.map(({ definition }) => definition), ...again('u')], references: again('f') }
}

/** Gives one table its indexes back; statistics come before, because they wait for an index that is being made. */
export async function index(tx: Tx, { table, indexes }: Taken): Promise<void> {
  await analyze(tx, table)
  for (const statement of indexes) await sql.raw(statement).execute(tx)
}

/** What it takes to plan well. PostgreSQL vacuums by itself soon after. */
export const analyze = async (tx: Tx, ...tables: string[]): Promise<void> =>
  void (await sql`analyze ${sql.join(tables.map((table) => sql.ref(table)))}`.execute(tx))

/**
 * Gives all tables their foreign keys and triggers back, once every row is there. Each key is a step: a transaction that
 * holds more than the two tables of one key could wait for another that waits for it.
 */
export async function refer(run: Run, taken: readonly Taken[]): Promise<void> {
  const keys = taken.flatMap(({ references }) => references)
  await Promise.all(keys.map((key) => run((tx) => sql.raw(key).execute(tx))))
  await run(async (tx) => {
    for (const { table } of taken) await sql`alter table ${sql.ref(table)} enable trigger user`.execute(tx)
  })
}
