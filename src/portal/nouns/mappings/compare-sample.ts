import type { AnswerOf } from '#contract/define.ts'
import { maxPreviewed, previewMapping } from '#contract/mapping-preview.ts'
import { asksForDecision, leavesOut, type StatusMapping } from '#domain/import.ts'
import type { MappingKind } from '#domain/mapping-fields.ts'
import type { SampleReader } from '#portal/nouns/mappings/read-sample.ts'
import type { SampleAnswer } from '#portal/nouns/mappings/sample-messages.ts'
import { ask } from '#portal/record/ask.ts'

type Answer = AnswerOf<typeof previewMapping>
const summed = [
  'present',
  'others',
  'no_employer',
  'known',
  'changed',
  'ended',
  'unknown',
  'left',
  'as_unknown',
  'not_mapped',
  'unclear',
] as const

/** The effect of a sample on the employees of an employer, and why readable lines of it would be rejected. */
export type Compared = Pick<Answer, (typeof summed)[number] | 'staff' | 'incremental' | 'similar' | 'doubtful'>

export interface SampleToCompare {
  kind: MappingKind
  statuses: readonly StatusMapping[]
  employerId: number
  answer: Pick<SampleAnswer, 'by' | 'comparable' | 'named'>
  /** Returns the rows of the sample in parts. */
  lines: SampleReader['lines']
}

/** Posts the lines to the server in batches; null if the result is no longer wanted. */
export async function compareSample(
  { kind, statuses, employerId, answer: { by, comparable, named }, lines: linesOf }: SampleToCompare,
  wanted: () => boolean,
): Promise<{ sum: Compared } | { problem: string } | null> {
  const zeros = Object.fromEntries(summed.map((name) => [name, 0])) as Pick<Answer, (typeof summed)[number]>
  const sum: Compared = { ...zeros, staff: 0, incremental: false, similar: [], doubtful: [] }
  const identifiers = new Set<string>()
  for (let from = 0; from < Math.max(comparable, named.length); from += maxPreviewed) {
    const { lines } = from < comparable ? await linesOf({ from, count: maxPreviewed }) : { lines: [] }
    if (!wanted()) return null
    const asked = await ask(previewMapping, {
      employer_id: employerId,
      kind,
      by,
      statuses: [...statuses],
      lines,
      named: named.slice(from, from + maxPreviewed),
    })
    if (!wanted()) return null
    if ('problem' in asked) return asked
    const { answer } = asked
    Object.assign(sum, { staff: answer.staff, incremental: answer.incremental })
    for (const name of summed) sum[name] += answer[name]
    for (const { identifier } of lines) identifiers.add(identifier)
    sum.similar.push(...answer.similar)
    sum.doubtful.push(...answer.doubtful)
  }
  // A line of another batch may name the known code: then the similar one is another person.
  const similar = kind === 'EMPLOYEE' ? sum.similar.filter(({ known }) => !identifiers.has(known)) : sum.similar
  return { sum: { ...sum, unknown: sum.unknown + sum.similar.length - similar.length, similar } }
}

/** Number of staff members that no line names, including rejected lines. */
export const absentIn = ({ staff, present, similar }: Compared): number =>
  staff - present - new Set(similar.filter((one) => one.staff).map(({ known }) => known)).size

/** Why a full import would wait for a decision; null if it would not, or if absent people are not terminated. */
export function waitsFor(sum: Compared, nameless: number): string | null {
  const absent = absentIn(sum)
  const hasChangedCodes = nameless > 0 || sum.doubtful.length > 0
  if (sum.incremental || !(hasChangedCodes ? absent > 0 : asksForDecision(absent, sum.staff))) return null
  return leavesOut(absent, sum.staff, hasChangedCodes)
}
