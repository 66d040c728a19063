import { globSync, readFileSync } from 'node:fs'
import { idsIn } from './checklist.ts'
import { titlesIn } from './test-titles.ts'

/** Where each row of the checklist names the tests that prove it; written by `npm run spec -- --record`. */
export const proofsFile = 'docs/proofs.tsv'

/** A test that names a row of the checklist. `title` is empty where the id comes from a table of cases. */
export interface NamedTest {
  id: string
  file: string
  title: string
}

/** The tests of one source that name these rows. */
export function namedTestsIn(file: string, text: string, rows: ReadonlySet<string>): NamedTest[] {
  const titled = titlesIn(file, text).flatMap(({ title }) => idsIn(title).map((id) => ({ id, file, title })))
  const inTitles = new Set(titled.map(({ id }) => id))
  // An id in a table of cases is a string of its own, or stands in brackets in one.
  const inTables = new Set([...text.matchAll(/['[]([A-Z]+-\d{3})['\]]/g)].map(([, id]) => id as string))
  const rest = [...inTables].filter((id) => rows.has(id) && !inTitles.has(id))
  return [...titled.filter(({ id }) => rows.has(id)), ...rest.map((id) => ({ id, file, title: '' }))]
}

/** What the record of proofs has to be now, as text: a line for each row and test, sorted. */
export function proofsOf(rows: readonly { id: string }[]): string {
  const ids = new Set(rows.map(({ id }) => id))
  const lines = globSync('tests/**/*.{test,e2e}.{ts,tsx}')
    .map((path) => path.replaceAll('\\', '/'))
    .flatMap((file) => namedTestsIn(file, readFileSync(file, 'utf8'), ids))
    .map(({ id, file, title }) => [id, file, title.replace(/\s+/g, ' ')].join('\t'))
  return `id\ttest file\ttitle\n${[...new Set(lines)].sort().join('\n')}\n`
}
