import { fold } from '#kernel/fold.ts'
import { undoable } from '#kernel/command.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { commandById } from '#portal/platform/registry.ts'
import { isNext } from '#portal/commands/history.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** Maximum number of undoable entries offered. */
const maxRows = 3

/** The words after `undo`; empty if there are none, or for any other text. */
const wordsAfterUndo = (whole: string): string[] =>
  fold(/^undo\s+(.*)/i.exec(whole)?.[1] ?? '')
    .split(' ')
    .filter(Boolean)

/** Whether each word starts a word of the entry: `pause`, `paused sadia`. */
function matchesEntry({ title, sentence }: HistoryEntry, words: readonly string[]): boolean {
  const text = ` ${fold(`${title} ${sentence}`)}`
  return words.every((word) => text.includes(` ${word}`))
}

/** Why an entry can never be undone; null if it may be. */
function whyNever({ command, title, noUndo }: HistoryEntry): string | null {
  if (noUndo) return noUndo
  const known = commandById(command)
  return known && !undoable(known) ? `${title} cannot be undone.` : null
}

/**
 * The undo row names what it undoes. If the words name something, as in `undo pause`, the matching entries are offered instead,
 * newest first; if none matches, the last entry is not preselected. If nothing can be undone, the row says so.
 */
function namedUndo(row: CommandRow, words: readonly string[], done: readonly HistoryEntry[]): CommandRow[] {
  const now = Date.now()
  const left = done.filter((each) => isNext({ ...each, passed: false }, now))
  const can = left.filter((each) => whyNever(each) === null)
  const named = words.length ? can.filter((entry) => matchesEntry(entry, words)) : []
  if (named.length)
    return named
      .slice(0, maxRows)
      .map(({ id, sentence }) => ({ ...row, key: `${row.key} ${id}`, title: `Undo: ${sentence}`, params: { entry: id } }))
  const next = left.find(({ passed }) => !passed)
  const note = next ? (whyNever(next) ?? next.sentence) : 'There is nothing to undo.'
  if (!can.some(({ passed }) => !passed))
    return [{ ...row, note, usable: false, preselects: false, state: { state: 'off', sentence: note } }]
  return [{ ...row, note, preselects: row.preselects && !words.length }]
}

/** The same for all rows of a group; `whole` is the full typed text, if the row was not found by it directly. */
export const withUndo = (group: Group, whole: string, done: readonly HistoryEntry[]): Group => ({
  ...group,
  rows: group.rows.flatMap((row) =>
    row.kind === 'command' && row.command.id === 'session.undo' && row.usable
      ? namedUndo(row, wordsAfterUndo(whole), done)
      : [row],
  ),
})
