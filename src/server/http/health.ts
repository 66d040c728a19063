import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { isMigrated } from '#server/boot/migrate.ts'
import { isDiskFull, isReadOnly } from '#server/postgres/away.ts'
import type { Services } from '#server/http/route.ts'
import type { Database } from '#server/tables/database.ts'
import { isOverWithin } from '#server/timeout.ts'

/** Milliseconds for which a readiness check is cached. */
const cacheMilliseconds = 1_000

/**
 * `/healthz` reports that the process is alive, `/readyz` that its database answers, is writable and is migrated, and that the
 * server is not about to stop.
 */
export function health(app: FastifyInstance, { db, answerWithin, stopping }: Services): void {
  let lastCheck = { at: Number.NEGATIVE_INFINITY, reason: Promise.resolve<string | null>(null) }
  const reasonNow = (): Promise<string | null> => {
    if (Date.now() - lastCheck.at > cacheMilliseconds) lastCheck = { at: Date.now(), reason: whyNotReady(db) }
    return lastCheck.reason
  }
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const reason = stopping.aborted ? 'The server is stopping.' : await reasonWithin(answerWithin, reasonNow())
    if (reason === null) return { status: 'ready' }
    request.log.warn({ reason }, 'not ready')
    return reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason })
  })
}

const reasonWithin = async (milliseconds: number, reason: Promise<string | null>): Promise<string | null> =>
  (await isOverWithin(milliseconds, reason)) ? await reason : 'The database does not answer.'

async function whyNotReady(db: Kysely<Database>): Promise<string | null> {
  try {
    if (!(await isMigrated(db))) return 'The database is not up to date.'
    await changeNothing(db)
    await writeSomething(db)
    return null
  } catch (error) {
    if (isReadOnly(error)) return 'The database takes no changes.'
    return isDiskFull(error) ? 'The disk of the database is full.' : 'The database does not answer.'
  }
}

/** Fails on a standby, whose connection is then closed. */
const changeNothing = (db: Kysely<Database>): Promise<unknown> =>
  sql`update exports set message = message where false`.execute(db)

/** Sorts more than its work memory holds, so that PostgreSQL has to write a temporary file, which is removed with the statement. */
const writeSomething = (db: Kysely<Database>): Promise<unknown> =>
  db.transaction().execute(async (tx) => {
    await sql`set local work_mem = '64kB'`.execute(tx)
    await sql`select count(distinct repeat('x', 1000) || n) from generate_series(1, 300) n`.execute(tx)
  })
