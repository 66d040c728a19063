import type { CommandContext } from '#kernel/command-context.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { repeatedValues, whyNotRepeated } from '#kernel/repeat.ts'
import { commandById } from '#portal/platform/registry.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** The row of the command that repeats becomes the command it repeats, with the values of last time and the chip as its target. */
function namedRepeat(row: CommandRow, context: CommandContext, last: HistoryEntry | undefined): CommandRow {
  const command = last && commandById(last.command)
  const never = last ? whyNotRepeated(command, last) : 'There is nothing to repeat.'
  if (!last || !command || never)
    return { ...row, note: never, usable: false, preselects: false, state: { state: 'off', sentence: never ?? '' } }
  const ids = context.selection?.ids ?? []
  const one = ids.length === 1 ? context.selection?.rows.get(ids[0] as string) : undefined
  const repeated = commandRow(command, context, null)
  return {
    ...repeated,
    key: row.key,
    title: `Repeat: ${command.title}`,
    found: row.found,
    tier: row.tier,
    preselects: repeated.preselects && row.preselects && row.found === null,
    params: repeatedValues(command, last, context, one),
    chord: row.chord,
  }
}

/** The same for all rows of a group; `done` is the history, newest first. */
export const withRepeat = (group: Group, context: CommandContext, [last]: readonly HistoryEntry[]): Group => ({
  ...group,
  rows: group.rows.map((row) =>
    row.kind === 'command' && row.command.id === 'session.repeat' ? namedRepeat(row, context, last) : row,
  ),
})
