import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
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

/**
 * Removes zod's conversion of schemas to JSON Schema, and of their limits (`minLength`): only the server uses it, for its
 * OpenAPI document. Every schema refers to it, so it would be an eighth of zod in the first page.
 */
function noJsonSchemas(): Plugin {
  const parts = [
    /inst\._zod\.processJSONSchema = [^;]+;/g,
    /jsonSchema: \{\s*input: create[^}]+\},/g,
    /return createToJSONSchemaMethod\(this, \{\}\)\(params\);/g,
  ]
  const limits = 'processors.aggregateChecks(inst)'
  return {
    name: 'no-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        const missing = parts.find((part) => code.search(part) < 0)
        if (missing || !code.includes(limits)) throw new Error(`zod no longer has what is left out of it: ${missing ?? limits}`)
        // Replaced by blanks to keep the source map valid.
        const blank = (text: string) => text.replace(/\S/g, ' ')
        const left = parts.reduce((code, part) => code.replace(part, blank), code)
        return { code: left.replaceAll(limits, '({})'.padEnd(limits.length)), map: null }
      },
    },
  }
}

/** Removes the summaries of endpoints: only the OpenAPI document of the server uses them. */
function noSummaries(): Plugin {
  return {
    name: 'no-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/contract\/[\w-]+\.ts$/ },
      // Replaced by blanks to keep the source map valid.
      handler: (code) => ({
        code: code.replace(
          /\bsummary: '(?:[^'\\\n]|\\.)*'/g,
          (text) => `summary: ''${' '.repeat(text.length - "summary: ''".length)}`,
        ),
        map: null,
      }),
    },
  }
}

/**
 * Gives the portal the heads of all commands (how they are found, keys, permissions) before the commands themselves are loaded,
 * and an `import()` per area, because for each one the browser walks all imports of its file. The heads are derived from the
 * commands, so that nothing is written twice.
 */
function commandHeads(): Plugin {
  const id = 'virtual:command-heads'
  const script = () => import(pathToFileURL(join(import.meta.dirname, 'scripts/command-heads.ts')).href)
  return {
    name: 'command-heads',
    resolveId: (source) => (source.startsWith(id) ? `\0${source}` : null),
    load: {
      filter: { id: /^\0virtual:command-heads/ },
      handler: async (asked) => {
        const { commandHeads: heads, laterFiles } = await script()
        const folders = [...(laterFiles() as Map<string, string[]>)]
        const byArea = Map.groupBy(folders, ([folder]) => areaOf(folder))
        const files = byArea.get(asked.slice(id.length + 2))?.flatMap(([, paths]) => paths)
        if (files)
          return [
            ...files.map((file, at) => `import c${at} from ${JSON.stringify(file)}`),
            `export default [${files.map((_, at) => `c${at}`)}].flat()`,
          ].join('\n')
        return [
          // Parsing JSON text is faster than evaluating an expression of the same length.
          `export const heads = JSON.parse(${JSON.stringify(JSON.stringify(await heads()))})`,
          `const ways = {${[...byArea.keys()].map((area) => `'${area}': () => import('${id}/${area}').then((all) => all.default)`)}}`,
          `export const later = {${folders.map(([folder]) => `'${folder}': ways['${areaOf(folder)}']`)}}`,
        ].join('\n')
      },
    },
  }
}

const libraries = {
  name: 'libraries',
  test: /node_modules\/(react|react-dom|scheduler|jotai|jotai-location|zod|ky|hotkeys-js|@tanstack\/(virtual-core|react-virtual))\//,
}

interface Graph {
  getModuleInfo(id: string): { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] } | null
}

const listFile = /\/nouns\/([\w-]+)\/list\.tsx$/
const commandsOfArea = /^\0virtual:command-heads\/([\w-]+)$/

/**
 * Nouns whose lists, and whose commands, are bundled in one file each, by their folders: per noun most files would be smaller
 * than the request for one. The lists of people stay separate, since support staff open them from a cold start.
 */
const areas: readonly (readonly [area: string, folders: RegExp])[] = [
  ['people', /^(bank-account|card|employee|user)$/],
  ['money', /^(bank-result|deduction|invoice|repayment|time-entry|write-off)s?$|^timekeeping$/],
  [
    'companies',
    /^(billing-account|communication|data-email|employer|import|integration|mapping|organization|paygroup|sftp-user)s?$/,
  ],
  ['access', /^(account-manager|admin|audit-event|session)s?$/],
]

const areaOf = (folder = ''): string => areas.find(([, folders]) => folders.test(folder))?.[0] ?? folder

const portal = (path: string) => join(import.meta.dirname, 'src/portal', path)

/** Loaded right after the first list, whatever it is: commands, nouns, palette and forms. */
const afterFirst = [
  'main/everything.ts',
  'shell/reload-place.ts',
  'commands/links.ts',
  'commands/run-views.ts',
  'hotkeys/replay-key.ts',
  'palette/palette.tsx',
  'shell/watches.ts',
].map(portal)

/** Everything that uses the library of dialogs, menus and choosers: loaded after the palette. */
const afterPalette = ['form/fields/choosers.tsx', 'shell/account-menu.tsx', 'shell/dialogs.tsx', 'shell/late-watches.ts'].map(
  portal,
)

/** Small and loaded last: rarely opened pages of the palette, and what follows views, prints and runs. */
const last = [
  'commands/runs.ts',
  'shell/last-watches.ts',
  'commands/undo.ts',
  'form/bulk-form.tsx',
  'form/history-page.tsx',
  'form/money/parts.ts',
  'form/pasted-page.tsx',
  'form/run-page.tsx',
].map(portal)

/** All modules that are loaded with these. */
function closure(entries: readonly string[], graph: Graph, without: ReadonlySet<string> = new Set()): Set<string> {
  const found = new Set(entries)
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) if (!without.has(imported)) found.add(imported)
  return found
}

const imports = (ids: Iterable<string>, graph: Graph): string[] =>
  [...ids].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? [])

const inBoth = (one: ReadonlySet<string>, other: ReadonlySet<string>) => new Set([...one].filter((id) => other.has(id)))

let parts: readonly (readonly [name: string, ids: ReadonlySet<string>])[] | undefined

/**
 * The modules of each bundle, by the name of its file; a module in two bundles belongs to the first one. Cut at every
 * `import()` they would be some eighty files, most of them smaller than the request for one.
 */
function partsOf(graph: Graph): NonNullable<typeof parts> {
  const frame = closure([portal('main/main.tsx')], graph)
  const entries = imports(frame, graph).filter((id) => listFile.test(id))
  const lists = entries.map((id) => closure([id], graph, frame))
  const inLists = (min: number) =>
    new Set(lists.flatMap((ids) => [...ids]).filter((id) => lists.filter((ids) => ids.has(id)).length >= min))
  const people = (id: string) =>
    lists.every((ids, at) => ids.has(id) === /\/nouns\/(employees|users)\//.test(entries[at] as string))
  const before = new Set([...frame, ...inLists(2)])
  const second = closure(afterFirst, graph, frame)
  // Separate from what is loaded after the first list, because users start here when they sign in.
  const landing = closure([portal('shell/landing-page.tsx')], graph, before)
  const signIn = closure([portal('session/sign-in/sign-in.tsx')], graph, before)
  const commands = imports(second, graph).flatMap((id) => {
    const [, area] = commandsOfArea.exec(id) ?? []
    return area ? [[area, closure([id], graph, new Set([...frame, ...second]))] as const] : []
  })
  const inCommands = (min: number) =>
    new Set(commands.flatMap(([, ids]) => [...ids]).filter((id) => commands.filter(([, ids]) => ids.has(id)).length >= min))
  const soon = new Set([...second, ...inCommands(1)])
  const records = closure(
    [portal('record/detail.tsx'), portal('record/history-tab.tsx'), ...imports(inLists(1), graph)],
    graph,
    before,
  )
  const ofArea = (end: string, of: (ids: Set<string>) => Set<string>) =>
    lists.map((ids, at) => [`${areaOf(listFile.exec(entries[at] as string)?.[1])}${end}`, of(ids)] as const)
  return [
    ['frame', frame],
    // Not all lists: otherwise nouns without states would move those of all others to the files shared by several lists.
    ['lists', inLists(Math.ceil(lists.length * 0.75))],
    // Modules shared only by the two lists of people are loaded with the first one, which needs nothing else that lists share.
    ['people', new Set([...inLists(2)].filter(people))],
    ['several-lists', inLists(2)],
    ['landing', landing],
    ...ofArea('-entity', (ids) => inBoth(ids, second)),
    ...ofArea('-list', (ids) => ids),
    ['forms', inBoth(second, signIn)],
    ['figures', inBoth(second, records)],
    // Shared only by commands and records that are opened.
    ['record-commands', inBoth(soon, records)],
    ['everything', second],
    ['several-commands', inCommands(2)],
    ...commands.map(([folder, ids]) => [`${folder}-commands`, ids] as const),
    ['choosers', closure(afterPalette, graph, before)],
    ['records', records],
    ['last', closure(last, graph, before)],
  ]
}

/** One file per bundle whose name ends like this; it includes the imports of its modules, unless an earlier one has them. */
const groups = [
  'frame',
  'lists',
  'people',
  'several-lists',
  'landing',
  '-entity',
  '-list',
  'forms',
  'figures',
  'record-commands',
  'everything',
  'several-commands',
  '-commands',
  'choosers',
  'records',
  'last',
].map((end, at, all) => ({
  debugName: end,
  priority: all.length - at,
  name: (id: string, graph: Graph) => {
    parts ??= partsOf(graph)
    const [name = ''] = parts.find(([, ids]) => ids.has(id)) ?? []
    return name.endsWith(end) ? name : null
  },
}))

/** Files of the first page, which are loaded before anything is deferred. */
const ofFirstPage = /\/(rolldown-runtime|libraries|frame|workspace)-/

const api = `http://127.0.0.1:${process.env.API_PORT ?? 3001}`

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    deferredParts(),
    commandHeads(),
    noJsonSchemas(),
    noSummaries(),
    version(),
    keepMaps(),
    precompress(),
  ],
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
        hostType === 'html' ? needed : [...new Set([file, ...needed])].filter((each) => !ofFirstPage.test(each)),
    },
    manifest: true,
    rolldownOptions: {
      input: { workspace: 'index.html' },
      // The groups decide where a module lies; a dynamic import of one in a later group still loads it on demand.
      checks: { ineffectiveDynamicImport: false },
      // The libraries of every page are one file, which stays cached across versions of the portal.
      output: { codeSplitting: { groups: [{ ...libraries, priority: groups.length + 1 }, ...groups] } },
    },
  },
  // Workers are modules, too, with chunks that they load themselves.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/openapi.json', '/config.json', '/healthz', '/readyz'].map((path) => [path, api])),
  },
})
