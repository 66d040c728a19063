import { type RawBuilder, sql } from 'kysely'
import type { Run } from '#server/seed/lanes.ts'
import type { Tx } from '#server/tables/database.ts'

/** Tables that are loaded without indexes, constraints and triggers. */
export const bareTables = [
  'work_period_balances',
  'users',
  'identity_checks',
  'current_addresses',
  'employees',
  'linked_accounts',
  'rewards',
  'audit_events_before',
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
  'name_words',
] as const
export type BareTable = (typeof bareTables)[number]

/** Fills a table; after planning, loads can run in any order. */
export interface Load {
  table: BareTable
  load: (tx: Tx) => Promise<void>
}

/** The statements that restore what was dropped from a table. */
export interface DroppedDefinitions {
  table: BareTable
  /** Indexes, including those of constraints. */
  indexes: string[]
  /** Indexes that may be built later: nothing depends on them, and without them some reads are slower for a while. */
  later: string[]
  /** Foreign keys from and to the table, which need other tables to be complete. */
  references: DroppedConstraint[]
}

/** A constraint, and how to create it again. */
interface DroppedConstraint {
  /** The table to load whose definition it is. */
  of: string
  /** The tables that are locked by creating it, in the order of their names. */
  tables: string[]
  again: string
}

/**
 * Drops indexes, constraints and triggers of the tables to load, and foreign keys of other tables to them: loading without them
 * and recreating them afterwards is many times faster. Autovacuum is off meanwhile.
 */
export async function dropDefinitions(tx: Tx): Promise<DroppedDefinitions[]> {
  await sql`alter table audit_events detach partition audit_events_before`.execute(tx)
  const bare = sql`any(${[...bareTables]}::text[]::regclass[])`
  const references = await dropConstraints(
    tx,
    sql`contype = 'f' and conparentid = 0 and (conrelid = ${bare} or confrelid = ${bare})`,
  )
  const keys = await dropConstraints(tx, sql`contype in ('p', 'u') and conrelid = ${bare}`)
  const { rows: indexes } = await sql<{ of: string; name: string; again: string; later: boolean }>`
    select indrelid::regclass::text as of, relname as name, pg_get_indexdef(indexrelid) as again,
      not indisunique and (amname = 'gin' or indrelid in ('employees'::regclass, 'users'::regclass)) as later
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid = ${bare} and not exists (select from pg_constraint where conindid = indexrelid)
    order by amname <> 'gin', 2`.execute(tx)
  for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(tx)
  for (const table of bareTables)
    await sql`alter table ${sql.ref(table)} disable trigger user, set (autovacuum_enabled = false)`.execute(tx)
  const of = (table: string, all: readonly { of: string; again: string }[]) =>
    all.filter((each) => each.of === table).map(({ again }) => again)
  return bareTables.map((table) => ({
    table,
    indexes: [
      ...of(
        table,
        indexes.filter(({ later }) => !later),
      ),
      ...of(table, keys),
    ],
    later: of(
      table,
      indexes.filter(({ later }) => later),
    ),
    references: references.filter((each) => each.of === table),
  }))
}

/** Drops the constraints that match, each of a table to load. */
async function dropConstraints(tx: Tx, expected: RawBuilder<unknown>): Promise<DroppedConstraint[]> {
  const { rows } = await sql<{ table: string; other: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, confrelid::regclass::text as other, conname as name,
      pg_get_constraintdef(oid) as definition from pg_constraint
    where ${expected} order by 1, 3`.execute(tx)
  for (const { table, name } of rows) await sql`alter table ${sql.ref(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  return rows.map(({ table, other, name, definition }) => ({
    of: isBare(table) ? table : other,
    tables: [table, other].sort(),
    again: `alter table "${table}" add constraint "${name}" ${definition}`,
  }))
}

/** Whether a table is loaded without indexes, constraints and triggers. */
export const isBare = (table: string): boolean => bareTables.some((bare) => bare === table)

/** Recreates the indexes of one table; statistics come first, because `analyze` would wait for an index build. */
export async function restoreIndexes(tx: Tx, { table, indexes }: DroppedDefinitions): Promise<void> {
  await analyze(tx, table)
  for (const statement of indexes) await sql.raw(statement).execute(tx)
}

/** Statistics for the planner. Autovacuum follows soon after. */
export const analyze = async (tx: Tx, ...tables: string[]): Promise<void> =>
  void (await sql`analyze ${sql.join(tables.map((table) => sql.ref(table)))}`.execute(tx))

/**
 * Recreates the foreign keys and triggers of all tables, once every row is loaded. Each key is a separate step, which locks its
 * two tables in the order of their names: two steps of keys in opposite directions, or of more tables, could deadlock.
 */
export async function restoreReferences(run: Run, dropped: readonly DroppedDefinitions[]): Promise<void> {
  const keys = dropped.flatMap(({ references }) => references)
  const recreate = async (tx: Tx, { tables, again }: DroppedConstraint): Promise<void> => {
    await sql`lock table ${sql.join(tables.map((table) => sql.ref(table)))} in share row exclusive mode`.execute(tx)
    await sql.raw(again).execute(tx)
  }
  await Promise.all(keys.map((key) => run((tx) => recreate(tx, key))))
  await run(async (tx) => {
    for (const { table } of dropped)
      await sql`alter table ${sql.ref(table)} enable trigger user, reset (autovacuum_enabled)`.execute(tx)
  })
  await run(attachEvents)
}

/**
 * Attaches the partition with the events before the first month to the audit again; events later than that move to their months.
 */
async function attachEvents(tx: Tx): Promise<void> {
  const { rows } = await sql<{ first: string }>`
    select min(month)::text as first from monthly_partitions where parent = 'audit_events'`.execute(tx)
  const first = sql`${rows[0]?.first}::timestamp at time zone 'UTC'`
  await sql`create temp table late_events on commit drop as select * from audit_events_before where at >= ${first}`.execute(tx)
  await sql`delete from audit_events_before where at >= ${first}`.execute(tx)
  await sql`select attach_audit_before(${rows[0]?.first})`.execute(tx)
  await sql`insert into monthly_partitions (parent, month) select distinct 'audit_events', date_trunc('month', at at time zone 'UTC')::date
    from late_events on conflict do nothing`.execute(tx)
  await sql`insert into audit_events select * from late_events`.execute(tx)
}
