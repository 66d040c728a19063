import { mayAlter } from '#kernel/command.ts'
import type { Results, Row } from '#portal/palette/row.ts'

/** Whether Enter on a row may change something. */
const mayChange = (row: Row): boolean => row.kind === 'command' && row.usable && mayAlter(row.command)

/** Two letters are initials of many titles, so they must not preselect an irreversible command. */
const isHinted = (row: Row, text: string): boolean => text.length <= 2 && row.kind === 'command' && row.byInitials && row.final

/**
 * Index of the row that is active before any key moved it: the first one, or -1 for none. The best match of the typed text is
 * active even if it is unavailable: Enter then says why. With nothing typed, a command that changes something is never active,
 * except in the `actions` of a record, whose first row always is: users choose there by counting rows, and nothing is sent
 * without one more Enter.
 */
export function preselect(rows: readonly Row[], text: string, actions = false): number {
  const [best] = rows
  if (!best) return -1
  if (text === '') return actions || (best.preselects && !mayChange(best)) ? 0 : -1
  return (best.preselects && !isHinted(best, text)) || !best.usable ? 0 : -1
}

/** The last highlighted row, with the list and text it was highlighted for. */
export interface HighlightState {
  list: string
  key: string | null
  /** Whether the results were final then. */
  sure: boolean
}

/**
 * Index of the highlighted row after the list changed by itself (an answer arrived, a row was refreshed). A record, or a command
 * on a found record, is highlighted once no answer can come before it, or if it was highlighted before: it must not move under
 * the user (docs/decisions/2026-11-30-palette-ranking.md). The highlight never jumps to another command that changes something:
 * it stays on its row if that is first or changes nothing, else no row has it.
 */
export function highlit(
  { rows, preselected, sure }: Pick<Results, 'rows' | 'preselected' | 'sure'>,
  before: HighlightState | null,
  list: string,
): number {
  const row = rows[preselected]
  if (!row || before?.key === row.key) return preselected
  if (!sure && (row.kind === 'record' || (row.kind === 'command' && row.onFound))) return -1
  if (!mayChange(row) || before?.list !== list || (before.key === null && !before.sure)) return preselected
  const kept = rows.findIndex((each) => each.key === before.key)
  return kept > 0 && mayChange(rows[kept] as Row) ? -1 : kept
}
