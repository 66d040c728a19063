import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const memory = '/dev/shm'
/** Bytes that a whole run may use there, and bytes that stay free for the machine. */
const room = 6 * 1024 ** 3
const spare = 4 * 1024 ** 3

/**
 * A folder in memory for temporary files of tests, if the machine has enough: each database consists of a thousand files, which
 * take several times as long on a disk. Null if there is none, or if TMPDIR is set.
 */
export function folderInMemory(): string | null {
  if (process.env['TMPDIR']) return null
  try {
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < room || freemem() < room + spare) return null
    const folder = mkdtempSync(`${memory}/admin-portal-run-`)
    // PostgreSQL may run as another user than root.
    chmodSync(folder, 0o711)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    return folder
  } catch {
    return null
  }
}
