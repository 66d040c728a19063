import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compress, uncompressed } from './scripts/compress.mjs'

/** Compresses what is served under a name that stays; the files in `assets`, whose names follow from what they hold, come later. */
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
 * Gives the build an identity that follows from all it holds: a meta element of the page says which build runs, and
 * `version.json` which one is served.
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

/** Moves source maps out of what is served, to where whoever looks for a fault finds them. */
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

/** Puts the portal's own loader around every `import()`, in the place of Vite's, whose failures the browser may remember. */
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
 * Leaves out how zod describes a schema as JSON, and its limits (`minLength`): only the server does that, for its OpenAPI document.
 * Each schema refers to it, so that it would be an eighth of zod in the first page.
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
        // Blanks in its place keep the source map right.
        const blank = (text: string) => text.replace(/\S/g, ' ')
        const left = parts.reduce((code, part) => code.replace(part, blank), code)
        return { code: left.replaceAll(limits, '({})'.padEnd(limits.length)), map: null }
      },
    },
  }
}

/** Leaves out what an endpoint is for in words: only the OpenAPI document of the server says that. */
function noSummaries(): Plugin {
  return {
    name: 'no-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/contract\/[\w-]+\.ts$/ },
      // Blanks in its place keep the source map right.
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
 * Tells the portal of every command how it is found, its keys and who may, before the command itself is fetched, and how the
 * commands of an area are: by one `import()`, since for each one the browser walks all that its file imports. The commands
 * are asked, so that nothing of it is written down a second time.
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
          // A text that is parsed comes faster than an expression of the same length.
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
 * Nouns whose lists, and whose commands, come in one file each, by the names of their folders: for a noun alone most files
 * would be smaller than the request for one. The lists of people stay apart, since support staff open them from a cold start.
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

/** What comes right after the first list, whatever it is: commands, nouns, palette and forms. */
const afterFirst = [
  'main/everything.ts',
  'shell/reload-place.ts',
  'commands/links.ts',
  'commands/run-views.ts',
  'hotkeys/replay-key.ts',
  'palette/palette.tsx',
  'shell/watches.ts',
].map(portal)

/** What has the library of dialogs, menus and choosers: it comes after the palette. */
const afterPalette = ['form/fields/choosers.tsx', 'shell/account-menu.tsx', 'shell/dialogs.tsx', 'shell/late-watches.ts'].map(
  portal,
)

/** What is small and comes last: the pages of the palette that few open, and what follows views, prints and runs. */
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

/** Modules that are there as soon as these are. */
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
 * Which modules go together over the wire, by the name of their file; a module that is in two parts is in the first of
 * them. Cut at every `import()` they would be some eighty files, most of them smaller than the request for one.
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
  // Not to be waited for with what comes after the first list: whoever signs in begins there.
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
    // Some lists may do without: nouns without states would otherwise move those of all others to what several lists share.
    ['lists', inLists(Math.ceil(lists.length * 0.75))],
    // What only the two lists of people share comes with the first one, which needs nothing else of what lists share.
    ['people', new Set([...inLists(2)].filter(people))],
    ['several-lists', inLists(2)],
    ['landing', landing],
    ...ofArea('-entity', (ids) => inBoth(ids, second)),
    ...ofArea('-list', (ids) => ids),
    ['forms', inBoth(second, signIn)],
    ['figures', inBoth(second, records)],
    // What only a command that is opened shares with a record that is.
    ['record-commands', inBoth(soon, records)],
    ['everything', second],
    ['several-commands', inCommands(2)],
    ...commands.map(([folder, ids]) => [`${folder}-commands`, ids] as const),
    ['choosers', closure(afterPalette, graph, before)],
    ['records', records],
    ['last', closure(last, graph, before)],
  ]
}

/** One file for each part whose name ends so; it takes in what its modules import, unless an earlier one has it. */
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

/** Files of the first page, which are there before anything is deferred. */
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
      // The groups decide where a module lies: a dynamic import of one that comes with a later group still fetches it then.
      checks: { ineffectiveDynamicImport: false },
      // The libraries of every page are one file, which stays cached over versions of the portal.
      output: { codeSplitting: { groups: [{ ...libraries, priority: groups.length + 1 }, ...groups] } },
    },
  },
  // Workers are modules, too, with parts that they fetch themselves.
  worker: { format: 'es' },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/api', '/openapi.json', '/config.json', '/healthz', '/readyz'].map((path) => [path, api])),
  },
})
