import { type Report, reportFiles } from './report.ts'

/** One fact of the specification: a row of docs/checklist.tsv. */
export interface Row {
  id: string
  area: string
  requirement: string
}

/** Reads the checklist: id, section, area, requirement, separated by tabs below a head. */
export const rowsOf = (tsv: string): Row[] =>
  tsv
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id = '', , area = '', requirement = ''] = line.split('\t')
      return { id, area, requirement }
    })

/** A title that names more rows than this claims more than one test can show. */
export const maxIdsOfTitle = 4

/** The ids that a test's full name, its groups' included, names in brackets: `[EMP-002]`, `[EMP-001, EMP-002]`, `[AUTH-010..012]`. */
export function idsIn(name: string): string[] {
  const ids = new Set<string>()
  for (const [, list = ''] of name.matchAll(/\[([^\]]*)\]/g)) {
    for (const part of list.split(/[\s,;]+/)) {
      const match = /^([A-Z]+)-(\d+)(?:\.\.(?:\1-)?(\d+))?$/.exec(part)
      if (!match) continue
      const [, area, from = '', to = from] = match
      for (let number = Number(from); number <= Number(to); number++) {
        ids.add(`${area}-${String(number).padStart(from.length, '0')}`)
      }
    }
  }
  return [...ids]
}

/** What a run says about the rows of the checklist. */
export interface Proof {
  /** Ids that at least one test names, all of which passed: one that failed, was skipped or is to come leaves the row open. */
  proved: Set<string>
  named: Set<string>
  /** Full names of tests that name more than four ids. */
  crowded: string[]
  /** Files that have no test in the report, or failed although none of their tests did: what they would have shown is not known. */
  broken: string[]
}

/** Reads the reports of one run. */
export function provedBy(reports: readonly Report[]): Proof {
  const named = new Set<string>()
  const open = new Set<string>()
  const crowded: string[] = []
  const files = reports.flatMap((report) => report.testResults)
  const broken = files
    .filter(
      ({ status, assertionResults: tests }) =>
        tests.length === 0 || (status === 'failed' && tests.every((test) => test.status !== 'failed')),
    )
    .map(({ name }) => name)
  for (const test of files.flatMap((file) => file.assertionResults)) {
    const ids = idsIn(test.fullName)
    if (ids.length > maxIdsOfTitle) crowded.push(test.fullName)
    for (const id of ids) {
      named.add(id)
      if (test.status !== 'passed') open.add(id)
    }
  }
  return { proved: new Set([...named].filter((id) => !open.has(id))), named, crowded, broken }
}

export interface SpecOptions {
  area?: string | undefined
  check?: boolean | undefined
  /** Every test file of the project: one that no report has was left out of the run. */
  testFiles?: readonly string[]
  /** Sources changed after the reports were written. */
  stale?: readonly string[]
}

/**
 * What `npm run spec` says of a run, by the files that its reports were read from, and whether that is good. Open rows are only
 * listed, unless they are to be checked: then a report that is missing is as bad, since what it would have shown is not known.
 */
export function validated(
  checklist: string,
  reports: ReadonlyMap<string, Report>,
  { area, check = false, testFiles = [], stale = [] }: SpecOptions = {},
): { lines: string[]; good: boolean } {
  const { proved, named, crowded, broken } = provedBy([...reports.values()])
  const every = rowsOf(checklist)
  const rows = every.filter((row) => !area || row.area === area)
  if (rows.length === 0)
    return { lines: [area ? `The checklist has no area ${area}.` : 'The checklist has no row.'], good: false }
  const open = rows.filter((row) => !proved.has(row.id))
  const lines = [...Map.groupBy(open, (row) => row.area)].flatMap(([name, list]) => [
    `${name} (${list.length})`,
    ...list.map((row) => `  ${row.id}  ${row.requirement}`),
    '',
  ])
  const unknown = [...named].filter((id) => !every.some((row) => row.id === id))
  if (unknown.length > 0) lines.push(`Not in the checklist: ${unknown.join(', ')}`, '')
  const missing = reportFiles.filter((file) => !reports.has(file))
  const reported = [...reports.values()].flatMap(({ testResults }) => testResults.map(({ name }) => name.replaceAll('\\', '/')))
  const filtered = testFiles.filter((file) => !reported.some((name) => name.endsWith(file)))
  lines.push(
    ...crowded.map((name) => `Names more than ${maxIdsOfTitle} rows: ${name}`),
    ...broken.map((file) => `Ran no test, or failed outside of its tests: ${file}`),
    ...missing.map((file) => `There is no ${file}: not every test was run.`),
    ...filtered.map((file) => `Not in the report: ${file}`),
    ...(stale.length > 0 ? [`The report is older than ${stale.length} sources, such as ${stale[0]}. Run npm test again.`] : []),
    `${rows.length - open.length} of ${rows.length} rows have a passing test, ${open.length} have none.`,
  )
  const complete = [open, broken, missing, filtered, stale].every((each) => each.length === 0)
  return { lines, good: unknown.length === 0 && crowded.length === 0 && (complete || !check) }
}
