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

/** What a sample would do to the employees of an employer, and why lines of it would be rejected that can be read. */
export type Compared = Pick<Answer, (typeof summed)[number] | 'staff' | 'incremental' | 'similar' | 'doubtful'>

export interface SampleToCompare {
  kind: MappingKind
  statuses: readonly StatusMapping[]
  employerId: number
  answer: Pick<SampleAnswer, 'by' | 'comparable' | 'named'>
  /** Rows of the sample, part by part. */
  lines: SampleReader['lines']
}

/** Asks the server for as many lines as a call carries, one call after the other; null where the question is not asked any more. */
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
  // Lines of another call may name the known one: then the similar one is somebody else.
  const similar = kind === 'EMPLOYEE' ? sum.similar.filter(({ known }) => !identifiers.has(known)) : sum.similar
  return { sum: { ...sum, unknown: sum.unknown + sum.similar.length - similar.length, similar } }
}

/** How many of the staff no line names, not even one that would be rejected. */
export const absentIn = ({ staff, present, similar }: Compared): number =>
  staff - present - new Set(similar.filter((one) => one.staff).map(({ known }) => known)).size

/** What an import of the whole staff would wait for; null where it would not, or where nobody ends by being absent. */
export function waitsFor(sum: Compared, nameless: number): string | null {
  const absent = absentIn(sum)
  const hasChangedCodes = nameless > 0 || sum.doubtful.length > 0
  if (sum.incremental || !(hasChangedCodes ? absent > 0 : asksForDecision(absent, sum.staff))) return null
  return leavesOut(absent, sum.staff, hasChangedCodes)
}
