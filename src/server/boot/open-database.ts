import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { CannotStart } from '#server/cannot-start.ts'
import { isHalfMade } from '#server/boot/half-made.ts'
import { prepareSchema } from '#server/boot/prepare-schema.ts'
import { checkServer, type Connection, connectTo, type Waiting } from '#server/postgres/connect.ts'
import { excessOf } from '#server/postgres/excess.ts'
import { nameOf } from '#server/postgres/hosts.ts'
import { enterCluster } from '#server/postgres/presence.ts'
import { applicationRole, makeDatabase, ownerRole } from '#server/postgres/roles.ts'
import { openReplicas, type Replicas } from '#server/postgres/replicas.ts'
import type { Background } from '#server/http/route.ts'
import type { Settings } from '#server/boot/settings.ts'
import type { Database } from '#server/tables/database.ts'
import { isOverWithin } from '#server/timeout.ts'

/** An open, migrated database. */
export interface OpenDatabase {
  db: Kysely<Database>
  pool: Pool
  /** The same for changes, with a small pool of its own. */
  changing: Kysely<Database>
  /** The pools of requests, changes and background work, by name. */
  pools: Readonly<Record<string, Pool>>
  /** The same for background work, whose statements may take long. */
  background: Background
  /** Standbys that answer reads; null if there are none. */
  replicas: Replicas | null
  /** Address of the role that owns the schema; by default that of the application. */
  ownerUrl: Connection['url']
  /** Whether it is the embedded PostgreSQL, whose database is dropped if the creation of the demo company was interrupted. */
  embedded: boolean
  /** A warning for the operator about the role of DATABASE_URL, in one sentence; null if there is none. */
  warning: string | null
  /** Closes it; the last process to close an embedded PostgreSQL stops it. */
  close: () => Promise<void>
  /** Closes it without waiting for running statements, which then fail. */
  abandon: () => Promise<void>
}

/** Milliseconds for connections to close gracefully. */
const patience = 2_000

const embeddedName = 'admin_portal'
/** Maximum duration of a statement, in milliseconds: of a request, and of background work. */
const statementTimeout = 4_000
const backgroundTimeout = 10 * 60_000
/** Milliseconds that a migration waits for a table before it lets others pass, and tries again. */
const migrationLockTimeout = 2_000
/**
 * Size of the pool for changes, which limits concurrent changes; the others wait in turn. More than the processors can handle
 * would slow each other down. The separate pool keeps slow lists from delaying changes.
 */
const changesAtOnce = Math.max(4, 2 * availableParallelism())

interface Addresses {
  url: Connection['url']
  ownerUrl: Connection['url']
  leave: () => Promise<void>
}

/**
 * Opens the embedded PostgreSQL or the one of DATABASE_URL, and migrates it. Throws CannotStart with one sentence; if `waiting`,
 * it waits for a standby to take changes.
 */
export async function openDatabase(
  settings: Pick<Settings, 'dataFolder' | 'databaseUrl' | 'migrationDatabaseUrl' | 'readDatabaseUrl' | 'businessTimeZone'>,
  waiting?: Waiting,
): Promise<OpenDatabase> {
  const { databaseUrl, migrationDatabaseUrl } = settings
  const name = `admin-portal ${randomUUID().slice(0, 8)}`
  const { url, ownerUrl, leave } = databaseUrl
    ? { url: databaseUrl, ownerUrl: migrationDatabaseUrl ?? databaseUrl, leave: async () => undefined }
    : await embedded(settings.dataFolder)
  const at = { url, name, businessTimeZone: settings.businessTimeZone }
  const requests = connectTo({ ...at, statementTimeout, connections: 12 })
  const changes = connectTo({ ...at, name: `${name} changes`, statementTimeout, connections: changesAtOnce })
  const background = connectTo({ ...at, name: `${name} background`, statementTimeout: backgroundTimeout, connections: 12 })
  const standbys = settings.readDatabaseUrl ? { ...at, url: settings.readDatabaseUrl } : null
  const replicas = standbys && openReplicas({ ...standbys, name: `${name} reads`, statementTimeout, connections: 12 })
  const patientReplicas =
    standbys &&
    openReplicas(
      { ...standbys, name: `${name} long reads`, statementTimeout: backgroundTimeout, connections: 1 },
      replicas?.reads,
    )
  const { db, pool } = requests
  const close = async (): Promise<void> => {
    // A connection that hangs is closed with the process.
    await isOverWithin(
      patience,
      Promise.all([requests, changes, background, replicas, patientReplicas].map((each) => each?.end())),
    )
    await leave()
  }
  // Migrations may take longer than any request, but while one waits for a lock, everybody else waits behind it.
  const patient = connectTo({ ...at, url: ownerUrl, statementTimeout: 0, lockTimeout: migrationLockTimeout, connections: 2 })
  try {
    if (migrationDatabaseUrl) await checkServer(patient.pool, nameOf(migrationDatabaseUrl), 'MIGRATION_DATABASE_URL', waiting)
    const named = databaseUrl ? nameOf(databaseUrl) : `in ${settings.dataFolder}`
    await checkServer(background.pool, named, 'DATABASE_URL', waiting)
    await prepareSchema({ db, owner: patient.db })
    const warning = databaseUrl ? warningOf(await excessOf(db), migrationDatabaseUrl !== undefined) : null
    const pools = { requests: pool, changes: changes.pool, background: background.pool }
    return {
      db,
      pool,
      pools,
      changing: changes.db,
      background: { ...background, replicas: patientReplicas },
      replicas,
      ownerUrl,
      embedded: !databaseUrl,
      warning,
      close,
      abandon: leave,
    }
  } catch (error) {
    await close()
    throw error
  } finally {
    await patient.end()
  }
}

async function embedded(dataFolder: string): Promise<Addresses> {
  const { url, leave } = await enterCluster(dataFolder)
  try {
    await makeDatabase({ url }, embeddedName, isHalfMade)
  } catch (error) {
    await leave()
    throw new CannotStart(
      `The embedded PostgreSQL in ${dataFolder} does not answer (${String(error)}): start again, or set DATA_DIR to another folder.`,
    )
  }
  return { url: () => url(embeddedName, applicationRole), ownerUrl: () => url(embeddedName, ownerRole), leave }
}

function warningOf(excess: readonly string[], apart: boolean): string | null {
  if (excess.length === 0) return null
  const prefix = `The role of DATABASE_URL has more rights than the application needs (${excess.join(', ')})`
  return apart
    ? `${prefix}: name a role that owns nothing; what it needs is granted at each start.`
    : `${prefix}: set MIGRATION_DATABASE_URL to the role that owns the schema, and DATABASE_URL to one that owns nothing.`
}
