import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { openCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { applicationRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'

/** How a process of the server ended, and what it said. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  complaint: string
}

export interface ServerProcess {
  child: ChildProcess
  /** Resolves when it listens, rejects when it ended before. */
  ready: Promise<string>
  ended: Promise<Ended>
}

/** What Node made of the sources once, for the next of many starts. */
const compiled = resolve('.cache/compiled')

/**
 * Starts the server as a program, with these settings and none of the surrounding ones, on a free port unless told;
 * `root` is another copy of the project.
 */
export function startProcess(settings: Record<string, string>, root = process.cwd()): ServerProcess {
  const child = spawn(process.execPath, ['src/server/boot/main.ts'], {
    env: { PATH: process.env.PATH, PORT: '0', EMPLOYEES: '100', NODE_ENV: 'test', NODE_COMPILE_CACHE: compiled, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: root,
  })
  let out = ''
  let complaint = ''
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, complaint }))
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      out += chunk
      const address = /is ready: (\S+)/.exec(out)?.[1]
      if (address) resolve(address)
    })
    child.stderr.on('data', (chunk) => {
      complaint += chunk
    })
    ended.then(() => reject(new Error(`The server ended: ${complaint || out}`)))
  })
  ready.catch(() => undefined)
  return { child, ready, ended }
}

/** The database of a data folder whose PostgreSQL runs, as the application. */
export async function databaseIn(dataFolder: string): Promise<Kysely<Database>> {
  const url = (await openCluster(dataFolder)).url('admin_portal', applicationRole)
  return kyselyOn(openPool({ url, name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 }))
}

/** Copies a data folder that nothing runs on. */
export function copyData(from: string, to: string): void {
  // Some 2,000 files. Copied by Node's own code each of them is a promise, which takes five times as long.
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
  // Which does not keep that nobody else may read this one, and without PostgreSQL does not begin.
  chmodSync(join(to, 'postgres'), 0o700)
}
