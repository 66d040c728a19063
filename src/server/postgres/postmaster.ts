import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#server/cannot-start.ts'

/** What a running PostgreSQL says of itself in its folder. */
export interface Postmaster {
  pid: number
  port: number
  ready: boolean
  /** It takes nobody in any more, and may wait for those who are there to leave. */
  stopping: boolean
}

const file = (cluster: string) => join(cluster, 'postmaster.pid')

/** Reads `postmaster.pid`; null when there is none. A half-written one counts as not ready. */
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

/** Whether that process still is a PostgreSQL: after a crash its number may belong to something else. */
export function isPostgres(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false
  }
  if (process.platform === 'win32') return true
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
    // Name and state: one that has ended, and that nobody has taken notice of yet, is none any more.
    return /\(.*postgres.*\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Removes the note of a PostgreSQL that is gone, so that a new one may start. */
export const forgetPostmaster = (cluster: string): void => rmSync(file(cluster), { force: true })
