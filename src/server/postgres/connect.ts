import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import { type ClientConfig, Pool, type PoolClient, type PoolConfig, types as standard } from 'pg'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { isCutOff, isReadOnly } from '#server/postgres/away.ts'
import { findPrimary, readAddress } from '#server/postgres/hosts.ts'
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
  /**
   * postgres:// address, of one or more hosts (`readAddress`), or a function for it: a restarted embedded PostgreSQL may have
   * another port.
   */
  url: string | (() => string)
  /** Shown in pg_stat_activity. */
  name: string
  businessTimeZone: string
  /** Milliseconds after which PostgreSQL cancels a statement, and the connection soon after; 0 for never. */
  statementTimeout: number
  /** Milliseconds to wait for a lock; by default less than for a statement, else without end. */
  lockTimeout?: number
  connections?: number
}

/** Milliseconds to wait longer than PostgreSQL's own timeout: if it hangs, it cannot cancel anything. */
const grace = 500
const maxLockTimeout = 10_000
const connectTimeout = 10_000
/** Milliseconds between two questions whether a standby takes changes by now. */
const askAgainAfter = 1_000

/**
 * The settings of a session, made by its first statement: a pooler such as PgBouncer refuses or ignores them as parameters of
 * the connection.
 */
function settingsOf({ businessTimeZone, statementTimeout, lockTimeout }: Connection): { text: string; values: string[] } {
  const settings = {
    'portal.business_time_zone': businessTimeZone,
    timezone: 'UTC',
    jit: 'off',
    statement_timeout: String(statementTimeout),
    lock_timeout: String(lockTimeout ?? (statementTimeout ? Math.min(maxLockTimeout, statementTimeout - grace) : 0)),
    idle_in_transaction_session_timeout: '60000',
  }
  const calls = Object.keys(settings).map((_, place) => `set_config($${2 * place + 1}, $${2 * place + 2}, false)`)
  return { text: `select ${calls.join(', ')}`, values: Object.entries(settings).flat() }
}

/** A connection pool to PostgreSQL, with the type parsers of the project. Of several hosts it uses the one that takes changes. */
export function openPool(connection: Connection): Pool {
  const { url, name, statementTimeout, connections = 10 } = connection
  const address = typeof url === 'string' ? readAddress(url) : null
  const settings = settingsOf(connection)
  const pool = new Pool({
    application_name: name,
    max: connections,
    min: 1,
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: statementTimeout ? Math.min(connectTimeout, statementTimeout + grace) : connectTimeout,
    query_timeout: statementTimeout ? statementTimeout + grace : 0,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
    // Statements are sent without waiting for the answers to earlier ones (`inTransaction`).
    pipeline: true,
    onConnect: (client) => client.query(settings),
    Client: class extends PreparingClient {
      constructor(config?: ClientConfig) {
        super({ ...config, connectionString: address?.url ?? (url as () => string)() })
      }
      // biome-ignore lint/suspicious/noExplicitAny: the driver has a form with a callback, which pools use, and one without
      override connect(callback?: any): any {
        if (!address?.hosts.length) return super.connect(callback)
        findPrimary(address).then((host) => super.connect.call(Object.assign(this, host), callback), callback)
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

/** How to wait for a database that takes no changes yet. */
export interface Waiting {
  print: (line: string) => void
  stop: AbortSignal
}

/**
 * Checks that the database answers, is new enough, takes changes, and keeps a session. Throws CannotStart with the remedy; if
 * `waiting`, it waits for a standby to take changes instead, and throws an AbortError once `stop` is aborted.
 */
export async function checkServer(pool: Pool, named: string, setting = 'DATABASE_URL', waiting?: Waiting): Promise<void> {
  for (let isWaiting = false; !(await takesChanges(pool, named, setting, isWaiting)); isWaiting = true) {
    const sentence = `The database ${named} takes no changes, as a standby does`
    if (!waiting) throw new CannotStart(`${sentence}: set ${setting} to the primary, and start again.`)
    if (!isWaiting) waiting.print(`${sentence}: waiting until it does.`)
    await sleep(askAgainAfter, undefined, { signal: waiting.stop })
  }
  if (await isPooledByTransaction(pool))
    throw new CannotStart(
      `The database ${named} is behind a pooler that gives each transaction another connection, so that settings, locks and notifications of a session are lost: set its pool_mode to session, or ${setting} to the database itself.`,
    )
}

/**
 * Whether a pooler gives each transaction another connection: two clients then share a backend of PostgreSQL, or one has
 * several. Poolers choose the backend used last, or the next one in turn.
 */
async function isPooledByTransaction(pool: Pool): Promise<boolean> {
  const [one, other] = await Promise.all([pool.connect(), pool.connect()])
  const backendOf = async (client: PoolClient) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  try {
    const before = await backendOf(one)
    await other.query('begin')
    const isShared = (await backendOf(other)) === before || (await backendOf(one)) !== before
    await other.query('commit')
    return isShared
  } finally {
    for (const client of [one, other]) client.release()
  }
}

/** Whether the database takes changes. A standby that somebody waits for may be unreachable for a moment while it is promoted. */
async function takesChanges(pool: Pool, named: string, setting: string, isWaiting: boolean): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ version: string; read_only: string }>(
      `select current_setting('server_version_num') as version, current_setting('transaction_read_only') as read_only`,
    )
    const version = Number(rows[0]?.version)
    if (version >= 160_000) return rows[0]?.read_only === 'off'
    throw new CannotStart(
      `The database ${named} is PostgreSQL ${Math.floor(version / 10_000)}: set DATABASE_URL to PostgreSQL 16 or newer, or leave it out.`,
    )
  } catch (error) {
    if (error instanceof CannotStart) throw error
    if (isReadOnly(error) || (isWaiting && isCutOff(error))) return false
    throw new CannotStart(whyUnreachable(error, named).replaceAll('DATABASE_URL', setting))
  }
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
