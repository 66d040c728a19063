import { existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { installPackage, isProgram, onPath } from './installed-program.ts'

/** The headless build does the same in half of the time. */
const shell = 'chromium-headless-shell'
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']

const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
  'C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe',
]

const downloads = [
  process.env.PLAYWRIGHT_BROWSERS_PATH ?? '',
  join(homedir(), '.cache/ms-playwright'),
  join(homedir(), 'Library/Caches/ms-playwright'),
]

const programs = [
  'chromium-*/chrome-linux*/chrome',
  'chromium_headless_shell-*/chrome-*/*headless*shell',
  'chromium-*/chrome-mac*/*.app/Contents/MacOS/*',
]

/** An installed Chromium: from CHROMIUM, then the headless shell, the path, then the usual folders; undefined if there is none. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM
  if (named) return isProgram(named) ? named : undefined
  const downloaded = downloads
    .filter((folder) => folder && existsSync(folder))
    .flatMap((folder) => programs.flatMap((pattern) => globSync(join(folder, pattern))))
  return [...onPath([shell]), ...onPath(names), ...places, ...downloaded].find((file) => existsSync(file) && isProgram(file))
}

/** Finds a Chromium, or installs the distribution's if possible; undefined if neither works. */
export function findOrInstallChromium(): string | undefined {
  const isAvailable = process.env.CHROMIUM || onPath([shell]).some(isProgram)
  if (!isAvailable && !installPackage(shell) && !findChromium()) installPackage('chromium')
  return findChromium()
}
