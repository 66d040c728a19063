// Prerequisites of all scripts: the dependencies, and a Node that runs TypeScript. Works on Node 20 without dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const windows = process.platform === 'win32'
const needed = 24

/** Ends the script with one sentence that names the remedy. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** The environment without this project's programs in the path, so that npm runs on its own Node. */
function outside() {
  const bin = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(bin))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** Whether node_modules matches package-lock.json; npm writes its own lock file last, so an interrupted install does not match. */
function installed() {
  const note = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const have = JSON.parse(readFileSync(note, 'utf8')).packages
  const want = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(want).every(
    ([place, { version, optional }]) => place === '' || (have[place] ? have[place].version === version : optional === true),
  )
}

/** Installs the dependencies in package-lock.json, unless they are installed. */
export function install() {
  if (installed()) return
  console.log('Installing the dependencies. This is done once and takes about a minute.')
  const npm = spawnSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: root,
    env: outside(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
  })
  if (npm.error) fail(`npm could not be started (${npm.error.message}). Install npm, then try again.`)
  if (npm.status !== 0) fail('The dependencies could not be installed. Read what npm said above, then try again.')
}

/** The Node that runs the project: the current one if it is new enough, else the one in the dependencies. */
export function node() {
  if (Number.parseInt(process.versions.node, 10) >= needed && existsSync(process.execPath)) return process.execPath
  const own = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
  if (!existsSync(own)) {
    // npm was configured to skip install scripts: this one downloads the program for this machine.
    const setUp = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: join(root, 'node_modules', 'node'),
      env: outside(),
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (setUp.status !== 0 || !existsSync(own)) {
      fail(`Node ${needed} did not come with the dependencies. Install Node ${needed} or newer, then try again.`)
    }
  }
  return own
}

/** Runs a Node program to its end with the project's Node; returns whether it succeeded. */
export function run(file, args = [], options = {}) {
  return spawnSync(node(), [join(root, file), ...args], { cwd: root, stdio: 'inherit', ...options }).status === 0
}
