import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a file can be run: a leftover such as a snap's placeholder is executable and still no browser. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return file.endsWith('.exe') || versionOf(file) !== null
  } catch {
    return false
  }
}

/** What a program answers to `--version`, `Chromium 150.0.7000.0 ...`; null where it cannot be run. */
export function versionOf(file: string): string | null {
  const { status, stdout } = spawnSync(file, ['--version'], { timeout: 20_000, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Where the search path may have a program of one of these names, in the order of the path. */
export const onPath = (names: readonly string[]): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

/** Installs a package of Debian's, where this user may; false where that did not work. */
export function installPackage(name: string): boolean {
  if (process.getuid?.() !== 0) return false
  console.log(`Installing ${name}.`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (timeout: number, ...args: string[]) =>
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout })
  try {
    apt(300_000, 'update', '-qq')
    apt(600_000, 'install', '-y', '-qq', '--no-install-recommends', name)
    return true
  } catch {
    return false
  }
}
