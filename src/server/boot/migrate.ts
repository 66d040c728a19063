import { readFileSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { lastRelease } from '#server/boot/last-release.ts'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { isHeld } from '#server/postgres/away.ts'
import type { Database } from '#server/tables/database.ts'
import { takeStepsOfEmpty } from '#server/tables/later-steps.ts'
import { putSetting, settingOf } from '#server/tables/setting.ts'

/** Milliseconds that a migration tries to get its tables, and in which others use them between two tries. */
const giveUpAfter = 5 * 60_000
const restBetween = 1_000

const folder = new URL('../migrations/', import.meta.url)

/** The numbered SQL files, oldest first; there are no down migrations. */
export const migrationNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => name.slice(0, -'.sql'.length))

/** The migrations applied to a database, oldest first; none without tables. */
async function migrationsOf(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!tables[0]?.there) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

/** Setting with the newest migration of the oldest version that works with the schema. */
const worksSince = 'schema-works-since'

/**
 * Whether the database is newer than the code, by migrations with which this version still works. Throws CannotStart if it does
 * not work with them.
 */
export async function isNewer(db: Kysely<Database>): Promise<boolean> {
  const [known, done] = [migrationNames(), await migrationsOf(db)]
  const unknown = done.findLast((name) => !known.includes(name))
  if (!unknown) return false
  const oldest = await settingOf(db, worksSince)
  const works = oldest !== null && known.includes(oldest) && known.every((name) => done.includes(name))
  if (works) return true
  throw new CannotStart(
    `The database is newer than this version of Admin Portal (it has ${unknown}): start the newer version, or use another database.`,
  )
}

/** Kysely's migrator over the SQL files. */
export const migratorOf = (db: Kysely<Database>): Migrator =>
  new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          migrationNames().map((name) => {
            const text = readFileSync(new URL(`${name}.sql`, folder), 'utf8')
            return [name, { up: (tx: Kysely<Database>) => applyMigration(tx, text) }]
          }),
        ),
    },
  })

/** Refuses the last release from now on, for which the schema lacks something. */
export const refuseLastRelease = (db: Kysely<Database>): Promise<void> =>
  putSetting(db, worksSince, migrationNames().at(-1) as string)

/** Applies a migration, and records in the same transaction which versions work with the result. */
async function applyMigration(tx: Kysely<Database>, text: string): Promise<void> {
  // On a distributed database a statement has to see on each machine what the one before it changed there.
  await sql`select set_config('citus.multi_shard_modify_mode', 'sequential', true) from pg_extension where extname = 'citus'`.execute(
    tx,
  )
  await sql.raw(text).execute(tx)
  await putSetting(tx, worksSince, lastRelease.migration)
  await takeStepsOfEmpty(tx)
}

/**
 * Migrates the database to the newest version, in one transaction; of processes that start together one does it and the others
 * wait. If a table is in use for longer than the lock timeout of the connection, it lets others pass, and tries again. Throws
 * CannotStart if the database is too new for the code.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  if (await isNewer(db)) return
  // Kysely inspects all schemas, and fails if one is dropped meanwhile, as the creation of the demo company does.
  if (await isMigrated(db)) return
  const error = await migrateWhenFree(migratorOf(db))
  if (isHeld(error))
    throw new CannotStart(
      'The tables of the database have been in use for five minutes without a pause: nothing was changed. Start again when long reads, such as a dump, have ended.',
    )
  if (codeOf(error) === '42501')
    throw new CannotStart(
      'The role of DATABASE_URL may not make the tables: set MIGRATION_DATABASE_URL to the role that owns the database.',
    )
  if (error) throw new CannotStart(`The database could not be brought up to date (${messageOf(error)}): nothing was changed.`)
}

/** Migrates once no long read has a table that it changes; returns the error, if any. */
async function migrateWhenFree(migrator: Migrator): Promise<unknown> {
  const deadline = Date.now() + giveUpAfter
  for (;;) {
    const { error } = await migrator.migrateToLatest()
    if (!isHeld(error) || Date.now() > deadline) return error
    await sleep(restBetween)
  }
}

/** Whether all migrations of this code have been applied, for `/readyz`. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const done = new Set(await migrationsOf(db))
  return migrationNames().every((name) => done.has(name))
}
