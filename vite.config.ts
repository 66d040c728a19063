import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress, uncompressed } from './scripts/compress.mjs'

/** Compresses files with a fixed name; those in `assets`, which have content hashes in their names, are compressed later. */
function precompress(): Plugin {
  let folder = 'dist'
  return {
    name: 'precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: () => compress(uncompressed(folder).filter((file) => dirname(file) === folder)),
  }
}

const publicFiles = join(import.meta.dirname, 'public')

/**
 * Identifies the build by a hash of its content: a meta element of the page has the running version, and `version.json` the
 * deployed one.
 */
function version(): Plugin {
  return {
    name: 'version',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const hash = createHash('sha256')
        for (const file of readdirSync(publicFiles).sort()) hash.update(`${file}\0`).update(readFileSync(join(publicFiles, file)))
        for (const [name, file] of Object.entries(bundle).sort(([a], [b]) => (a < b ? -1 : 1)))
          if (!name.endsWith('.map')) hash.update(`${name}\0`).update(file.type === 'chunk' ? file.code : file.source)
        const identity = hash.digest('hex').slice(0, 16)
        const page = bundle['index.html']
        if (page?.type !== 'asset') throw new Error('There is no index.html to write the version into.')
        page.source = String(page.source).replace('</head>', `  <meta name="version" content="${identity}" />\n  </head>`)
        this.emitFile({ type: 'asset', fileName: 'version.json', source: JSON.stringify({ version: identity }) })
      },
    },
  }
}

/** Moves source maps out of the served files into a folder for debugging. */
function keepMaps(): Plugin {
  const maps = join(import.meta.dirname, '.cache/source-maps')
  return {
    name: 'keep-maps',
    apply: 'build',
    writeBundle(options) {
      rmSync(maps, { recursive: true, force: true })
      mkdirSync(maps, { recursive: true })
      const folder = options.dir ?? 'dist'
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
        if (name.endsWith('.map')) renameSync(join(folder, name), join(maps, basename(name)))
    },
  }
}

/** Wraps every `import()` in the portal's own loader instead of Vite's, whose failures the browser may cache. */
function deferredParts(): Plugin {
  return {
    name: 'deferred-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => `export { deferred as __vitePreload } from '#portal/platform/deferred.ts'`,
    },
  }
}

/** Files of the page itself, which are loaded before anything is deferred. */
const ofPage = /\/(rolldown-runtime|libraries|workspace)-/

/**
 * The files of the build, by their main module: a file has its imports as well, unless one before it has them. Modules are not cut
 * at every `import()`, which makes hundreds of files, most of them smaller than the request for one.
 */
const groups = [
  // Stays cached across versions of the portal.
  {
    name: 'libraries',
    test: /node_modules\/(react|react-dom|scheduler|jotai|jotai-location|zod|ky|hotkeys-js|@tanstack\/(virtual-core|react-virtual))\//,
  },
  { name: 'frame', tags: ['$initial' as const] },
  // Used by both the dashboard and the palette, neither of which waits for the other.
  { name: 'queries', test: /\/records\/use-query\.ts$/ },
  { name: 'sign-in', test: /\/sign-in\/sign-in\.tsx$/ },
  { name: 'dashboard', test: /\/dashboard\.screen\.tsx?$/ },
  // Without the lists in the tabs of records, which no list needs and which would bring the reads of the dashboard with them.
  {
    name: 'shared',
    test: /\/src\/(domain|contract|kernel|entities|portal(?!\/record\/(tab-list|beside)\.|\/commands\/))\//,
    minShareCount: 10,
  },
  // A file for each list with its noun.
  { name: (id: string) => /\/nouns\/([\w-]+)\/list\.tsx$/.exec(id)?.[1] ?? null, debugName: 'list' },
  // Calls, rules and nouns of commands and records, neither of which waits for the other.
  { name: 'model', test: /\/src\/(domain|contract|kernel|entities)\/[\w-]+\.ts$/, minShareCount: 2 },
  { name: 'everything', test: /\/main\/everything\.ts$/ },
  // Records with their tabs; the folders left out have screens instead.
  { name: 'records', test: /\/portal\/(record\/(?!more-tabs)|nouns\/(?!access|dashboard|mappings|my-permissions)[\w-]+\/)/ },
  // Everything that uses the library of dialogs, menus and choosers.
  { name: 'choosers', test: /\/(choosers|dialogs|account-menu|more-tabs)\.tsx$/ },
].map((group, at, { length }) => ({ ...group, priority: length - at }))

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`

export default defineConfig({
  plugins: [react(), tailwindcss(), deferredParts(), version(), keepMaps(), precompress()],
  resolve: { alias: { '@radix-ui/react-dialog': join(import.meta.dirname, 'src/portal/palette/no-dialog.ts') } },
  build: {
    target: 'es2024',
    sourcemap: 'hidden',
    // No inline data: the Content-Security-Policy allows none for fonts, and every file is cached by its hash.
    assetsInlineLimit: 0,
    // Preloads are plain <link> elements of index.html; a polyfill would be an inline script.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, needed, { hostType }) =>
        hostType === 'html' ? needed : [...new Set([file, ...needed])].filter((each) => !ofPage.test(each)),
    },
    manifest: true,
    rolldownOptions: {
      input: { workspace: 'index.html' },
      // Modules of a group may be imported by others both statically and dynamically; a slow machine is nothing to warn about.
      checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
      output: { codeSplitting: { groups } },
    },
  },
  // Workers are modules, too, with chunks that they load themselves.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/openapi.json', '/config.json', '/healthz', '/readyz'].map((path) => [path, api])),
  },
})
