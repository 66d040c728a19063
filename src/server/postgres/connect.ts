import { Kysely, PostgresDialect } from 'kysely'
import { type ClientConfig, Pool, type PoolConfig, types as standard } from 'pg'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { PreparingClient } from '#server/postgres/prepared.ts'
import type { Database } from '#server/tables/database.ts'

const int8 = 20
const date = 1082
const int8Array = 1016

const asNumber = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The database holds ${text}, which is past what a number can be.`)
  return number
}
const arrayOfText = standard.getTypeParser(1009 as number) as (text: string) => (string | null)[]

/** Parses bigint as number (cents and ids stay far below 2^53), and keeps date as text. */
const types: PoolConfig['types'] = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8) return asNumber
    if (oid === int8Array) return (text: string) => arrayOfText(text).map((item) => (item === null ? null : asNumber(item)))
    if (oid === date) return (text: string) => text
    return standard.getTypeParser(oid, format as 'text')
  }) as typeof standard.getTypeParser,
}

export interface Connection {
  /** postgres:// address, or a function for it: a restarted embedded PostgreSQL may have another port. */
  url: string | (() => string)
  /** Shown in pg_stat_activity. */
  name: string
  businessTimeZone: string
  /** Milliseconds after which PostgreSQL cancels a statement, and the connection soon after; 0 for never. */
  statementTimeout: number
  connections?: number
}

/** Milliseconds to wait longer than PostgreSQL's own timeout: if it hangs, it cannot cancel anything. */
const grace = 500
const lockTimeout = 10_000
const connectTimeout = 10_000

/** A connection pool to PostgreSQL, with the type parsers of the project. */
export function openPool({ url, name, businessTimeZone, statementTimeout, connections = 10 }: Connection): Pool {
  const address = typeof url === 'string' ? () => url : url
  const pool = new Pool({
    application_name: name,
    max: connections,
    min: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: statementTimeout ? Math.min(connectTimeout, statementTimeout + grace) : connectTimeout,
    statement_timeout: statementTimeout,
    lock_timeout: statementTimeout ? Math.min(lockTimeout, statementTimeout - grace) : 0,
    query_timeout: statementTimeout ? statementTimeout + grace : 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: 60_000,
    options: `-c portal.business_time_zone=${businessTimeZone} -c timezone=UTC -c jit=off`,
    types,
    // Statements are sent without waiting for the answers to earlier ones (`inTransaction`).
    pipeline: true,
    Client: class extends PreparingClient {
      constructor(config?: ClientConfig) {
        super({ ...config, connectionString: address() })
      }
    },
  })
  // A lost connection is noticed by the next query, which answers 503; without these listeners an error event would end the
  // process, both in the pool and within a transaction.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  // The next connection may lead to the new primary. The pool removes a client that is ended.
  pool.on('release', (_error, client) => {
    if ((client as unknown as PreparingClient).isReadOnly) void client.end()
  })
  return pool
}

/** The query builder over a pool; `destroy` ends the pool. */
export const kyselyOn = (pool: Pool): Kysely<Database> => new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })

/** A pool with a query builder over it. */
export interface OpenPool {
  db: Kysely<Database>
  pool: Pool
  end: () => Promise<void>
}

/** Opens a pool with a query builder. */
export function connectTo(connection: Connection): OpenPool {
  const pool = openPool(connection)
  const db = kyselyOn(pool)
  const end = async () => {
    await db.destroy()
    // Kysely ends only a pool that it has used.
    if (!pool.ended) await pool.end()
  }
  return { db, pool, end }
}

/** Checks that the database answers and is new enough; throws CannotStart with the remedy. */
export async function checkServer(pool: Pool, named: string, setting = 'DATABASE_URL'): Promise<void> {
  let version: number
  let takesChanges: boolean
  try {
    const { rows } = await pool.query<{ version: string; read_only: string }>(
      `select current_setting('server_version_num') as version, current_setting('transaction_read_only') as read_only`,
    )
    version = Number(rows[0]?.version)
    takesChanges = rows[0]?.read_only === 'off'
  } catch (error) {
    throw new CannotStart(whyUnreachable(error, named).replaceAll('DATABASE_URL', setting))
  }
  if (version < 160_000)
    throw new CannotStart(
      `The database ${named} is PostgreSQL ${Math.floor(version / 10_000)}: set DATABASE_URL to PostgreSQL 16 or newer, or leave it out.`,
    )
  if (!takesChanges)
    throw new CannotStart(
      `The database ${named} takes no changes, as a standby does: set ${setting} to the primary, and start again.`,
    )
}

function whyUnreachable(error: unknown, named: string): string {
  switch (codeOf(error)) {
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case '57P03':
      return `The database ${named} does not answer: start it, correct DATABASE_URL, or leave DATABASE_URL out to use the embedded one.`
    case '28P01':
    case '28000':
      return `The database ${named} refused the user or the password: correct DATABASE_URL.`
    case '3D000':
      return `The database ${named} does not exist: create it, or correct DATABASE_URL.`
    default:
      return `The database ${named} cannot be used (${messageOf(error)}): correct DATABASE_URL, or leave it out to use the embedded one.`
  }
}

/** An address without its password, for messages. */
export function nameOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'of DATABASE_URL'
  }
}
