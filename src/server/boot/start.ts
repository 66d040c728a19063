import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createApp } from '#server/http/app.ts'
import { startHousekeeping } from '#server/auth/housekeeping.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { HalfMade } from '#server/boot/half-made.ts'
import type { SftpListener } from '#server/sftp/listen.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { type OpenDatabase, openDatabase } from '#server/boot/open-database.ts'
import { loadRoutes } from '#server/http/route-table.ts'
import type { Tx } from '#server/tables/database.ts'
import type { MetricsListener } from '#server/http/metrics.ts'
import { whyNotListening } from '#server/boot/port.ts'
import { seedOnce } from '#server/boot/seed-once.ts'
import type { RouteTable } from '#server/http/route.ts'
import { listenForFiles, servicesOn } from '#server/boot/services.ts'
import { isLoopback, type Settings } from '#server/boot/settings.ts'
import { canTakeSteps, lackValues, stepsLeft, takeLaterSteps } from '#server/tables/later-steps.ts'
import { connectTo, type OpenPool, type Waiting } from '#server/postgres/connect.ts'
import { makePast } from '#server/boot/make-past.ts'
import { hasPastLeft } from '#server/money/billing/demo-days.ts'
import { isWithoutPast } from '#server/seed/past-periods.ts'
import { forgetOldKeys } from '#server/tables/idempotency.ts'
import { isOverWithin } from '#server/timeout.ts'

const forgetKeysEvery = 10 * 60_000
/** Milliseconds until work after the start that failed is tried again. */
const retryLaterAfter = 60_000
/** Milliseconds for requests and running work to finish; anything longer is cut off. */
const patience = 6_000

/** A running server. */
export interface RunningServer {
  /** `http://127.0.0.1:3000` */
  address: string
  /** `http://127.0.0.1:9464/metrics`; null without a port for it. */
  metrics: string | null
  /** Whether the demo company exists, with its accounts and codes. */
  demo: boolean
  /** Whether indexes that speed up reads are still being built. */
  indexing: boolean
  /** Whether later steps of an upgrade remain. */
  upgrading: boolean
  /** Whether steps remain that this server cannot take: none of its roles owns the schema. */
  unfinished: boolean
  /** Whether past work periods and transactions of the demo company are still being created. */
  past: boolean
  /** Whether the demo company comes from a version without them. */
  pastless: boolean
  /** Waits until load balancers have noticed, finishes the requests in flight as far as time allows, then closes everything. */
  close: () => Promise<void>
}

/** Work started early, awaited where its result is needed. */
export interface EarlyWork {
  /** The cluster, needed before it is opened. */
  founded?: Promise<unknown> | undefined
  /** The build of the portal, needed before the first request. */
  built?: Promise<unknown> | undefined
}

/**
 * Opens the database, creates the demo company on the first run, and listens; throws CannotStart with one sentence. `stop` aborts
 * it, even during the creation of the demo company.
 */
export async function start(
  settings: Settings,
  print: (line: string) => void,
  stop: AbortSignal,
  { founded, built }: EarlyWork = {},
): Promise<RunningServer> {
  const [routes] = await Promise.all([loadRoutes(), founded])
  stop.throwIfAborted()
  for (;;) {
    try {
      return await startOn(settings, { print, stop }, (database) => listen(settings, routes, database, { print, stop }, built))
    } catch (error) {
      if (!(error instanceof HalfMade) || stop.aborted) throw error
    }
  }
}

async function startOn(
  settings: Settings,
  waiting: Waiting,
  listenOn: (database: OpenDatabase) => Promise<RunningServer>,
): Promise<RunningServer> {
  const { stop } = waiting
  const database = await openDatabase(settings, waiting)
  const abandon = (): void => void database.abandon()
  stop.addEventListener('abort', abandon, { once: true })
  try {
    stop.throwIfAborted()
    return await listenOn(database)
  } catch (error) {
    if (stop.aborted) await database.abandon()
    else await database.close()
    throw error
  } finally {
    stop.removeEventListener('abort', abandon)
  }
}

async function listen(
  settings: Settings,
  routes: RouteTable,
  database: OpenDatabase,
  { print, stop }: Waiting,
  built: Promise<unknown> | undefined,
): Promise<RunningServer> {
  const { db } = database
  if (database.warning) print(database.warning)
  const seed = await seedOnce(settings, database, print)
  if (seed === 'demo' && !isLoopback(settings.host))
    throw new CannotStart(
      'This database holds the demo company, whose passwords everybody knows: leave HOST out, or use another database.',
    )
  await fillRows(settings, database, { print, stop })
  const demo = seed === 'demo' && settings.seed === 'demo'
  const services = await servicesOn(database, settings, { routes, demo, stopping: stop })
  const app = await createApp(services, settings)
  await built
  const report = (error: unknown): void => app.log.error({ err: error }, 'work in the background failed')
  const backgroundDb = services.background.db
  const stopHousekeeping = startHousekeeping(backgroundDb, services.auth, report)
  const forgetting = setInterval(() => void forgetOldKeys(backgroundDb as unknown as Tx).catch(report), forgetKeysEvery)
  forgetting.unref()
  let stopWorker: (() => Promise<void>) | undefined
  let stopLater: (() => void) | undefined
  let sftp: SftpListener | null = null
  let metrics: MetricsListener | null = null
  const drained = () => sleep(settings.drainSeconds * 1_000)
  const rest = async (): Promise<void> => {
    clearInterval(forgetting)
    stopLater?.()
    const resting = Promise.all([app.close(), sftp?.close(), metrics?.close(), stopWorker?.(), stopHousekeeping()])
    // A request that is never sent completely, or an answer that is never read, would keep the server running forever.
    if (!(await isOverWithin(patience, resting))) app.server.closeAllConnections()
  }
  try {
    metrics = await measure(settings, app, database)
    const address = await bind(app, settings)
    sftp = await listenForFiles(services, settings, report)
    stopWorker = startWorker(services, report)
    const steps = await stepsLeft(db)
    const indexing = steps.some((step) => 'index' in step)
    const upgrading = steps.some((step) => !('index' in step))
    const unfinished = steps.length > 0 && !(await ownsSchema(settings, database))
    const past = await hasPastLeft(db)
    const pastless = seed === 'demo' && (await isWithoutPast(db))
    if (steps.length > 0 || past) stopLater = startLater(settings, database, report)
    return {
      address,
      metrics: metrics?.address ?? null,
      demo,
      indexing,
      upgrading,
      unfinished,
      past,
      pastless,
      close: () => drained().then(rest).then(database.close),
    }
  } catch (error) {
    await rest()
    throw error
  }
}

const bind = (app: FastifyInstance, { port, host }: Settings): Promise<string> =>
  app.listen({ port, host }).catch((error: unknown) => {
    throw whyNotListening(error, port, host)
  })

/** Serves the figures for monitoring if configured. */
async function measure(
  { metricsPort: port, metricsHost: host }: Settings,
  app: FastifyInstance,
  { background, pools, replicas }: OpenDatabase,
): Promise<MetricsListener | null> {
  if (port === undefined) return null
  const { serveMetrics } = await import('#server/http/metrics.ts')
  return serveMetrics({ app, db: background.db, pools, replicas }, { port, host }).catch((error: unknown) => {
    throw whyNotListening(error, port, host, 'METRICS_')
  })
}

/**
 * Does after the start what may take long: the later steps of the schema, if the role owns it, then the past of the demo company;
 * returns the function that aborts it.
 */
function startLater(settings: Settings, database: OpenDatabase, report: (error: unknown) => void): () => void {
  const stop = new AbortController()
  const { db: owner, end } = asOwner(settings, database)
  const { signal } = stop
  const finish = async (): Promise<void> => {
    if (await canTakeSteps(owner)) await takeLaterSteps(owner, { stop: signal })
    await makePast(owner, signal)
  }
  const finishInTheEnd = (): Promise<void> =>
    finish().catch(async (error: unknown) => {
      if (signal.aborted) return
      report(error)
      await sleep(retryLaterAfter, undefined, { signal, ref: false })
      return finishInTheEnd()
    })
  void finishInTheEnd()
    .catch((error: unknown) => signal.aborted || report(error))
    .then(end)
    .catch(report)
  // A running statement of PostgreSQL ends with it, or completes without us.
  return () => stop.abort()
}

/**
 * Takes the later steps without which this release does not find all rows of the last one. Throws CannotStart if the role for
 * migrations may not take them.
 */
async function fillRows(settings: Settings, database: OpenDatabase, { print, stop }: Waiting): Promise<void> {
  if (!lackValues(await stepsLeft(database.db))) return
  const { db: owner, end } = asOwner(settings, database)
  try {
    if (!(await canTakeSteps(owner)))
      throw new CannotStart(
        'Rows of an earlier version are not complete yet: run `npm run migrate -- --finish` with MIGRATION_DATABASE_URL, and start again.',
      )
    print('Rows of an earlier version are completed before anything is served.')
    await takeLaterSteps(owner, { stop, untilFilled: true })
    stop.throwIfAborted()
  } finally {
    await end()
  }
}

/** Whether the role for migrations may take the later steps. */
async function ownsSchema(settings: Settings, database: OpenDatabase): Promise<boolean> {
  const { db: owner, end } = asOwner(settings, database)
  try {
    return await canTakeSteps(owner)
  } finally {
    await end()
  }
}

/** A connection for what takes long, as the role for migrations. */
const asOwner = ({ businessTimeZone }: Settings, { ownerUrl }: OpenDatabase): OpenPool =>
  connectTo({ url: ownerUrl, name: 'admin-portal later', businessTimeZone, statementTimeout: 0, connections: 1 })
