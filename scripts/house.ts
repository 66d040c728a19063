// npm run house: measures of the code itself, as a table: what it costs a reader who did not write it.
import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { titlesIn } from './test-titles.ts'
import { vocabularyFaults } from './vocabulary.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const linesOf = (text: string): number => text.split('\n').length - 1
const sources = globSync('{src,commands}/**/*.{ts,tsx}').map((path) => path.replaceAll('\\', '/'))

/** Folders of the portal by the folders that they import values from, by `import` and `import()`. */
function portalImports(): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const path of sources.filter((each) => each.startsWith('src/portal/'))) {
    const from = path.split('/')[2] as string
    const found = edges.get(from) ?? new Set<string>()
    edges.set(from, found)
    const add = (specifier: unknown) => {
      const to = typeof specifier === 'string' && /^#portal\/([^/]+)\//.exec(specifier)?.[1]
      if (to && to !== from) found.add(to)
    }
    const { program } = parseSync(path, read(path))
    for (const statement of program.body)
      if (statement.type === 'ImportDeclaration' && statement.importKind !== 'type') {
        const { specifiers } = statement
        const typesOnly = specifiers.length > 0 && specifiers.every((each) => 'importKind' in each && each.importKind === 'type')
        if (!typesOnly) add(statement.source.value)
      }
    new Visitor({ ImportExpression: ({ source }) => source.type === 'Literal' && add(source.value) }).visit(program)
  }
  return edges
}

/** How many nodes of a graph can reach themselves. */
function inCycles(edges: ReadonlyMap<string, ReadonlySet<string>>): number {
  const reached = (start: string): Set<string> => {
    const seen = new Set<string>()
    const open = [...(edges.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(edges.get(next) ?? []))
    }
    return seen
  }
  return [...edges.keys()].filter((each) => reached(each).has(each)).length
}

/** Properties that `defineCommand` takes: those of the interfaces of kernel/command.ts that make up a command. */
function commandProperties(): number {
  const names = new Set<string>()
  for (const statement of parseSync('command.ts', read('src/kernel/command.ts')).program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'TSInterfaceDeclaration' || !['Common', 'Change', 'Move'].includes(declared.id.name)) continue
    for (const member of declared.body.body)
      if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier') names.add(member.key.name)
  }
  return names.size
}

const imports = portalImports()
const texts = [
  ...sources,
  ...globSync(['scripts/**/*.ts', 'tests/**/*.{ts,tsx}', '*.ts', 'docs/**/*.md', 'README.md'], {
    exclude: ['tests/support/sample-*/**'],
  }),
]
const faults = texts.flatMap((path) => vocabularyFaults(path, read(path)))
const titles = globSync('tests/**/*.{test,e2e}.{ts,tsx}').flatMap((path) => titlesIn(path, read(path)))

const measures: [what: string, value: string][] = [
  ['Folders of the portal in a cycle of imports', `${inCycles(imports)} of ${imports.size}`],
  [
    'Lines of src, commands and vite.config.ts',
    String([...sources, 'vite.config.ts'].reduce((sum, path) => sum + linesOf(read(path)), 0)),
  ],
  ['Lines of vite.config.ts', String(linesOf(read('vite.config.ts')))],
  ['Files directly in src/portal/form', String(sources.filter((path) => /^src\/portal\/form\/[^/]+$/.test(path)).length)],
  ['Refused words in code, titles and documents', String(faults.filter((fault) => !fault.includes('title of')).length)],
  ['Test titles over 90 characters, without ids', String(faults.filter((fault) => fault.includes('title of')).length)],
  ['Test titles over 110 characters, with ids', String(titles.filter(({ title }) => title.length > 110).length)],
  ['Properties of a command', String(commandProperties())],
  ['Decision records in docs/decisions', String(globSync('docs/decisions/????-*.md').length)],
  ['Files of rules in docs/rules', String(globSync('docs/rules/*.md', { exclude: ['docs/rules/README.md'] }).length)],
]
for (const [what, value] of measures) console.log(`${what.padEnd(48)}${value}`)
