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

/** The ids that a test's title names in brackets: `[EMP-002]`, `[EMP-001, EMP-002]`, `[AUTH-010..014]`. */
export function idsIn(title: string): string[] {
  const ids: string[] = []
  for (const [, list = ''] of title.matchAll(/\[([^\]]*)\]/g)) {
    for (const part of list.split(/[\s,;]+/)) {
      const match = /^([A-Z]+)-(\d+)(?:\.\.(?:\1-)?(\d+))?$/.exec(part)
      if (!match) continue
      const [, area, from = '', to = from] = match
      for (let number = Number(from); number <= Number(to); number++) {
        ids.push(`${area}-${String(number).padStart(from.length, '0')}`)
      }
    }
  }
  return ids
}

/** The ids that tests prove: at least one names it and passed, and none that names it failed. */
export function provedBy(reports: readonly Report[]): { proved: Set<string>; named: Set<string> } {
  const passed = new Set<string>()
  const failed = new Set<string>()
  const named = new Set<string>()
  for (const test of reports.flatMap((report) => report.testResults.flatMap((file) => file.assertionResults))) {
    for (const id of idsIn(test.title)) {
      named.add(id)
      if (test.status === 'passed') passed.add(id)
      if (test.status === 'failed') failed.add(id)
    }
  }
  return { proved: new Set([...passed].filter((id) => !failed.has(id))), named }
}
