import { readFileSync, readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import type { Database } from '#server/tables/database.ts'

const folder = new URL('../migrations/', import.meta.url)

/** The numbered SQL files, oldest first; they only go forward. */
export const migrationNames = (): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => name.slice(0, -'.sql'.length))

/** Migrations that the database has and this code does not know. */
async function unknownMigrations(db: Kysely<Database>): Promise<string[]> {
  const { rows: tables } = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!tables[0]?.there) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  const known = new Set(migrationNames())
  return rows.map((row) => row.name).filter((name) => !known.has(name))
}

/** Throws CannotStart when the database is newer than the code. */
export async function refuseNewer(db: Kysely<Database>): Promise<void> {
  const unknown = await unknownMigrations(db)
  if (unknown.length > 0)
    throw new CannotStart(
      `The database is newer than this version of Admin Portal (it has ${unknown.at(-1)}): start the newer version, or use another database.`,
    )
}

/**
 * Brings the database to the newest migration, in one transaction; of processes that start together one does it
 * and the others wait. Throws CannotStart when the database is newer than the code.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await refuseNewer(db)
  const names = migrationNames()
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          names.map((name) => {
            const text = readFileSync(new URL(`${name}.sql`, folder), 'utf8')
            return [name, { up: async (tx: Kysely<unknown>) => void (await sql.raw(text).execute(tx)) }]
          }),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (codeOf(error) === '42501')
    throw new CannotStart(
      'The role of DATABASE_URL may not make the tables: set MIGRATION_DATABASE_URL to the role that owns the database.',
    )
  if (error) throw new CannotStart(`The database could not be brought up to date (${messageOf(error)}): nothing was changed.`)
}

/** Whether every migration of this code has run, for `/readyz`. */
export async function isMigrated(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const done = new Set(rows.map((row) => row.name))
  return migrationNames().every((name) => done.has(name))
}
