import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { Stop } from '#terminal/stop.ts'

/** A folder of the XDG base directories; a relative path in the environment does not count. */
const folder = (variable: string, otherwise: string): string => {
  const given = process.env[variable]
  return join(given && isAbsolute(given) ? given : join(homedir(), otherwise), 'admin-portal')
}

/** Where sessions are stored, unfinished calls, and what can be fetched again. */
export const folders = {
  config: () => folder('XDG_CONFIG_HOME', '.config'),
  state: () => folder('XDG_STATE_HOME', '.local/state'),
  cache: () => folder('XDG_CACHE_HOME', '.cache'),
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * A file that only its owner may read, as JSON; null if there is none. A wider one is narrowed, and `warn` is called: others may
 * have read it. A file of somebody else, or a link, is refused.
 */
export function readPrivate(path: string, warn: (sentence: string) => void): unknown {
  try {
    const { mode, uid } = lstatSync(path)
    const own = process.getuid?.() ?? uid
    if ((mode & 0o170000) !== 0o100000 || uid !== own)
      throw new Stop('usage', `${path} is not a file of your own.`, 'Remove it, then sign in again.')
    if (process.platform !== 'win32' && mode & 0o077) {
      chmodSync(path, 0o600)
      warn(`Others could read ${path}. Only you can now. If others use this computer, sign out and in again.`)
    }
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null
    throw error
  }
}

/** Writes such a file at once: another process reads the old or the new content. */
export function writePrivate(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const made = `${path}.${process.pid}`
  rmSync(made, { force: true })
  writeFileSync(made, `${JSON.stringify(value)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(made, path)
}

/** Removes a file, if it is there. */
export const removeFile = (path: string): void => rmSync(path, { force: true })

/** The JSON files of a folder. */
export function filesIn(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => join(path, name))
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
