import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { permissionIds } from '#domain/permissions.ts'
import { modulesIn } from '#server/modules-in.ts'
import { temporaryFolders } from '#tests/architecture/source.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const listed = (pattern: string): string[] => globSync(pattern).map((path) => path.replaceAll('\\', '/'))
const documents = ['README.md', ...listed('docs/**/*.md')]
const rules = listed('docs/rules/*.md')
const records = listed('docs/decisions/*.md').filter((path) => !path.endsWith('README.md'))
const code = globSync(['{src,commands,scripts,tests}/**/*.{ts,tsx,mjs,css,sql}'], { exclude: temporaryFolders }).filter(
  (path) => !path.endsWith('docs.test.ts'),
)

const rows = new Set(
  read('docs/checklist.tsv')
    .split('\n')
    .map((line) => line.split('\t')[0]),
)

const areas = [...new Set([...rows].map((id) => id?.split('-')[0]))].filter((area) => /^[A-Z]{2,}$/.test(area ?? ''))
const rowId = new RegExp(`\\b(?:${areas.join('|')})-\\d{3}\\b`, 'g')

/** Citations in a text that do not exist, and citations of documents outside of the repository or without a file. */
function dead(text: string): string[] {
  return [
    ...[...text.matchAll(/\bdocs\/(?:rules|decisions)[\w/.-]*/g)]
      .map(([path]) => path.replace(/[/.]+$/, ''))
      .filter((path) => !existsSync(path)),
    ...[...text.matchAll(/\bD\d+\b(?=[,).;:\]]| and )|\b[Rr]ules \d+/g)].map(([all]) => all),
    ...[...text.matchAll(rowId)].map(([id]) => id).filter((id) => !rows.has(id)),
    ...[...text.matchAll(/\b(?:design|specification|[Dd]ecisions) sections? \d+/g)].map(([all]) => all),
  ]
}

/** A source. Migrations never change, and older ones cite numbers that docs/decisions/README.md explains. */
const cited = (path: string): string =>
  path.includes('migrations') ? read(path).replaceAll(/\((?:D\d+|rules \d+)\)/g, '') : read(path)

test('every decision record is dated, has its four parts, and is in the list of records', () => {
  expect(records.length).toBeGreaterThan(30)
  expect(records.filter((path) => !/\/\d{4}-\d\d-\d\d-[a-z\d-]+\.md$/.test(path))).toEqual([])
  const parts = (path: string) => [...read(path).matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, part]) => part as string)
  const needed = ['Context', 'Decision', 'Alternatives', 'Status']
  expect(records.filter((path) => needed.some((part) => !parts(path).includes(part)))).toEqual([])
  const list = read('docs/decisions/README.md')
  expect(records.filter((path) => !list.includes(`](${posix.basename(path)})`))).toEqual([])
})

test('every file of the rules is in the list of areas', () => {
  expect(rules.length).toBeGreaterThan(10)
  const list = read('docs/rules/README.md')
  expect(
    rules.map((path) => posix.basename(path)).filter((name) => name !== 'README.md' && !list.includes(`](${name})`)),
  ).toEqual([])
})

test('the rules of access name exactly the permissions that the specification does not have', () => {
  const [section = ''] = /^## Permissions\n[\s\S]*?\n\n/m.exec(read('docs/rules/access.md')) ?? []
  const named = [...section.matchAll(/\b(1\d{3})\b(?: and (1\d{3})\b)?/g)].flatMap(([, one, two]) => (two ? [one, two] : [one]))
  const ours = permissionIds.filter((id) => id > 1000).map(String)
  // The section says where these permissions begin before it names them.
  expect(named.slice(1).sort(), 'docs/rules/access.md, Permissions, and src/domain/permissions.ts').toEqual(ours.sort())
})

test('the rules name only calls that the API has', async () => {
  const { endpoints } = collect((await modulesIn(new URL('../src/contract/', import.meta.url))).values())
  const withoutNames = (path: string) => path.replace(/\{\w+\}/g, '{}')
  const existing = new Set(endpoints.map(({ method, path }) => withoutNames(`${method} ${path.slice(1)}`)))
  // `GET, POST imports`, and `POST runs/{id}/stop | retry` for several ends of one path.
  const call = /^([A-Z]+(?:, [A-Z]+)*) ([\w{}/-]+)((?: \| [\w-]+)*)$/
  const named = [...rules, ...records].flatMap((path) =>
    [...read(path).matchAll(/`([^`]+)`/g)].flatMap(([, span]) => {
      const [, methods, first, more = ''] = call.exec(span as string) ?? []
      if (!methods || !first) return []
      const ends = more.split(' | ').slice(1)
      const paths = [first, ...ends.map((end) => first.replace(/[^/]+$/, end))]
      return methods.split(', ').flatMap((method) => paths.map((each) => withoutNames(`${method} ${each}`)))
    }),
  )
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((each) => /^(GET|POST|PUT|PATCH|DELETE) /.test(each) && !existing.has(each))).toEqual([])
})

test('code and documents cite only what is in the repository', () => {
  const found = [...code, ...documents].flatMap((path) => dead(cited(path)).map((what) => `${path}: ${what}`))
  expect(found).toEqual([])
  const citations = code.flatMap((path) => [
    ...read(path).matchAll(/\b(?:docs\/(?:rules|decisions)\/[\w.-]+|[A-Z]{3,5}-\d{3})\b/g),
  ])
  expect(citations.length).toBeGreaterThan(200)
})

test('links in documents lead to existing files', () => {
  const broken = documents.flatMap((path) => {
    const text = read(path)
    const links = [...text.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, to]) =>
      posix.join(posix.dirname(path), to as string),
    )
    const named = [...text.matchAll(/`((?:src|commands|scripts|tests|docs)\/[\w./-]*\.(?:tsx?|mjs|md|tsv|sql|css))`/g)].map(
      ([, to]) => to as string,
    )
    return [...links, ...named].filter((to) => !existsSync(to)).map((to) => `${path}: ${to}`)
  })
  // Files that a newcomer creates by following the text do not exist yet.
  expect(broken.filter((each) => !/00NN|copy-email/.test(each))).toEqual([])
})

test('finds a citation of something that does not exist', () => {
  expect(dead('as D99, rules 2 and docs/rules/nothing.md (INV-999), design section 5')).toEqual([
    'docs/rules/nothing.md',
    'D99',
    'rules 2',
    'INV-999',
    'design section 5',
  ])
  expect(dead('docs/rules/money.md, and INV-019 of docs/decisions.')).toEqual([])
})
