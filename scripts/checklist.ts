import type { Report } from './report.ts'

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
export const mostIdsOfTitle = 4

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
}

/** Reads the reports of one run. */
export function provedBy(reports: readonly Report[]): Proof {
  const named = new Set<string>()
  const open = new Set<string>()
  const crowded: string[] = []
  for (const test of reports.flatMap((report) => report.testResults.flatMap((file) => file.assertionResults))) {
    const ids = idsIn(test.fullName)
    if (ids.length > mostIdsOfTitle) crowded.push(test.fullName)
    for (const id of ids) {
      named.add(id)
      if (test.status !== 'passed') open.add(id)
    }
  }
  return { proved: new Set([...named].filter((id) => !open.has(id))), named, crowded }
}
