import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { openCluster } from '#server/postgres/cluster.ts'
import { kyselyOn, openPool } from '#server/postgres/connect.ts'
import { applicationRole } from '#server/postgres/roles.ts'
import type { Database } from '#server/tables/database.ts'

/** How a process of the server ended, and its output. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  complaint: string
}

export interface ServerProcess {
  child: ChildProcess
  /** Resolves when it listens, rejects when it ends before. */
  ready: Promise<string>
  ended: Promise<Ended>
  /** Resolves to the first group of a pattern, or all of it, once the output matches. */
  printed: (pattern: RegExp) => Promise<string>
}

/** Node's compile cache, shared by all starts. */
const compiled = resolve('.cache/compiled')

/**
 * Starts the server as a program with only these settings as environment, on a free port by default; `root` is another copy of
 * the project, `program` another file of `boot`.
 */
export function startProcess(settings: Record<string, string>, root = process.cwd(), program = 'main'): ServerProcess {
  const child = spawn(process.execPath, [`src/server/boot/${program}.ts`], {
    env: { PATH: process.env.PATH, PORT: '0', EMPLOYEES: '100', NODE_ENV: 'test', NODE_COMPILE_CACHE: compiled, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: root,
  })
  let out = ''
  let complaint = ''
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, out, complaint }))
  })
  child.stderr.on('data', (chunk) => {
    complaint += chunk
  })
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = () => {
        const [whole, group] = pattern.exec(out) ?? []
        if (whole !== undefined) resolve(group ?? whole)
      }
      look()
      child.stdout.on('data', look)
      ended.then(() => reject(new Error(`The server ended: ${complaint || out}`)))
    })
  const ready = printed(/is ready: (\S+)/)
  ready.catch(() => undefined)
  return { child, ready, ended, printed }
}

/** The database of a data folder whose PostgreSQL is running, as the application. */
export async function databaseIn(dataFolder: string): Promise<Kysely<Database>> {
  const url = (await openCluster(dataFolder)).url('admin_portal', applicationRole)
  return kyselyOn(openPool({ url, name: 'tests', businessTimeZone: 'America/New_York', statementTimeout: 0, connections: 2 }))
}

/** Copies a data folder that is not in use. */
export function copyData(from: string, to: string): void {
  // About 2,000 files. The asynchronous `cp` creates a promise for each of them, which takes five times as long.
  cpSync(from, to, { recursive: true, preserveTimestamps: true })
  // Copying loses the permissions of this folder, without which PostgreSQL does not start.
  chmodSync(join(to, 'postgres'), 0o700)
}
