import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether a file can be run: a leftover such as a snap's placeholder is executable without being a browser. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return file.endsWith('.exe') || versionOf(file) !== null
  } catch {
    return false
  }
}

/** The output of a program for `--version`, `Chromium 150.0.7000.0 ...`; null if it cannot be run. */
export function versionOf(file: string): string | null {
  const { status, stdout } = spawnSync(file, ['--version'], { timeout: 20_000, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/** Paths of programs with one of these names on the search path, in its order. */
export const onPath = (names: readonly string[]): string[] =>
  (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))

/** Installs a Debian package, if this user may; false if that failed. */
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
