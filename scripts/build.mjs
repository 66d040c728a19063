// Builds the portal into dist/; with --awaited only if its sources have changed.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assets, compress, uncompressed } from './compress.mjs'
import { fail, install, root, run } from './node24.mjs'

const sources = ['index.html', 'vite.config.ts', 'package.json', 'package-lock.json', 'public', 'commands', 'src']
const stamp = join(root, 'dist', '.stamp')

function* filesOf(path) {
  const whole = join(root, path)
  if (!existsSync(whole)) return
  if (path.includes('.')) return yield path
  for (const entry of readdirSync(whole, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const inner = `${path}/${entry.name}`
    if (inner === 'src/server') continue
    if (entry.isDirectory()) yield* filesOf(inner)
    else yield inner
  }
}

/** A hash of names and contents of the portal's sources. */
export function fingerprint() {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => [...filesOf(source)])) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

const isMadeOf = (now) => existsSync(assets) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now

/** Whether dist/ is built from the current sources and completely compressed. */
export const isBuilt = () => isMadeOf(fingerprint()) && uncompressed(assets).length === 0

/** Builds if dist/ is missing or was built from other sources; `force` always builds. Assets are not compressed. */
function build(force) {
  const now = fingerprint()
  if (!force && isMadeOf(now)) return
  console.log('Building the portal.')
  if (!run('node_modules/vite/bin/vite.js', ['build', '--logLevel', 'warn'])) {
    fail('The portal could not be built. Read what is said above.')
  }
  writeFileSync(stamp, now)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  install()
  // A server that waits for the build compresses the assets afterwards.
  const awaited = process.argv.includes('--awaited')
  build(!awaited)
  if (!awaited) compress(uncompressed(assets))
}
