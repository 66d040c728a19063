import { fold } from '#kernel/fold.ts'
import { tier } from '#kernel/match.ts'
import type { TextRow } from '#portal/palette/row.ts'

/** What may be typed in one line, with an example that Enter puts into the field. */
const examples = [
  ['A command, a record and values', 'pause 100467 suspected fraud'],
  ['A name first, or the command first', 'sadia transactions'],
  ['A question for a value of a record', 'due date of INV-40058'],
  ['A record as a value', 'link maria lind to acme'],
  ['A value for a named field', 'change due date INV-40058 reason:bank holiday'],
  ['A list with filters', 'overdue invoices laurel > 500'],
  ['A command for a set, which is counted first', 'reject write-offs under 50'],
] as const

const rowOf = (title: string, note: string, typed: string): TextRow => ({
  ...{ kind: 'text', key: `example:${title}`, icon: 'search', title, note, found: null, tier: tier.substring },
  ...{ usable: true, preselects: true, text: typed },
})

/** The rows of the help that explain sentences, with these words. */
export function exampleRows(words: string): TextRow[] {
  const rows = [
    ...examples.map(([title, typed]) => rowOf(title, typed, typed)),
    rowOf('Tab completes the next value', 'Shift+Tab goes back, Esc brings back what was typed', '?'),
  ]
  return rows.filter(({ title, note }) => fold(`${title} ${note}`).includes(fold(words)))
}
