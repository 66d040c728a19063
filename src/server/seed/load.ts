import { type RawBuilder, sql } from 'kysely'
import type { Run } from '#server/seed/lanes.ts'
import type { Tx } from '#server/tables/database.ts'

/** Tables that are loaded without what keeps them. */
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

/** What fills a table; with the plans made, in any order. */
export interface Load {
  table: BareTable
  load: (tx: Tx) => Promise<void>
}

/** The statements that give a table back what was taken from it. */
export interface Taken {
  table: BareTable
  /** Indexes, and constraints that are one. */
  indexes: string[]
  /** Indexes that may come later: nothing rests on them, and without them some reads are slower for a while. */
  later: string[]
  /** Foreign keys, which other tables have to be whole for. */
  references: string[]
}

/**
 * Takes foreign keys, indexes and triggers of the tables that are loaded away, with every key that no other table rests on:
 * loading without them and making them again afterwards is many times faster. Nobody vacuums them meanwhile.
 */
export async function strip(tx: Tx): Promise<Taken[]> {
  await sql`alter table audit_events detach partition audit_events_before`.execute(tx)
  const references = await dropConstraints(tx, sql`conrelid = any(${[...bareTables]}::text[]::regclass[]) and contype = 'f'`)
  const keys = await dropConstraints(
    tx,
    sql`conrelid = any(${[...bareTables]}::text[]::regclass[]) and contype in ('p', 'u')
      and not exists (select from pg_constraint other where other.contype = 'f' and other.conindid = c.conindid)`,
  )
  const { rows: indexes } = await sql<{ of: string; name: string; again: string; later: boolean }>`
    select indrelid::regclass::text as of, relname as name, pg_get_indexdef(indexrelid) as again,
      not indisunique and (amname = 'gin' or indrelid in ('employees'::regclass, 'users'::regclass)) as later
    from pg_index join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = relam
    where indrelid = any(${[...bareTables]}::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
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
    references: of(table, references),
  }))
}

/** Drops the constraints `c` that match; returns the statements that create them again. */
async function dropConstraints(tx: Tx, expected: RawBuilder<unknown>): Promise<{ of: string; again: string }[]> {
  const { rows } = await sql<{ of: string; name: string; definition: string }>`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint c
    where ${expected} order by 1, 2`.execute(tx)
  for (const { of, name } of rows) await sql`alter table ${sql.ref(of)} drop constraint ${sql.ref(name)}`.execute(tx)
  return rows.map(({ of, name, definition }) => ({ of, again: `alter table "${of}" add constraint "${name}" ${definition}` }))
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
    for (const { table } of taken)
      await sql`alter table ${sql.ref(table)} enable trigger user, reset (autovacuum_enabled)`.execute(tx)
  })
  await run(attachEvents)
}

/** Gives the audit back what came before its first month; what is made for a later day than today goes into the months. */
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
