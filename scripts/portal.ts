// npm run portal -- ...: the terminal. Its sources are built once for each version: they share lists with the portal.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fingerprint } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.cache', 'terminal')

/** Builds the terminal into a folder named after its sources; of two at once either may win. */
async function build(target: string): Promise<void> {
  process.stderr.write('Building the terminal. This is done once for each version.\n')
  const made = `${target}.${process.pid}`
  const { build: buildBy } = await import('vite')
  await buildBy({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: 'src/terminal/main.ts',
      outDir: made,
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { onLog: () => undefined },
    },
  })
  for (const old of existsSync(folder) ? readdirSync(folder) : [])
    if (!old.includes('.') && join(folder, old) !== target) rmSync(join(folder, old), { recursive: true, force: true })
  try {
    renameSync(made, target)
  } catch {
    rmSync(made, { recursive: true, force: true })
  }
}

enableCompileCache(join(root, '.cache', 'compiled'))
const target = join(folder, fingerprint().slice(0, 16))
mkdirSync(folder, { recursive: true })
if (!existsSync(target)) await build(target)
const { main } = (await import(pathToFileURL(join(target, 'main.js')).href)) as typeof import('../src/terminal/main.ts')
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
process.exitCode = await main(process.argv.slice(2), [process.execPath, join(root, 'scripts/portal.ts')].map(quoted).join(' '))
