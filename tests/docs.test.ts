import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { permissionIds } from '#domain/permissions.ts'
import { temporaryFolders } from '#tests/architecture/source.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const documents = ['README.md', ...globSync('docs/*.md')]
const code = globSync(['{src,commands,scripts,tests}/**/*.{ts,tsx,mjs,css,sql}'], { exclude: temporaryFolders }).filter(
  (path) => !path.endsWith('docs.test.ts'),
)

const decisions = [...read('docs/decisions.md').matchAll(/^- (?:\*\*(D\d+)\. )?/gm)].map(([, number]) => number)
const rules = [...read('docs/rules.md').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number as string)
const rows = new Set(
  read('docs/checklist.tsv')
    .split('\n')
    .map((line) => line.split('\t')[0]),
)

const areas = [...new Set([...rows].map((id) => id?.split('-')[0]))].filter((area) => /^[A-Z]{2,}$/.test(area ?? ''))
const rowId = new RegExp(`\\b(?:${areas.join('|')})-\\d{3}\\b`, 'g')

/** Citations in a text that do not exist, and citations of documents outside of the repository. */
function dead(text: string): string[] {
  return [
    ...[...text.matchAll(/\bD(\d+)\b(?=[,).;]| and )/g)].map(([all]) => all).filter((each) => !decisions.includes(each)),
    ...[...text.matchAll(/\b[Rr]ules (\d+)(?: and (\d+))?/g)]
      .flatMap(([, one, two]) => [one, two])
      .flatMap((each) => (each === undefined || rules.includes(each) ? [] : [`rules ${each}`])),
    ...[...text.matchAll(rowId)].map(([id]) => id).filter((id) => !rows.has(id)),
    ...[...text.matchAll(/\b(?:design|specification|[Dd]ecisions) sections? \d+/g)].map(([all]) => all),
  ]
}

test('every decision has a unique number: a new one takes the next free number', () => {
  expect(decisions.filter((number) => number === undefined)).toEqual([])
  expect(decisions.filter((number, at) => decisions.indexOf(number) !== at)).toEqual([])
  expect(decisions.length).toBeGreaterThan(90)
})

test('section 10 of the rules names exactly the permissions that the specification does not have', () => {
  const [section = ''] = /^## 10\. [\s\S]*?\n\n/m.exec(read('docs/rules.md')) ?? []
  const named = [...section.matchAll(/\b(1\d{3})\b(?: and (1\d{3})\b)?/g)].flatMap(([, one, two]) => (two ? [one, two] : [one]))
  const ours = permissionIds.filter((id) => id > 1000).map(String)
  // The section says where these permissions begin before it names them.
  expect(named.slice(1).sort(), 'docs/rules.md, section 10, and src/domain/permissions.ts').toEqual(ours.sort())
})

test('code and documents cite only what is in the repository', () => {
  const found = [...code, ...documents].flatMap((path) => dead(read(path)).map((what) => `${path}: ${what}`))
  expect(found).toEqual([])
  const cited = code.flatMap((path) => [...read(path).matchAll(/\b(?:[Rr]ules \d+|[A-Z]{3,5}-\d{3})\b/g)])
  expect(cited.length).toBeGreaterThan(200)
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
    return [...links, ...(path === 'docs/rules.md' ? [] : named)].filter((to) => !existsSync(to)).map((to) => `${path}: ${to}`)
  })
  // Files that a newcomer creates by following the text do not exist yet.
  expect(broken.filter((each) => !/00NN|copy-email/.test(each))).toEqual([])
})

test('finds a citation of something that does not exist', () => {
  expect(dead('as D99999, and rules 2 and 98 (INV-999), design section 5')).toEqual([
    'D99999',
    'rules 98',
    'INV-999',
    'design section 5',
  ])
  expect(dead('as D1, rules 2 and INV-019')).toEqual([])
})
