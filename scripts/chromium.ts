import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, globSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

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

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    // A leftover such as a snap's placeholder is executable and still no browser.
    return file.endsWith('.exe') || spawnSync(file, ['--version'], { timeout: 20_000 }).status === 0
  } catch {
    return false
  }
}

/** A Chromium of this machine: CHROMIUM, then the path, then the usual places; undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM
  if (named) return isProgram(named) ? named : undefined
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const downloaded = downloads
    .filter((folder) => folder && existsSync(folder))
    .flatMap((folder) => programs.flatMap((pattern) => globSync(join(folder, pattern))))
  return [...onPath, ...places, ...downloaded].find((file) => existsSync(file) && isProgram(file))
}

/** Finds a Chromium, or installs the distribution's where that is possible; undefined when neither works. */
export function findOrInstallChromium(): string | undefined {
  const found = findChromium()
  if (found || process.env.CHROMIUM || process.getuid?.() !== 0) return found
  console.log('Installing Chromium.')
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 300_000 })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
      timeout: 600_000,
    })
  } catch {
    return undefined
  }
  return findChromium()
}
