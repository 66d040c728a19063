import { type Kysely, sql } from 'kysely'
import { CannotStart } from '#server/cannot-start.ts'
import { isMigrated, isNewer, migrate } from '#server/boot/migrate.ts'
import { grantTo } from '#server/postgres/grants.ts'
import { oneAtATime } from '#server/postgres/guard.ts'
import type { Database } from '#server/tables/database.ts'

/** Lock held while migrating and granting; other processes wait, then find nothing to do. */
const preparing = 4_184_004

export interface Roles {
  /** Connected as the application. */
  db: Kysely<Database>
  /** Connected as the owner of the schema; the same role if there is only one. */
  owner: Kysely<Database>
}

/**
 * Migrates the schema to the newest version, and grants the application's role what it needs. A single role that owns nothing
 * accepts a schema that another start has prepared. Throws CannotStart.
 */
export async function prepareSchema({ db, owner }: Roles): Promise<void> {
  const [application, owning] = [await roleOf(db), await roleOf(owner)]
  if (application === owning && (await isPreparedFor(db))) return
  await requireSame(db, owner)
  await oneAtATime(owner, preparing, async () => {
    await migrate(owner)
    // A newer version has granted what both need.
    if (application !== owning && !(await isNewer(owner))) await owner.transaction().execute((tx) => grantTo(tx, application))
  })
}

const roleOf = async (db: Kysely<Database>): Promise<string> =>
  (await sql<{ role: string }>`select current_user::text as role`.execute(db)).rows[0]?.role as string

/** Whether the schema exists, is up to date, and belongs to another role; one that is too new is refused. */
async function isPreparedFor(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ foreign: boolean }>`
    select not pg_has_role(current_user, relowner, 'MEMBER') as foreign from pg_class
    where oid = to_regclass('public.kysely_migration')`.execute(db)
  if (!rows[0]?.foreign) return false
  return (await isNewer(db)) || isMigrated(db)
}

/** Throws unless both addresses lead to the same database of the same PostgreSQL. */
async function requireSame(db: Kysely<Database>, owner: Kysely<Database>): Promise<void> {
  const place = async (of: Kysely<Database>) =>
    (
      await sql<{ place: string }>`select concat(oid, ' ', pg_postmaster_start_time()) as place from pg_database
        where datname = current_database()`.execute(of)
    ).rows[0]?.place
  if ((await place(db)) === (await place(owner))) return
  throw new CannotStart('MIGRATION_DATABASE_URL and DATABASE_URL lead to different databases: set both to the same one.')
}
