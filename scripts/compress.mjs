// Writes a .br and a .gz next to each build output, so that the server only has to send them.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants as zlib, gzipSync } from 'node:zlib'
import { root } from './node24.mjs'

const compressible = /\.(js|css|html|svg|json|txt)$/

/** Files with a content hash in their name; others change under the same name, and are compressed with the build. */
export const assets = join(root, 'dist', 'assets')

/** Files in a folder and its subfolders without compressed versions yet. */
export function uncompressed(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const there = new Set(names)
  return names.filter((name) => compressible.test(name) && !there.has(`${name}.br`)).map((name) => join(folder, name))
}

/** Compresses files at the highest level, one at a time; each compressed file is written atomically. */
export function compress(files) {
  for (const file of files) {
    if (!statSync(file).isFile()) continue
    const text = readFileSync(file)
    const keep = (end, bytes) => {
      writeFileSync(`${file}${end}.part`, bytes)
      renameSync(`${file}${end}.part`, `${file}${end}`)
    }
    keep('.gz', gzipSync(text, { level: 9 }))
    keep('.br', brotliCompressSync(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // It takes seconds while a server is working.
  setPriority(constants.priority.PRIORITY_LOW)
  compress(uncompressed(assets))
}
