import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const memory = '/dev/shm'
/** Bytes that a whole run may take there, and that the machine keeps besides. */
const room = 6 * 1024 ** 3
const spare = 4 * 1024 ** 3

/**
 * A folder in memory for what tests throw away, where the machine has plenty: each database is a thousand files, and a disk takes
 * several times as long to make them. Null where there is none, or where TMPDIR says where.
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
