import { type Kysely, sql } from 'kysely'
import { isMigrated, isNewer, refuseLastRelease } from '#server/boot/migrate.ts'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { unlessUnderWay } from '#server/postgres/guard.ts'
import { buildIndex, replacePrimaryKey } from '#server/postgres/online-ddl.ts'
import { isFound, selectAll, selectOne } from '#server/postgres/select.ts'
import type { Database } from '#server/tables/database.ts'
import { canTakeSteps, stepsLeft } from '#server/tables/later-steps.ts'
import { distributedTables, keysOfLastRelease, referenceTables, triggersOfWholeTables } from '#server/tables/placement.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'

const placed: readonly string[] = [...referenceTables, ...distributedTables]
const lock = 4_184_008

/** Setting with what is under way, until it is done. */
const setting = 'distribution'
/** Settings of Citus for the triggers on shards, in every session: they are run, and may use tables of the same organization. */
const citusSettings = ['citus.enable_unsafe_triggers', 'citus.allow_nested_distributed_execution']

/** A table that is not placed yet. */
export interface TableToPlace {
  name: string
  kind: 'reference' | 'distributed'
  /** As text with a unit. */
  size: string
  /** As estimated by PostgreSQL. */
  rows: number
}

/** What remains to be done. */
export interface Distribution {
  /** The number of workers; null if Citus is installed, and not in this database yet. */
  workers: number | null
  /** In the order in which they are placed. */
  tables: TableToPlace[]
  /** Whether an earlier run was interrupted, and left keys or triggers to be restored. */
  unfinished: boolean
}

/**
 * Checks that the database can be distributed by organization, as the role that owns the tables, and changes nothing. Throws
 * CannotStart in one sentence.
 */
export async function planDistribution(owner: Kysely<Database>): Promise<Distribution> {
  if ((await isNewer(owner)) || !(await isMigrated(owner)) || (await stepsLeft(owner)).length > 0)
    throw new CannotStart('The schema is not the complete one of this version: run `npm run migrate -- --finish` first.')
  if (!(await canTakeSteps(owner)))
    throw new CannotStart('The role does not own the tables: set MIGRATION_DATABASE_URL to the role that does.')
  if (await hasPastLeft(owner))
    throw new CannotStart('The demo company is not complete yet: leave a server running until its past is made, and try again.')
  const connected = await serversOf(owner)
  if (connected > 0)
    throw new CannotStart(`Servers use this database (connections: ${connected}): stop all of them, and try again.`)
  const workers = (await hasCitus(owner)) ? await workersOf(owner) : null
  if (workers === null && !(await isFound(owner)`select from pg_available_extensions where name = 'citus'`))
    throw new CannotStart(
      'This PostgreSQL has no Citus: install it on every machine, add it to shared_preload_libraries, and restart PostgreSQL.',
    )
  return { workers, tables: await tablesToPlace(owner), unfinished: (await settingOf(owner, setting)) !== null }
}

/** Connections of servers, of any release: their names have no version. */
const serversOf = async (owner: Kysely<Database>): Promise<number> =>
  (
    await selectAll(owner)`
      select from pg_stat_activity where datname = current_database() and application_name ~ '^admin-portal [0-9a-f]{8}\\M'`
  ).length

const hasCitus = (owner: Kysely<Database>) => isFound(owner)`select where to_regclass('pg_dist_partition') is not null`

async function createCitus(owner: Kysely<Database>): Promise<void> {
  try {
    await sql`create extension if not exists citus`.execute(owner)
  } catch (error) {
    throw new CannotStart(
      `The extension could not be created (${messageOf(error)}): run \`create extension citus\` in this database as a superuser.`,
    )
  }
}

/** The number of workers. Throws CannotStart if this is no coordinator with workers that knows itself. */
async function workersOf(owner: Kysely<Database>): Promise<number> {
  const nodes = await selectOne<{ itself: boolean; workers: number }>(owner)`
    select coalesce(bool_or(groupid = 0), false) as itself, (count(*) filter (where groupid <> 0 and isactive))::int as workers
    from pg_dist_node`
  if (!nodes?.itself)
    throw new CannotStart(
      `The coordinator does not know its own address: run \`select citus_set_coordinator_host('its name')\` as a superuser.`,
    )
  if (nodes.workers === 0)
    throw new CannotStart("There is no worker: run `select citus_add_node('its name', 5432)` as a superuser, for each one.")
  return nodes.workers
}

/** Whether a table is where it belongs. */
const isPlaced = sql`exists (select from pg_dist_partition where logicalrelid = place.name::regclass
  and case place.kind when 'distributed' then partmethod = 'h' else partmethod = 'n' and repmodel = 't' end)`

const places = sql`(select name, 'reference' as kind, at from unnest(${[...referenceTables]}::text[]) with ordinality as of(name, at)
  union all select name, 'distributed', 1000 + at from unnest(${[...distributedTables]}::text[]) with ordinality as of(name, at))`

async function tablesToPlace(owner: Kysely<Database>): Promise<TableToPlace[]> {
  const isLeft = (await hasCitus(owner)) ? sql`not ${isPlaced}` : sql`true`
  return selectAll<TableToPlace>(owner)`
    select place.name, place.kind, pg_size_pretty(sum(pg_total_relation_size(part.relid))) as size,
      sum(greatest(reltuples, 0))::bigint as rows
    from ${places} place cross join lateral (
      select relid from pg_partition_tree(place.name::regclass) where isleaf
      union select place.name::regclass) part
    join pg_class on pg_class.oid = part.relid
    where ${isLeft} group by place.name, place.kind, place.at order by place.at`
}

/**
 * Places the tables: replaces the keys of the last release, drops foreign keys and triggers, makes reference tables and then
 * distributed ones, and restores the foreign keys and the triggers that remain. Interrupted at any point, it goes on when it is
 * called again; `say` gets each step. Throws CannotStart if it is under way elsewhere, or if Citus refuses a step.
 */
export async function distribute(owner: Kysely<Database>, say: (line: string) => void): Promise<void> {
  const isAlone = await unlessUnderWay(owner, lock, async (one) => {
    if (!(await hasCitus(one))) await createCitus(one)
    await workersOf(one)
    try {
      await placeAll(one, say)
    } catch (error) {
      if (codeOf(error) === '') throw error
      throw new CannotStart(`It ended with an error (${messageOf(error)}): remove its cause, and run this again to go on.`)
    }
  })
  if (!isAlone) throw new CannotStart('Another process is distributing this database.')
}

async function placeAll(one: Kysely<Database>, say: (line: string) => void): Promise<void> {
  // Sequential: a statement sees on each machine what the one before it changed there.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', false),
    ${sql.join(citusSettings.map((name) => sql`set_config(${name}, 'on', false)`))}`.execute(one)
  await refuseLastRelease(one)
  const tables = await tablesToPlace(one)
  if (tables.length > 0) {
    await replaceKeys(one, tables)
    await dropDependents(
      one,
      tables.map(({ name }) => name),
    )
  }
  // Citus finds the machine of a statement by the values of a call.
  await sql`alter function add_ledger_entries reset plan_cache_mode`.execute(one)
  for (const { name, kind } of tables) {
    say(`${name}: ${kind}`)
    await place(one, name, kind)
  }
  await removeCopies(one)
  await restoreDependents(one, say)
  await setEverywhere(one)
}

/** Replaces the keys that only the last release needs by ones with the organization. */
async function replaceKeys(one: Kysely<Database>, tables: readonly TableToPlace[]): Promise<void> {
  const isLeft = (table: string) => tables.some(({ name }) => name === table)
  for (const table of keysOfLastRelease.primary.filter(isLeft)) await replacePrimaryKey({ one }, table, 'id, organization_id')
  for (const { table, columns, name, instead } of keysOfLastRelease.unique.filter((key) => isLeft(key.table))) {
    await buildIndex({ one }, `CREATE UNIQUE INDEX ${name} ON public.${table} USING btree (${columns}, organization_id)`)
    await sql`alter table ${sql.ref(table)} drop constraint if exists ${sql.ref(instead)}`.execute(one)
  }
}

/** A foreign key or a trigger of a table, and the statement that makes it. */
interface Dependent {
  kind: 'constraint' | 'trigger'
  table: string
  name: string
  again: string
}

/** What is under way: tables whose rows may still be on the coordinator, too, and what is restored when none is left. */
interface UnderWay {
  copies: string[]
  dependents: Dependent[]
}

const underWay = async (db: Kysely<Database>): Promise<UnderWay> =>
  JSON.parse((await settingOf(db, setting)) ?? '{"copies":[],"dependents":[]}') as UnderWay

const noteUnderWay = (db: Kysely<Database>, now: UnderWay): Promise<void> => putSetting(db, setting, JSON.stringify(now))

/**
 * Drops the foreign keys from and to tables, and their triggers: Citus refuses the keys of tables that are placed one after the
 * other. Notes in the same transaction how those that remain are restored: triggers, then keys in the order of the tables.
 */
async function dropDependents(one: Kysely<Database>, tables: string[]): Promise<void> {
  await one.transaction().execute(async (tx) => {
    const theirs = sql`any(${tables}::text[]::regclass[])`
    const found = await selectAll<Dependent>(tx)`
      select 'trigger' as kind, tgrelid::regclass::text as table, tgname as name, pg_get_triggerdef(oid) as again from pg_trigger
      where not tgisinternal and tgparentid = 0 and tgrelid = ${theirs}
      union all
      select 'constraint', conrelid::regclass::text, conname,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where contype = 'f' and conparentid = 0 and (conrelid = ${theirs} or confrelid = ${theirs}) order by 1, 2, 3`
    const kept = found.filter(({ kind, name }) => kind === 'constraint' || !triggersOfWholeTables.includes(name))
    const order = ({ kind, table }: Dependent) => (kind === 'trigger' ? 0 : placed.indexOf(table) + 1 || placed.length + 1)
    const before = await underWay(tx)
    await noteUnderWay(tx, {
      copies: [...new Set([...before.copies, ...tables])],
      dependents: [...before.dependents, ...kept].toSorted((a, b) => order(a) - order(b)),
    })
    for (const { kind, table, name } of found)
      await (kind === 'trigger'
        ? sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}`
        : sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`
      ).execute(tx)
  })
}

async function place(one: Kysely<Database>, table: string, kind: TableToPlace['kind']): Promise<void> {
  const [first] = distributedTables
  // Without a primary key, a table that others write has to say what a row is before it is copied to another machine.
  if (table === 'name_words') await sql`alter table name_words replica identity full`.execute(one)
  if (kind === 'reference') await sql`select create_reference_table(${table}::regclass)`.execute(one)
  else
    await sql`select create_distributed_table(${table}::regclass, 'organization_id',
      colocate_with => ${table === first ? 'none' : first})`.execute(one)
}

/**
 * Removes the rows that Citus leaves on the coordinator, where nobody sees them, while no foreign key leads there: later they would
 * take part in the building of indexes, and to remove them would empty the tables that refer to them.
 */
async function removeCopies(one: Kysely<Database>): Promise<void> {
  for (let now = await underWay(one); now.copies[0] !== undefined; now = await underWay(one)) {
    const [table, ...copies] = now.copies
    await sql`select truncate_local_data_after_distributing_table(${table}::regclass)`.execute(one)
    await noteUnderWay(one, { ...now, copies })
  }
}

/** Makes the foreign keys and triggers again that are noted and not there. */
async function restoreDependents(one: Kysely<Database>, say: (line: string) => void): Promise<void> {
  const { dependents } = await underWay(one)
  for (const { kind, table, name, again } of dependents) {
    const isThere = await isFound(one)`
      select from pg_constraint where ${kind} = 'constraint' and conrelid = ${table}::regclass and conname = ${name}
      union all select from pg_trigger where ${kind} = 'trigger' and tgrelid = ${table}::regclass and tgname = ${name}`
    if (isThere) continue
    say(`${table}: ${kind} ${name}`)
    await sql.raw(again).execute(one)
  }
  await sql`delete from settings where name = ${setting}`.execute(one)
}

/** Makes the settings of Citus those of every later session, on every machine. */
async function setEverywhere(one: Kysely<Database>): Promise<void> {
  const database = await selectOne<{ name: string }>(one)`select quote_ident(current_database()) as name`
  for (const each of citusSettings) {
    const statement = `alter database ${database?.name} set ${each} = 'on'`
    const failed = await selectOne<{ result: string }>(one)`
      select result from run_command_on_all_nodes(${statement}) where not success`
    if (failed)
      throw new CannotStart(
        `A machine refused a setting (${failed.result}): run \`${statement}\` on every machine as a superuser, and run this again.`,
      )
  }
}
