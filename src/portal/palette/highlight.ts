import { leadsToChange } from '#kernel/command.ts'
import { tier } from '#kernel/match.ts'
import type { Results, Row } from '#portal/palette/row.ts'

const changing = (row: Row): boolean => row.kind === 'command' && leadsToChange(row.command)

/** Two letters begin words of many titles: what cannot be undone is not meant by them alone. */
const isHinted = (row: Row, text: string): boolean =>
  text.length <= 2 && row.kind === 'command' && Math.floor(row.tier) === tier.initials && row.final

/** A command whose other name was typed in full is what was meant, though it has to be chosen on purpose. */
const isNamed = (row: Row): boolean => row.kind === 'command' && row.found !== null && row.tier <= tier.exactId + 0.5

/**
 * Index of the row that is active before any key moved it; -1 where it must be chosen on purpose. The best match of what
 * is typed keeps the highlight also where it cannot be done: Enter there says why. Where the first row has to be chosen
 * on purpose, only a command that changes nothing takes its place, and where nothing is typed what can be undone or a thing, too.
 */
export function preselect(rows: readonly Row[], text: string): number {
  const [best] = rows
  if (!best) return -1
  if ((best.preselects && !isHinted(best, text)) || (text !== '' && !best.usable)) return 0
  if (isNamed(best)) return -1
  return rows.findIndex(
    (row) => row.preselects && (text === '' || (!changing(row) && (row.kind === 'command' || row.kind === 'mode'))),
  )
}

/** The row that was highlighted last, and for which list of which text. */
export interface Highlit {
  list: string
  key: string | null
  /** Whether it was sure then: where nothing was, for want of an answer, nothing moves when it comes. */
  sure: boolean
}

/**
 * The highlighted row of a list, which may change by itself (an answer came, a row was refreshed). A thing has the highlight once no
 * answer can come before it, or where it had it for fewer letters: nothing moves under it (D490). It never moves to another command
 * that changes something; then the row before keeps it, or, where that is gone, nothing has it.
 */
export function highlit(
  { rows, preselected, sure }: Pick<Results, 'rows' | 'preselected' | 'sure'>,
  before: Highlit | null,
  list: string,
): number {
  const row = rows[preselected]
  if (!row || before?.key === row.key) return preselected
  if (row.kind === 'thing' && !sure) return -1
  if (!changing(row) || before?.list !== list || (before.key === null && !before.sure)) return preselected
  return rows.findIndex((each) => each.key === before.key)
}
