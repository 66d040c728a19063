import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const compressible = /\.(js|css|html|svg|json|txt)$/

/** Writes a .br and a .gz beside every text file of the build, so that the server only has to send them. */
function precompress(): Plugin {
  let folder = 'dist'
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const file = join(folder, name)
        if (!compressible.test(name) || !statSync(file).isFile()) continue
        const text = readFileSync(file)
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
    },
  }
}

const libraries = {
  name: 'libraries',
  test: /node_modules\/(react|react-dom|scheduler|jotai|jotai-location|zod|ky|hotkeys-js|@tanstack\/(query-core|virtual-core|react-virtual))\//,
}

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Everything that the first page cannot do without, as one file: cut into many, it would be a twentieth larger. */
const frame = {
  debugName: 'frame',
  name: (id: string, graph: Graph) => (firstModules(graph).has(id) ? 'frame' : null),
}

let first: Set<string> | undefined

function firstModules(graph: Graph): Set<string> {
  if (first) return first
  const found = new Set([join(import.meta.dirname, 'src/portal/main.tsx')])
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  first = found
  return found
}

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  resolve: { alias: { '@radix-ui/react-dialog': join(import.meta.dirname, 'src/portal/palette/no-dialog.ts') } },
  build: {
    target: 'es2024',
    sourcemap: 'hidden',
    // No inline data: the Content-Security-Policy allows none for fonts, and every file is cached by its hash.
    assetsInlineLimit: 0,
    // Preloads are plain <link> elements of index.html; a polyfill would be an inline script.
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      input: { workspace: 'index.html' },
      // The libraries of every page are one file, which stays cached over versions of the portal.
      output: { codeSplitting: { groups: [libraries, frame] } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/openapi.json', '/config.json', '/healthz', '/readyz'].map((path) => [path, api])),
  },
})
