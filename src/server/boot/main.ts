import { buildPortal, compressPortal } from '#server/boot/build-portal.ts'
import { CannotStart } from '#server/cannot-start.ts'
import { refuseTakenPort } from '#server/boot/port.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import type { RunningServer } from '#server/boot/start.ts'
import { binaries } from '#server/postgres/binaries.ts'
import { foundCluster } from '#server/postgres/cluster.ts'
import { isOverWithin } from '#server/timeout.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)

// An unhandled rejection is logged and must not end the server: all background work is retried by itself.
process.on('unhandledRejection', (reason) => console.error('Nobody awaited what failed here:', reason))

/**
 * Milliseconds from a signal, less the time for load balancers, to the end of the process, whatever hangs; service managers kill a
 * process that takes longer.
 */
const shutdownTimeout = 14_000
const leaving = new AbortController()
let leavingSince = 0
let running: RunningServer | undefined
let drainTime = 0
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => shutDown())

try {
  const settings = settingsFrom(process.env)
  drainTime = settings.drainSeconds * 1_000
  await refuseTakenPort(settings)
  // A PostgreSQL program creates a new cluster while the server's modules load, so this file imports little.
  const founded = settings.databaseUrl ? undefined : foundCluster(settings.dataFolder, await binaries())
  const built = process.argv.includes('--build') ? buildPortal(leaving.signal) : undefined
  for (const awaitedLater of [founded, built]) awaitedLater?.catch(() => undefined)
  const [{ start }, { greet }] = await Promise.all([import('#server/boot/start.ts'), import('#server/boot/greet.ts')])
  running = await start(settings, print, leaving.signal, { founded, built })
  greet(running, print)
  if (built) compressPortal(leaving.signal)
} catch (error) {
  if (leaving.signal.aborted) process.exit(0)
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exit(1)
}
if (leaving.signal.aborted) await end(running)

/**
 * The first signal shuts down gracefully, a later one immediately. Ctrl+C in a terminal arrives from the terminal and again from
 * npm: a second signal within a second is the same one.
 */
function shutDown(): void {
  if (leaving.signal.aborted && Date.now() - leavingSince < 1000) return
  if (leaving.signal.aborted) process.exit(130)
  leavingSince = Date.now()
  leaving.abort()
  if (running) void end(running)
}

async function end(ready: RunningServer): Promise<void> {
  try {
    if (!(await isOverWithin(drainTime + shutdownTimeout, ready.close()))) throw new Error('The server could not end in order.')
    process.exit(0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}
