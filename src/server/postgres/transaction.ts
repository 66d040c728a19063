import {
  AbortedTransactionError,
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  sql,
  Transaction,
} from 'kysely'
import { TooLate } from '#server/postgres/away.ts'
import type { Tx, Database } from '#server/tables/database.ts'

/** Queues a statement whose result nothing in the transaction needs; if it fails, the commit fails with its error. */
export type Later = (statement: CompiledQuery) => void

const driver = new DummyDriver()
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('A transaction has its connection.')) })

/**
 * Runs `work` in one transaction, committed when it resolves and rolled back when it throws. Statements are sent as they are
 * issued: statements awaited together cost one round trip, BEGIN goes with the first of them, and COMMIT with those for `later`.
 * PostgreSQL executes them in order, and none after one that failed. `work` does not end before it has issued all its statements.
 * `until` is the moment (milliseconds) when nobody waits for the result any more: nothing is started or committed after it.
 */
export function inTransaction<T>(
  db: Kysely<Database>,
  work: (tx: Tx, later: Later) => Promise<T>,
  { until = Number.POSITIVE_INFINITY }: { until?: number } = {},
): Promise<T> {
  return db.getExecutor().provideConnection(async (connection) => {
    inTime(until)
    const beginning = issue(connection, CompiledQuery.raw('begin'))
    const tx = handleOn(db, async (consumer) => {
      const answer = consumer(connection)
      answer.catch(ignore)
      // BEGIN was answered earlier; if it failed, statements that ran outside of a transaction must not count.
      await beginning
      return answer
    })
    const pending: Promise<unknown>[] = [beginning]
    const later: Later = (statement) => {
      if (!statement.parameters.every(isPlain)) throw new TypeError('Only plain values can be sent without waiting.')
      pending.push(issue(connection, statement))
    }
    try {
      const result = await work(tx, later)
      inTime(until)
      const committed = issue(connection, CompiledQuery.raw('commit'))
      await Promise.all(pending)
      if ((await committed).rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError()
      return result
    } catch (error) {
      await issue(connection, CompiledQuery.raw('rollback'))
      throw error
    }
  })
}

function inTime(until: number): void {
  if (Date.now() > until) throw new TooLate('The time for this request is over.')
}

/** Runs `work` on one connection without a transaction: statements issued together cost one round trip. */
export const onOneConnection = <T>(db: Kysely<Database>, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => work(handleOn(db, (consumer) => consumer(connection))))

/**
 * Runs `work` on a connection that is in no transaction, so that all its reads show one moment. A standby can do it, too: nothing
 * is written.
 */
export async function inSnapshot<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`begin isolation level repeatable read read only`.execute(tx)
  try {
    return await work()
  } finally {
    // After a lost connection there is nothing to end, and the error of `work` says why.
    await sql`rollback`.execute(tx).catch(ignore)
  }
}

const handleOn = (db: Kysely<Database>, provideConnection: ConnectionProvider['provideConnection']): Tx =>
  new Transaction<Database>({
    config: { dialect },
    dialect,
    driver,
    executor: db.getExecutor().withConnectionProvider({ provideConnection }),
  })

const ignore = (): void => undefined

/** Sends a statement at once; its failure reaches the code that awaits it. */
function issue(connection: DatabaseConnection, statement: CompiledQuery) {
  const answer = connection.executeQuery<{ command: string }>(statement as CompiledQuery<{ command: string }>)
  answer.catch(ignore)
  return answer
}

/** Whether a value can always be serialized: a statement that fails before it is sent would not stop the commit. */
const isPlain = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) || value instanceof Date
