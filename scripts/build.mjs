// Builds the portal into dist/; with --awaited only when what it is made from has changed.
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

/** What the portal is made from, as one hash of names and contents. */
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

/** Whether dist/ is what the sources make, with all of it compressed. */
export const isBuilt = () => isMadeOf(fingerprint()) && uncompressed(assets).length === 0

/** Builds when dist/ is missing or was made from something else; `force` builds in any case. Assets are not compressed. */
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
  // A server that waits for it has them compressed afterwards.
  const awaited = process.argv.includes('--awaited')
  build(!awaited)
  if (!awaited) compress(uncompressed(assets))
}
