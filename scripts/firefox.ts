import { existsSync } from 'node:fs'
import { installPackage, isProgram, onPath } from './installed-program.ts'

const places = ['/Applications/Firefox.app/Contents/MacOS/firefox', 'C:/Program Files/Mozilla Firefox/firefox.exe']

/** An installed Firefox: from FIREFOX, then the path, then the usual folders; undefined if there is none. */
export function findFirefox(): string | undefined {
  const named = process.env.FIREFOX
  if (named !== undefined) return named && isProgram(named) ? named : undefined
  return [...onPath(['firefox-esr', 'firefox']), ...places].find((file) => existsSync(file) && isProgram(file))
}

/** Finds a Firefox, or installs Debian's if possible; undefined if neither works. */
export function findOrInstallFirefox(): string | undefined {
  const found = findFirefox()
  if (found || process.env.FIREFOX !== undefined) return found
  return installPackage('firefox-esr') ? findFirefox() : undefined
}
