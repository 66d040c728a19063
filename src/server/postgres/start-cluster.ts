import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CannotStart, messageOf } from '#server/cannot-start.ts'
import type { Binaries } from '#server/postgres/binaries.ts'
import { isPostgres, readPostmaster } from '#server/postgres/postmaster.ts'
import { environment } from '#server/postgres/program.ts'
import { giveTo, runAs } from '#server/postgres/run-as.ts'

export interface ClusterOptions {
  /** False only where data loss is acceptable: in tests. */
  durable?: boolean
  /** The preferred port, if free: processes that know a PostgreSQL find it there after a restart. */
  port?: number
  flags?: readonly string[]
}

/** Milliseconds within which it must be ready. */
export const patience = 30_000

/** The log file of PostgreSQL. */
export const logFile = (folder: string) => join(folder, 'portal.log')

/** Starts PostgreSQL detached, so that it outlives this process; resolves when it is ready or has failed. */
export async function startPostgres(folder: string, programs: Binaries, options: ClusterOptions): Promise<void> {
  const as = runAs(folder, programs.postgres)
  if (as.user) giveTo(as.user, folder)
  const log = openSync(logFile(folder), 'w', 0o600)
  const flags = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '256MB',
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    effective_cache_size: '2GB',
    random_page_cost: '1.1',
    max_wal_size: '4GB',
    // There is no replication, so indexes created in a transaction are written to their files once, and not to the WAL.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    checkpoint_completion_target: '0.9',
    // Updating the process title costs time for each statement.
    update_process_title: 'off',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    ...(options.durable === false ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const [program, args, user] = as.command(programs.postgres, [
    '-D',
    folder,
    '-p',
    String(await freePort(options.port)),
    ...Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...(options.flags ?? []),
  ])
  const child = spawn(program, args, { ...user, cwd: folder, detached: true, stdio: ['ignore', log, log], env: environment() })
  closeSync(log)
  let ended: string | null = null
  child.once('error', (error) => {
    ended = messageOf(error)
  })
  child.once('exit', () => {
    ended ??= lastComplaint(folder)
  })
  child.unref()
  const deadline = Date.now() + patience
  while (ended === null && Date.now() < deadline) {
    const running = readPostmaster(folder)
    if (running?.ready && isPostgres(running.pid)) return
    await sleep(15)
  }
  if (ended !== null) validateEnd(folder, ended)
}

/** Interprets a start that ended: another process was first, the port was taken in between, or the folder is damaged. */
function validateEnd(folder: string, complaint: string): void {
  if (/lock file .* already exists|shared memory block .* is still in use|could not create any TCP/.test(complaint)) return
  throw new CannotStart(
    `PostgreSQL does not start on ${folder} (${complaint}): restore the folder from a backup, or set DATA_DIR to another folder.`,
  )
}

/** The last messages of PostgreSQL: its fatal lines with their details, else its whole output. */
function lastComplaint(folder: string): string {
  const lines = saidIn(folder)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const fatal = lines.filter((line) => /\b(FATAL|PANIC|DETAIL|HINT):/.test(line))
  const complaints = (fatal.length > 0 ? fatal.slice(0, 2) : lines.slice(-3)).map((line) =>
    line.replace(/^.*?(FATAL|PANIC|DETAIL|HINT|postgres):\s*/, ''),
  )
  return messageOf(complaints.join(' ')) || 'it ended without a word'
}

const saidIn = (folder: string): string => {
  try {
    return readFileSync(logFile(folder), 'utf8')
  } catch {
    // The folder was deleted in the meantime.
    return ''
  }
}

/** The preferred port, or any other if it is in use. */
const freePort = (preferred = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => (preferred === 0 ? reject(error) : resolve(freePort())))
    server.listen(preferred, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
