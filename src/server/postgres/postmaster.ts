import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#server/cannot-start.ts'
import { isAlive } from '#server/postgres/program.ts'

/** The state of a running PostgreSQL, from its pid file. */
export interface Postmaster {
  pid: number
  port: number
  ready: boolean
  /** It refuses new connections, and may wait for the existing ones to end. */
  stopping: boolean
}

const file = (cluster: string) => join(cluster, 'postmaster.pid')

/** Reads `postmaster.pid`; null if there is none. A half-written one counts as not ready. */
export function readPostmaster(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(file(cluster), 'utf8').split('\n')
    const status = (lines[7] ?? '').trim()
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0), ready: status === 'ready', stopping: status === 'stopping' }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/** Whether that process is still PostgreSQL: after a crash its pid may belong to another program. */
export function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false
  if (process.platform === 'win32') return true
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
    // Name and state: a zombie no longer counts.
    return /\(.*postgres.*\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Removes the pid file of a dead PostgreSQL, so that a new one can start. */
export const forgetPostmaster = (cluster: string): void => rmSync(file(cluster), { force: true })
