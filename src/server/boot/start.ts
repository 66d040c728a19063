import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createApp } from '#server/http/app.ts'
import { openSealingKey, sealPlainSecrets } from '#server/auth/sealing.ts'
import { authSettingsOf } from '#server/auth/settings.ts'
import { startHousekeeping } from '#server/auth/housekeeping.ts'
import { CannotStart, codeOf, messageOf } from '#server/cannot-start.ts'
import { HalfMade } from '#server/boot/half-made.ts'
import { startWorker } from '#server/jobs/worker.ts'
import { type OpenDatabase, openDatabase } from '#server/boot/open-database.ts'
import { loadRoutes } from '#server/http/route-table.ts'
import type { Tx } from '#server/tables/database.ts'
import { seedOnce } from '#server/boot/seed-once.ts'
import type { Services } from '#server/http/route.ts'
import { isLoopback, type Settings } from '#server/boot/settings.ts'
import { forgetOldKeys } from '#server/tables/idempotency.ts'
import { settingOf } from '#server/tables/setting.ts'
import { isOverWithin } from '#server/within.ts'

const forgetKeysEvery = 10 * 60_000
/** Milliseconds that people wait for an answer: after that the database stands still, or as good as. */
const answerWithin = 4_800
/** Milliseconds that requests and work under way have to come to an end; what hangs longer is cut off. */
const patience = 6_000

/** A server that listens. */
export interface Running {
  /** `http://127.0.0.1:3000` */
  address: string
  /** Whether the demo company is there, with its accounts and codes. */
  demo: boolean
  /** Finishes the requests in flight, as long as there is time, then lets go of everything. */
  close: () => Promise<void>
}

/**
 * Opens the database, makes the demo company on the first run, and listens; throws CannotStart with one sentence.
 * `stop` breaks it off, even in the middle of making the demo company.
 */
export async function start(settings: Settings, say: (line: string) => void, stop: AbortSignal): Promise<Running> {
  await refuseTakenPort(settings)
  for (;;) {
    try {
      return await startOn(settings, say, stop)
    } catch (error) {
      if (!(error instanceof HalfMade) || stop.aborted) throw error
    }
  }
}

async function startOn(settings: Settings, say: (line: string) => void, stop: AbortSignal): Promise<Running> {
  const database = await openDatabase(settings)
  const abandon = (): void => void database.abandon()
  stop.addEventListener('abort', abandon, { once: true })
  try {
    stop.throwIfAborted()
    return await listen(settings, database, say)
  } catch (error) {
    if (stop.aborted) await database.abandon()
    else await database.close()
    throw error
  } finally {
    stop.removeEventListener('abort', abandon)
  }
}

async function listen(settings: Settings, database: OpenDatabase, say: (line: string) => void): Promise<Running> {
  const { db } = database
  if (database.warning) say(database.warning)
  const seed = await seedOnce(settings, database, say)
  if (seed === 'demo' && !isLoopback(settings.host))
    throw new CannotStart(
      'This database holds the demo company, whose passwords everybody knows: leave HOST out, or use another database.',
    )
  const demo = seed === 'demo' && settings.seed === 'demo'
  const sealingKey = await openSealingKey(db, settings)
  await sealPlainSecrets(db, sealingKey)
  const services: Services = {
    db,
    background: database.background,
    auth: { ...authSettingsOf(settings, demo), sealingKey },
    cursorSecret: (await settingOf(db, 'cursor-secret')) as string,
    routes: await loadRoutes(),
    answerWithin,
    checkAnswers: settings.checkAnswers,
  }
  const app = await createApp(services, settings)
  const report = (error: unknown): void => app.log.error({ err: error }, 'work in the background failed')
  const behind = services.background.db
  const stopHousekeeping = startHousekeeping(behind, services.auth, report)
  const forgetting = setInterval(() => void forgetOldKeys(behind as unknown as Tx).catch(report), forgetKeysEvery)
  forgetting.unref()
  let stopWorker: (() => Promise<void>) | undefined
  const rest = async (): Promise<void> => {
    clearInterval(forgetting)
    const resting = Promise.all([app.close(), stopWorker?.(), stopHousekeeping()])
    // A request that is never sent to its end, or an answer that is never read, would keep the server for ever.
    if (!(await isOverWithin(patience, resting))) app.server.closeAllConnections()
  }
  try {
    const address = await bind(app, settings)
    stopWorker = startWorker(services, report)
    return { address, demo, close: () => rest().then(database.close) }
  } catch (error) {
    await rest()
    throw error
  }
}

const bind = (app: FastifyInstance, { port, host }: Settings): Promise<string> =>
  app.listen({ port, host }).catch((error: unknown) => {
    throw whyNotListening(error, port, host)
  })

/** Finds out about a port in use before anything is opened. */
const refuseTakenPort = ({ port, host }: Settings): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => reject(whyNotListening(error, port, host)))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve()))
  })

function whyNotListening(error: unknown, port: number, host: string): CannotStart {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CannotStart(`Port ${port} is in use: stop what uses it, or set PORT to another one.`)
    case 'EACCES':
      return new CannotStart(`Port ${port} may not be opened by this user: set PORT to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CannotStart(`This machine has no address ${host}: correct HOST, or leave it out.`)
    default:
      return new CannotStart(`The server cannot listen on ${host}:${port} (${messageOf(error)}): correct HOST and PORT.`)
  }
}
