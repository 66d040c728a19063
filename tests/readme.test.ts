import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Environment } from '#server/boot/settings.ts'
import { arrows } from '#tests/architecture/arrows.ts'

const readme = readFileSync('README.md', 'utf8')
const { scripts, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages = { ...dependencies, ...devDependencies }

/** A section of the README by its heading, without the sections below it. */
function section(heading: string): string {
  const found = readme.split(/^## /m).find((each) => each.startsWith(heading))
  if (found === undefined) throw new Error(`The README has no section '${heading}'.`)
  return found
}

/** The fenced blocks of a text. */
const blocks = (text: string): string[] => [...text.matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, block]) => block as string)

/** Libraries by the names that prose gives them. */
const libraries = {
  TanStack: '@tanstack/react-virtual',
  'TanStack Query': '@tanstack/react-query',
  'TanStack Virtual': '@tanstack/react-virtual',
  React: 'react',
  Redux: 'redux',
  Jotai: 'jotai',
  cmdk: 'cmdk',
  ky: 'ky',
  Axios: 'axios',
  Tailwind: 'tailwindcss',
  'Headless UI': '@headlessui/react',
  'React Hook Form': 'react-hook-form',
  Zod: 'zod',
  'date-fns': 'date-fns',
  hotkeys: 'hotkeys-js',
  Fastify: 'fastify',
  Kysely: 'kysely',
  Vite: 'vite',
  Vitest: 'vitest',
  Playwright: 'playwright-core',
  Biome: '@biomejs/biome',
  'happy-dom': 'happy-dom',
}

/** The tree of the section 'Project structure' as paths, by the indentation of its lines. */
function mapped(): string[] {
  const paths: string[] = []
  const parents: { indent: number; path: string }[] = []
  for (const line of (blocks(section('Project structure'))[0] as string).split('\n')) {
    const [, space = '', names = ''] = /^( *)((?:[\w.<>-]+\/ ?)+)/.exec(line) ?? []
    if (!names) continue
    while (parents.length > 0 && (parents.at(-1)?.indent ?? 0) >= space.length) parents.pop()
    for (const name of names.trim().split(' ')) {
      const path = posix.join(parents.at(-1)?.path ?? '', name.replace(/<[^>]*>\/?/, ''))
      paths.push(path.replace(/\/$/, ''))
      if (names.trim().split(' ').length === 1) parents.push({ indent: space.length, path })
    }
  }
  return paths
}

describe('the README', () => {
  test('names only scripts of package.json, and explains each one', () => {
    const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
    // `npm start` and `npm test` are the two commands; these are parts of `npm start` and `npm run check`.
    const parts = ['start', 'test', 'build', 'types', 'lint']
    expect(Object.keys(scripts).filter((name) => !named.includes(name) && !parts.includes(name))).toEqual([])
  })

  test('names only libraries that the project has', () => {
    const absent = Object.entries(libraries).filter(([name, id]) => new RegExp(`\\b${name}\\b`).test(readme) && !(id in packages))
    expect(absent).toEqual([])
    const spans = [...readme.matchAll(/`(@[\w-]+\/[\w-]+)`/g)].map(([, name]) => name as string)
    expect(spans.filter((name) => !(name in packages))).toEqual([])
  })

  test('maps every folder of the sources, and no other', () => {
    const paths = mapped()
    expect(paths.length).toBeGreaterThan(30)
    expect(paths.filter((path) => !existsSync(path))).toEqual([])
    const folders = ['src', 'src/portal', 'src/server'].flatMap((parent) =>
      readdirSync(parent, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [`${parent}/${each.name}`] : [])),
    )
    expect(folders.filter((folder) => !paths.includes(folder))).toEqual([])
  })

  test('draws the imports that the architecture test enforces', () => {
    const drawn = new Map<string, Set<string>>()
    const pathOf = (name: string) => (name === 'commands' ? name : `src/${name}`)
    const chains = blocks(section('Project structure')).flatMap((block) =>
      block.split('\n').filter((line) => line.includes('<-')),
    )
    expect(chains.length).toBeGreaterThan(1)
    for (const chain of chains) {
      const below: string[] = []
      for (const step of chain.split('<-')) {
        const names = step.split(',').map((name) => pathOf(name.trim()))
        for (const name of names) drawn.set(name, new Set([...(drawn.get(name) ?? []), ...below]))
        below.push(...names)
      }
    }
    const enforced = [...drawn.keys()].filter((name) => name !== 'src/portal').map((name) => [name, layersOf(name)])
    expect([...drawn].filter(([name]) => name !== 'src/portal').map(([name, below]) => [name, [...below].sort()])).toEqual(
      enforced,
    )
  })

  test('lists every option that the server reads, and no other', () => {
    const listed = [...section('Configuration').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].flatMap(([, names]) =>
      [...(names as string).matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name as string),
    )
    expect(listed.sort()).toEqual(Object.keys(Environment.shape).sort())
  })
})

/** The other layers that a layer may import. */
function layersOf(name: string): string[] {
  const layers = ['src/domain', 'src/contract', 'src/kernel', 'src/entities', 'commands']
  return layers.filter((layer) => layer !== name && arrows[name]?.includes(layer)).sort()
}
