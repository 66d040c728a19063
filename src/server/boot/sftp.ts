import { CannotStart } from '#server/cannot-start.ts'
import { openDatabase } from '#server/boot/open-database.ts'
import { listenForFiles, servicesOn } from '#server/boot/services.ts'
import { settingsFrom } from '#server/boot/settings.ts'
import { loadRoutes } from '#server/http/route-table.ts'
import { isOverWithin } from '#server/timeout.ts'

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const report = (error: unknown): void => console.error(error)

process.on('unhandledRejection', report)

/** Milliseconds from a signal to the end of the process. */
const shutdownTimeout = 14_000
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

// npm run sftp: only the SFTP listener. What it receives is imported by the servers of the portal.
try {
  const settings = settingsFrom(process.env)
  if (!settings.sftp) throw new CannotStart('Set SFTP_PORT to the port where SFTP users connect.')
  const database = await openDatabase(settings, { print, stop: stop.signal })
  try {
    const services = await servicesOn(database, settings, { routes: await loadRoutes(), demo: false, stopping: stop.signal })
    const listener = await listenForFiles(services, settings, report)
    print(`SFTP is ready: ${settings.sftp.host}:${listener?.port}`)
    if (!stop.signal.aborted) await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }))
    await isOverWithin(shutdownTimeout, Promise.resolve(listener?.close()))
  } finally {
    await database.close()
  }
  process.exit(0)
} catch (error) {
  if (stop.signal.aborted) process.exit(0)
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exit(1)
}
