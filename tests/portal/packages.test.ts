import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

interface Node {
  type: string
  [key: string]: unknown
}

/** The uses of an import in a source: `Command.Item` rendered as an element, `useForm` or `ky.create` called. */
function uses(path: string): { from: string; drawn: string[]; called: string[] }[] {
  const { program, module } = parseSync(path, readFileSync(path, 'utf8'))
  const local = new Map<string, { from: string; name: string }>()
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { localName, importName, isType } of entries)
      if (!isType) local.set(localName.value, { from: moduleRequest.value, name: importName.name ?? 'default' })
  const found = new Map<string, { drawn: string[]; called: string[] }>()
  /** `a.b.c` as the imported name and the rest. */
  const named = (node: Node): [string, string] | null => {
    if (node.type === 'Identifier' || node.type === 'JSXIdentifier') {
      const from = local.get(node['name'] as string)
      return from ? [from.from, from.name] : null
    }
    if (node.type !== 'MemberExpression' && node.type !== 'JSXMemberExpression') return null
    const object = named(node['object'] as Node)
    return object && [object[0], `${object[1]}.${(node['property'] as Node)['name']}`]
  }
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) return void node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const one = node as Node
    const what =
      one.type === 'CallExpression'
        ? (['called', named(one['callee'] as Node)] as const)
        : one.type === 'JSXOpeningElement'
          ? (['drawn', named(one['name'] as Node)] as const)
          : null
    if (what?.[1]) {
      const [from, name] = what[1]
      const of = found.get(from) ?? { drawn: [], called: [] }
      of[what[0]].push(name)
      found.set(from, of)
    }
    for (const value of Object.values(one)) if (typeof value === 'object') walk(value)
  }
  walk(program.body)
  return [...found].map(([from, of]) => ({ from, ...of }))
}

const sources = globSync([
  'src/{portal,kernel,contract,domain}/**/*.{ts,tsx}',
  'commands/**/*.ts',
  'vite.config.ts',
  'vitest.config.ts',
])
const all = sources.flatMap((path) => uses(path).map((use) => ({ path: path.replaceAll('\\', '/'), ...use })))

/** Files below a folder that render or call something of a package. */
const where = (from: string | RegExp, way: 'drawn' | 'called', name: string, below = ''): string[] =>
  all
    .filter((use) => (typeof from === 'string' ? use.from === from : from.test(use.from)) && use[way].includes(name))
    .map((use) => use.path)
    .filter((path) => path.startsWith(below))

// The purpose of each package, and where it is used for that.
test.each([
  ['react', 'called', 'useState', 'src/portal/'],
  ['react-dom/client', 'called', 'createRoot', 'src/portal/main/main.tsx'],
  ['cmdk', 'drawn', 'Command', 'src/portal/palette/'],
  ['cmdk', 'drawn', 'Command.Item', 'src/portal/palette/'],
  ['jotai', 'called', 'useAtomValue', 'src/portal/'],
  ['jotai/vanilla', 'called', 'atom', 'src/portal/list/'],
  ['ky', 'called', 'default.create', 'src/portal/api/'],
  ['@tanstack/react-virtual', 'called', 'useVirtualizer', 'src/portal/list/grid.tsx'],
  ['react-hook-form', 'called', 'useForm', 'src/portal/form/'],
  ['zod', 'called', 'z.object', 'src/contract/'],
  ['@headlessui/react', 'drawn', 'Dialog', 'src/portal/ui/'],
  ['@headlessui/react', 'drawn', 'Menu', 'src/portal/shell/'],
  ['date-fns', 'called', 'parseISO', 'src/'],
  ['hotkeys-js', 'called', 'default', 'src/portal/'],
  ['vite', 'called', 'defineConfig', 'vite.config.ts'],
  ['vitest/config', 'called', 'defineConfig', 'vitest.config.ts'],
] as const)('[CARD-010] %s: %s %s', (from, way, name, below) => {
  expect(where(from, way, name, below)).not.toEqual([])
})

const textOf = (path: string): string => readFileSync(path, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
const portalSources = globSync('{src/{portal,kernel,contract,domain,entities},commands}/**/*.{ts,tsx}')
const baseNames = (paths: readonly string[]): string[] => paths.map((path) => path.replace(/^.*\//, '')).sort()
const containing = (pattern: RegExp): string[] => portalSources.filter((path) => pattern.test(textOf(path)))

test('[CARD-010] the portal imports the specified packages, and others only for what none of these does', () => {
  const imported = portalSources.flatMap((path) =>
    parseSync(path, readFileSync(path, 'utf8')).module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
  )
  const packages = imported
    .filter((name) => /^[@a-z]/.test(name) && !name.startsWith('virtual:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
  const specifiedPackages = ['react', 'react-dom', 'cmdk', 'jotai', 'ky', '@tanstack/react-virtual', 'react-hook-form', 'zod']
  specifiedPackages.push('@headlessui/react', 'date-fns', 'hotkeys-js')
  const others = {
    '@hookform/resolvers': 'zod for react-hook-form',
    'jotai-location': 'the address for jotai',
    'csv-parse': 'reads CSV',
    'csv-stringify': 'writes CSV',
    'd3-scale': 'scales of a plot',
    'd3-shape': 'lines of a plot',
    fflate: 'packs and unpacks workbooks',
    'lucide-react': 'icons',
    numfmt: 'number formats of a workbook',
    'read-excel-file': 'reads workbooks',
    uqr: 'QR codes',
  }
  expect([...new Set(packages)].sort()).toEqual([...specifiedPackages, ...Object.keys(others)].sort())
})

test('[CARD-010] the API is called through ky alone', () => {
  // The settings, the chunks and the version of the portal itself are files beside the page.
  expect(baseNames(containing(/(?<![.\w])fetch\((?!\))/))).toEqual(['config.ts', 'deferred.ts', 'outdated.ts'])
  expect(containing(/\bXMLHttpRequest\b|\bEventSource\b|\bWebSocket\b|\bsendBeacon\b/)).toEqual([])
})

test('[CARD-010] every form with fields uses react-hook-form, and is validated by zod', () => {
  const forms = containing(/<form\b/)
  // They have no fields: a button each.
  const withoutFields = ['device-link.tsx', 'recovery-codes.tsx']
  const hooks = new Set(where('react-hook-form', 'called', 'useForm').map((path) => path.replace(/^src\/portal/, '#portal')))
  const isHooked = (path: string) =>
    parseSync(path, readFileSync(path, 'utf8')).module.staticImports.some(({ moduleRequest }) => hooks.has(moduleRequest.value))
  expect(baseNames(forms.filter((path) => !isHooked(path)))).toEqual(withoutFields)
  expect(forms.length).toBeGreaterThan(withoutFields.length + 4)
  expect(where('react-hook-form', 'called', 'useForm').filter((path) => !/[rR]esolver/.test(textOf(path)))).toEqual([])
})

test('[CARD-010] dialogs, menus and switches are from Headless UI, rows of the palette from cmdk', () => {
  // The placeholder of the palette while that is loading.
  expect(baseNames(containing(/(?<!\[)role="(alert)?dialog"|<dialog\b/))).toEqual(['waiting-palette.tsx'])
  expect(containing(/(?<!\[)role="(menu|menuitem|switch)"|\bpopover=/)).toEqual([])
  expect(where('@headlessui/react', 'drawn', 'Switch')).toHaveLength(1)
  expect(where('cmdk', 'drawn', 'Command.Item').every((path) => path.startsWith('src/portal/palette/'))).toBe(true)
})

test('[CARD-010] keys of the whole page use hotkeys-js', () => {
  // The others block a key for a moment: Escape while a column is dragged, and typing right after a form was sent.
  expect(baseNames(containing(/(?:window|document)?\.?addEventListener\(\s*'key/))).toEqual([
    'code-form.tsx',
    'column-drag.ts',
    'run-on.ts',
  ])
})

test('every dependency of the product is used by it', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> }
  const text = globSync(['{src,scripts,commands}/**/*.{ts,tsx,mjs}', 'vite.config.ts'])
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  // The runtime itself is no module, and PostgreSQL comes in separate packages, one per system.
  const unused = Object.keys(dependencies).filter(
    (name) => name !== 'node' && !text.includes(`'${name}`) && !text.includes(`@${name}/`),
  )
  expect(unused).toEqual([])
})

test('[CARD-010] tailwindcss creates the style sheet, and elements use its classes', () => {
  expect(readFileSync('src/portal/platform/styles.css', 'utf8')).toMatch(/^@import 'tailwindcss'/m)
  const classes = globSync('src/portal/**/*.tsx').flatMap((path) => [
    ...readFileSync(path, 'utf8').matchAll(/className="([^"]+)"/g),
  ])
  const utilities = classes.filter(([, names = '']) => /(^| )(flex|grid|px-|py-|p-|gap-|text-|w-|h-)/.test(names))
  expect(utilities.length).toBeGreaterThan(50)
})
