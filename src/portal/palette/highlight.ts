import { mayAlter } from '#kernel/command.ts'
import type { Results, Row } from '#portal/palette/row.ts'

/** Whether Enter on a row may change something. */
const mayChange = (row: Row): boolean => row.kind === 'command' && row.usable && mayAlter(row.command)

/** Two letters begin words of many titles: what cannot be undone is not chosen by them alone. */
const isHinted = (row: Row, text: string): boolean => text.length <= 2 && row.kind === 'command' && row.byInitials && row.final

/**
 * Index of the row that is active before any key moved it: the first one, or -1 where it must be chosen on purpose. The best match of
 * what is typed keeps the highlight also where it cannot be done: Enter there says why. Where nothing is typed a command that changes
 * something is never highlighted, except in the list of `actions` on a record, whose first row always is: people choose there by
 * counting rows, and nothing is sent from it without one more Enter.
 */
export function preselect(rows: readonly Row[], text: string, actions = false): number {
  const [best] = rows
  if (!best) return -1
  if (text === '') return actions || (best.preselects && !mayChange(best)) ? 0 : -1
  return (best.preselects && !isHinted(best, text)) || !best.usable ? 0 : -1
}

/** The row that was highlighted last, and for which list of which text. */
export interface Highlit {
  list: string
  key: string | null
  /** Whether it was sure then: where nothing was, for want of an answer, nothing moves when it comes. */
  sure: boolean
}

/**
 * The highlighted row of a list, which may change by itself (an answer came, a row was refreshed). A record, and a command on a record
 * that was found, has the highlight once no answer can come before it, or where it had it for fewer letters: nothing moves under it
 * (D490). It never moves to another command that changes something; then the row before keeps it while it is first or changes
 * nothing, and otherwise nothing has it.
 */
export function highlit(
  { rows, preselected, sure }: Pick<Results, 'rows' | 'preselected' | 'sure'>,
  before: Highlit | null,
  list: string,
): number {
  const row = rows[preselected]
  if (!row || before?.key === row.key) return preselected
  if (!sure && (row.kind === 'record' || (row.kind === 'command' && row.onFound))) return -1
  if (!mayChange(row) || before?.list !== list || (before.key === null && !before.sure)) return preselected
  const kept = rows.findIndex((each) => each.key === before.key)
  return kept > 0 && mayChange(rows[kept] as Row) ? -1 : kept
}
