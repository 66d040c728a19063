import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Client, type Pool } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { migrate } from '#server/migrate.ts'
import { checkServer, kyselyOn, nameOf, openPool } from '#server/postgres/connect.ts'
import { enterCluster } from '#server/postgres/presence.ts'
import type { Background } from '#server/services.ts'
import type { Settings } from '#server/settings.ts'
import type { Database } from '#server/tables/database.ts'
import { isOverWithin } from '#server/within.ts'

/** A database that is there, migrated, and ready for statements. */
export interface OpenDatabase {
  db: Kysely<Database>
  pool: Pool
  /** The same for work in the background: its statements may take long. */
  background: Background
  /** Tells the postgres:// address, for pools of their own. */
  url: () => string
  /** Lets go of it; the last process to let go of an embedded PostgreSQL stops it. */
  close: () => Promise<void>
  /** Lets go of it without waiting for what is under way, which then fails. */
  abandon: () => Promise<void>
}

/** Milliseconds that connections have to end in order. */
const patience = 2_000

const embeddedName = 'admin_portal'
/** Longest time a statement may take, in milliseconds: of a request, and of work in the background. */
const statementTimeout = 4_000
const backgroundTimeout = 10 * 60_000

/** Opens the embedded PostgreSQL or the one of DATABASE_URL, and migrates it; throws CannotStart with one sentence. */
export async function openDatabase(
  settings: Pick<Settings, 'dataFolder' | 'databaseUrl' | 'businessTimeZone'>,
): Promise<OpenDatabase> {
  const name = `admin-portal ${randomUUID().slice(0, 8)}`
  const { url, named, leave } = settings.databaseUrl
    ? { url: () => settings.databaseUrl as string, named: nameOf(settings.databaseUrl), leave: async () => undefined }
    : await embedded(settings.dataFolder)
  const at = { url, name, businessTimeZone: settings.businessTimeZone }
  try {
    // Migrations may take longer than any request.
    const patient = openPool({ ...at, statementTimeout: 0, connections: 2 })
    const migrating = kyselyOn(patient)
    try {
      await checkServer(patient, named)
      await migrate(migrating)
    } finally {
      await migrating.destroy()
      if (!patient.ended) await patient.end()
    }
  } catch (error) {
    await leave()
    throw error
  }
  const pool = openPool({ ...at, statementTimeout, connections: 12 })
  const db = kyselyOn(pool)
  const behind = openPool({ ...at, name: `${name} background`, statementTimeout: backgroundTimeout, connections: 12 })
  const background = { db: kyselyOn(behind), pool: behind }
  const close = async (): Promise<void> => {
    // A connection that hangs falls with the process.
    await isOverWithin(patience, Promise.all([end({ db, pool }), end(background)]))
    await leave()
  }
  return { db, pool, background, url, close, abandon: leave }
}

async function end({ db, pool }: Background): Promise<void> {
  await db.destroy()
  if (!pool.ended) await pool.end()
}

async function embedded(dataFolder: string): Promise<{ url: () => string; named: string; leave: () => Promise<void> }> {
  const presence = await enterCluster(dataFolder)
  const client = new Client({ connectionString: presence.url('postgres') })
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [embeddedName])
    if (rowCount === 0) {
      // A process that starts at the same moment may be first.
      await client.query(`create database ${embeddedName}`).catch((error: unknown) => {
        if (!/already exists|duplicate key/.test(String(error))) throw error
      })
    }
  } catch (error) {
    await presence.leave()
    throw new CannotStart(
      `The embedded PostgreSQL in ${dataFolder} does not answer (${String(error)}): start again, or set DATA_DIR to another folder.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
  return { url: () => presence.url(embeddedName), named: `in ${dataFolder}`, leave: presence.leave }
}
