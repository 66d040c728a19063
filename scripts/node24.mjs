// What every script here needs first: the dependencies, and a Node that runs TypeScript. Runs on Node 20 and needs nothing.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url))

const windows = process.platform === 'win32'
const needed = 24

/** Ends the script with one sentence that says what to do. */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** The environment without this project's own programs in front, so that npm runs on the Node it came with. */
function outside() {
  const bin = join(root, 'node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(bin))
  return { ...process.env, PATH: path.join(delimiter) }
}

/** Whether node_modules holds what package-lock.json names; npm notes last what it installed, so a broken-off install does not. */
function installed() {
  const note = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const have = JSON.parse(readFileSync(note, 'utf8')).packages
  const want = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(want).every(
    ([place, { version, optional }]) => place === '' || (have[place] ? have[place].version === version : optional === true),
  )
}

/** Installs what package-lock.json names, when it is not there yet. */
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

/** The Node that runs the project: the one at hand when it is new enough, else the one that comes with the dependencies. */
export function node() {
  if (Number.parseInt(process.versions.node, 10) >= needed && existsSync(process.execPath)) return process.execPath
  const own = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
  if (!existsSync(own)) {
    // npm was told not to run install scripts: this one fetches the program for this machine.
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

/** Runs a program of Node's to its end with the project's Node; answers whether it went well. */
export function run(file, args = [], options = {}) {
  return spawnSync(node(), [join(root, file), ...args], { cwd: root, stdio: 'inherit', ...options }).status === 0
}
