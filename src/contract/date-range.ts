import type { z } from 'zod'

/** The error in a range of days (`yyyy-MM-dd`, empty for a missing bound); null if it is valid (VAL-001, VAL-002). */
export function rangeProblem(from: string, to: string): string | null {
  if (!from || !to) return 'A date range needs both dates.'
  return to <= from ? 'The end must be after the start.' : null
}

/** The date ranges of a query, as pairs of parameters: `hired-from` and `hired-to`, and the `start` and `end` of the specification. */
const rangesOf = (names: readonly string[]): (readonly [from: string, to: string])[] =>
  names.flatMap((name) => {
    const to = name === 'start' ? 'end' : name.endsWith('-from') && name.replace(/from$/, 'to')
    return to && names.includes(to) ? [[name, to] as const] : []
  })

/**
 * The query schema of a call that refuses a date range with only one bound, or whose end is not after its start (VAL-002). The
 * message belongs to the missing parameter, or to the end.
 */
export function withWholeRanges<Query extends z.ZodObject>(query: Query): Query {
  const ranges = rangesOf(Object.keys(query.shape))
  if (ranges.length === 0) return query
  return query.superRefine((asked, { addIssue }) => {
    for (const [from, to] of ranges) {
      const [start, end] = [asked[from], asked[to]] as (string | undefined)[]
      const message = (start || end) && rangeProblem(start ?? '', end ?? '')
      if (message) addIssue({ code: 'custom', path: [start ? to : from], message })
    }
  })
}
