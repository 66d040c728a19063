import { type Report, reportFiles } from './report.ts'

/** A fact of the specification: a row of docs/checklist.tsv. */
export interface Row {
  id: string
  area: string
  requirement: string
}

/** Reads the checklist: id, section, area, requirement, separated by tabs, below a header. */
export const rowsOf = (tsv: string): Row[] =>
  tsv
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [id = '', , area = '', requirement = ''] = line.split('\t')
      return { id, area, requirement }
    })

/** A title with more ids than this claims more than one test can prove. */
export const maxIdsOfTitle = 4

/** The ids in brackets in a test's full name, including its groups: `[EMP-002]`, `[EMP-001, EMP-002]`, `[AUTH-010..012]`. */
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

/** The coverage of the checklist by a run. */
export interface Proof {
  /** Ids named by at least one test, all of which passed: a failed, skipped or todo test leaves the row open. */
  proved: Set<string>
  named: Set<string>
  /** Full names of tests with more than four ids. */
  crowded: string[]
  /** Files without a test in the report, or that failed although none of their tests did: their result is unknown. */
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
 * The output of `npm run spec` for a run, by the report files, and whether it is good. Open rows are only listed unless `check`
 * is set: then they are faults, and so is a missing report, since its results are unknown.
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
