import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { isConflict, isHeld } from '#server/postgres/away.ts'
import { isFound, selectAll, selectOne } from '#server/postgres/select.ts'
import type { Database } from '#server/tables/database.ts'

/** How changes of the schema are made while others use it. */
export interface Online {
  /** One connection, as the role that owns the tables, whose statements have no time limit. */
  one: Kysely<Database>
  /** Ends the work between two statements. */
  stop?: AbortSignal | undefined
  /** Pages of a table whose rows are filled in one transaction. */
  pages?: number | undefined
}

/** Milliseconds that others wait behind a statement at most: less than `deadlock_timeout`, so that no deadlock ends with them. */
const lockTimeout = 500
const restBetween = 1_000
const defaultPages = 16

/**
 * Runs short statements that need a table for themselves, in one transaction; if it is in use, lets others pass and tries again
 * until `stop`.
 */
export async function runBriefly({ one, stop }: Online, ...statements: readonly string[]): Promise<void> {
  while (!stop?.aborted) {
    try {
      await one.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${String(lockTimeout)}, true)`.execute(tx)
        for (const statement of statements) await sql.raw(statement).execute(tx)
      })
      return
    } catch (error) {
      if (!isHeld(error) && !isConflict(error)) throw error
      await sleep(restBetween)
    }
  }
}

/** Builds an index from its definition by PostgreSQL. An interrupted build leaves an invalid index, which is built again. */
export async function buildIndex({ one }: Online, definition: string): Promise<void> {
  const [, name = ''] = /^CREATE (?:UNIQUE )?INDEX (\w+) ON /.exec(definition) ?? []
  const index = await selectOne<{ valid: boolean }>(one)`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`
  if (index?.valid) return
  if (index) await sql`drop index concurrently ${sql.ref(name)}`.execute(one)
  await sql.raw(definition.replace(' INDEX ', ' INDEX CONCURRENTLY ')).execute(one)
}

/** The partitions of a table, which are filled and validated one by one; without any the table itself. */
async function partsOf(one: Kysely<Database>, table: string): Promise<string[]> {
  const parts = await selectAll<{ name: string }>(one)`
    select relid::regclass::text as name from pg_partition_tree(to_regclass(${table})) where isleaf order by 1`
  return parts.length > 0 ? parts.map(({ name }) => name) : [table]
}

/**
 * Updates the rows without a value, for which a trigger has one, in the order of their pages and a transaction for a few of them.
 * Rows that others have locked are left for the next pass, so that it waits for nobody.
 */
async function fillColumn({ one, stop, pages = defaultPages }: Online, table: string, column: string): Promise<void> {
  for (;;) {
    const parts = await partsOf(one, table)
    for (const part of parts) await fillPart({ one, stop, pages }, part, column)
    if (stop?.aborted || !(await hasNull(one, table, column))) return
    await sleep(restBetween)
  }
}

async function fillPart({ one, stop, pages }: Online & { pages: number }, part: string, column: string): Promise<void> {
  const size = await selectOne<{ pages: number }>(one)`
    select pg_relation_size(to_regclass(${part})) / current_setting('block_size')::bigint as pages`
  const name = sql.ref(column)
  for (let page = 0; page < (size?.pages ?? 0) && !stop?.aborted; page += pages)
    await sql`update ${sql.table(part)} set ${name} = ${name} where ctid = any(array(
      select ctid from ${sql.table(part)} where ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + pages},0)`}::tid
        and ${name} is null for no key update skip locked))`.execute(one)
}

const hasNull = (one: Kysely<Database>, table: string, column: string): Promise<boolean> =>
  isFound(one)`select from ${sql.table(table)} where ${sql.ref(column)} is null limit 1`

/**
 * Makes a column required, for which a trigger fills new and updated rows: a check refuses rows without a value from now on, older
 * ones are filled, and the check is validated, partition by partition, while others write. It then replaces the scan with which
 * PostgreSQL would block the table.
 */
export async function requireColumn(online: Online, table: string, column: string): Promise<void> {
  const { one, stop } = online
  const check = `${table}_${column}_given`
  const isRequired = await isFound(one)`
    select from pg_attribute where attrelid = to_regclass(${table}) and attname = ${column} and attnotnull`
  if (!isRequired) {
    if (!(await constraintOf(one, table, check)))
      await runBriefly(online, `alter table ${table} add constraint ${check} check (${column} is not null) not valid`)
    await fillColumn(online, table, column)
    for (const part of [...(await partsOf(one, table)), table])
      if (!stop?.aborted) await sql.raw(`alter table ${part} validate constraint ${check}`).execute(one)
    await runBriefly(online, `alter table ${table} alter column ${column} set not null`)
  }
  await runBriefly(online, `alter table ${table} drop constraint if exists ${check}`)
}

/** The statement that replaces the primary key of a table that has no rows, or few. */
export const otherPrimaryKey = (table: string, columns: string): string =>
  `alter table ${table} drop constraint ${table}_pkey, add constraint ${table}_pkey primary key (${columns})`

/**
 * Replaces the primary key of a table, to whose old one no foreign key refers: the index of the new one is built while others
 * write, partition by partition, and then takes the place of the old one.
 */
export async function replacePrimaryKey(online: Online, table: string, columns: string): Promise<void> {
  const { one, stop } = online
  const isReplaced = await isFound(one)`
    select from pg_constraint where conrelid = to_regclass(${table}) and contype = 'p'
      and pg_get_constraintdef(oid) = ${`PRIMARY KEY (${columns})`}`
  if (isReplaced) return
  const parts = await partsOf(one, table)
  for (const part of parts)
    if (!stop?.aborted)
      await buildIndex(online, `CREATE UNIQUE INDEX ${part}_next_key ON public.${part} USING btree (${columns})`)
  const using = parts.map((part) => `alter table ${part} add constraint ${part}_pkey primary key using index ${part}_next_key`)
  // The key of a partitioned table takes in those of its partitions.
  const whole = parts.includes(table) ? [] : [`alter table ${table} add constraint ${table}_pkey primary key (${columns})`]
  await runBriefly(online, `alter table ${table} drop constraint ${table}_pkey`, ...using, ...whole)
}

const takenAtOnce = 1_000

/**
 * Notes the values of a column in `taken_values`, which a trigger does for new and changed ones, in the order of an index that the
 * column has. Rows that others have locked are left for the next pass; a noted one cannot change before its value is there.
 */
export async function takeValues({ one, stop }: Online, table: string, column: string): Promise<void> {
  const [of, value] = [sql.table(table), sql.ref(column)]
  const isLeft = () => isFound(one)`
    select from ${of} where ${value} is not null
      and not exists (select from taken_values taken where taken.name = ${column} and taken.value = ${value}::text) limit 1`
  for (;;) {
    let last: string | null = null
    do {
      const batch: { last: string | null } | null = await selectOne<{ last: string | null }>(one)`
        with batch as (select ${value} as value from ${of} where ${value} is not null
            ${last === null ? sql`` : sql`and ${value} > ${last}`} order by ${value} limit ${takenAtOnce} for share skip locked),
        noted as (insert into taken_values (name, value) select ${column}, value::text from batch on conflict do nothing)
        select max(value)::text as last from batch`
      last = batch?.last ?? null
    } while (last !== null && !stop?.aborted)
    if (stop?.aborted || !(await isLeft())) return
    await sleep(restBetween)
  }
}

/** A foreign key, and the name of the one that it replaces. */
export interface Reference {
  table: string
  name: string
  /** `foreign key (...) references ...` */
  definition: string
  instead: string | null
}

/** The statement that drops the foreign key that another one replaces. */
export const dropReplaced = ({ table, instead }: Reference): string[] =>
  instead === null ? [] : [`alter table ${table} drop constraint if exists ${instead}`]

/**
 * Adds a foreign key, which is validated while others write. One of a partitioned table is that of its partitions: those that
 * have a validated one already are not scanned again.
 */
export async function addReference(online: Online, reference: Reference): Promise<void> {
  const { one, stop } = online
  const { table, name, definition } = reference
  const parts = await partsOf(one, table)
  const isPartitioned = !parts.includes(table)
  if (!(isPartitioned && (await constraintOf(one, table, name))))
    for (const part of parts) {
      if (!(await constraintOf(one, part, name)))
        await runBriefly(online, `alter table ${part} add constraint ${name} ${definition} not valid`)
      if (!stop?.aborted) await validate(one, part, name)
    }
  if (isPartitioned && !(await constraintOf(one, table, name))) {
    // PostgreSQL drops triggers that the key of a partition has on the parent table. Its lock is taken at the start: raising a
    // weaker one would be a deadlock with everybody who reads that table and then writes to it.
    const parents = await selectAll<{ name: string }>(one)`
      select distinct confrelid::regclass::text as name from pg_constraint
      where conname = ${name} and conrelid = any(${parts}::text[]::regclass[])`
    const locks = parents.map((parent) => `lock table ${parent.name} in access exclusive mode`)
    await runBriefly(online, ...locks, `alter table ${table} add constraint ${name} ${definition}`)
  }
  for (const statement of dropReplaced(reference)) await runBriefly(online, statement)
}

async function validate(one: Kysely<Database>, table: string, name: string): Promise<void> {
  if (!(await constraintOf(one, table, name))?.validated)
    await sql.raw(`alter table ${table} validate constraint ${name}`).execute(one)
}

/** A constraint of a table by its name. */
const constraintOf = (one: Kysely<Database>, table: string, name: string): Promise<{ validated: boolean } | null> =>
  selectOne<{ validated: boolean }>(one)`
    select convalidated as validated from pg_constraint where conrelid = to_regclass(${table}) and conname = ${name}`
