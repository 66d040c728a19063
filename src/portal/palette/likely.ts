import { wholeNumber } from '#domain/text.ts'
import { type Command, isIrreversible, leadsToChange } from '#kernel/command.ts'
import type { CommandContext, Selection } from '#kernel/command-context.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { chordHere, commandRow, fits } from '#portal/palette/command-rows.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** Whether the person may run the command of a row, possibly not now. */
export const notLocked = (row: CommandRow): boolean => row.state.state !== 'locked'

/**
 * Likelihood of being the next command: changes first, then those with a key here, then views, and last what needs confirmation
 * by typing.
 */
function likelihood(command: Command, context: CommandContext): number {
  if (isIrreversible(command)) return 0
  return 1 + (chordHere(command, context) ? 1 : 0) + (leadsToChange(command) ? 2 : 0)
}

/** Sorted by a score, highest first, which is computed once for each; equal ones keep their order. */
export const sortedBy = <T>(list: readonly T[], scoreOf: (each: T) => number): T[] =>
  list
    .map((each) => ({ each, score: scoreOf(each) }))
    .sort((a, b) => b.score - a.score)
    .map(({ each }) => each)

/** Commands by likelihood, the next one first. */
export const byLikelihood = (list: readonly Command[], context: CommandContext): Command[] =>
  sortedBy(list, (command) => likelihood(command, context))

/** Notes on a row that its command was used recently. */
const markUsed = (row: CommandRow, used: (key: string) => number): CommandRow =>
  used(row.command.id) > 0 ? { ...row, note: [row.note, 'used lately'].filter(Boolean).join(' · ') } : row

/**
 * The commands for the selection, by likelihood. Recent use only adds a note and never moves a row: users choose here by counting
 * rows.
 */
export const rowsForSelection = (
  commands: readonly Command[],
  context: CommandContext,
  used: (key: string) => number,
): CommandRow[] =>
  byLikelihood(
    commands.filter((command) => fits(command, context.selection)),
    context,
  )
    .map((command) => markUsed(commandRow(command, context, null), used))
    .filter(notLocked)

/** The same rows with the available ones first. */
export const possibleFirst = (rows: readonly CommandRow[]): CommandRow[] => [
  ...rows.filter((each) => each.usable),
  ...rows.filter((each) => !each.usable),
]

/** 'On this employee', 'On 3 employees', 'On all 9,880 employees'. */
function selectionTitle({ filter, ids, count }: Selection, { one, many }: AnyEntity): string {
  if (filter) return `On all ${count === null ? '' : `${wholeNumber(count)} `}${many}`
  return ids.length === 1 ? `On this ${one}` : `On ${wholeNumber(ids.length)} ${many}`
}

/** The group of the rows that act on the selection. */
export function selectionGroup({ selection }: CommandContext, rows: readonly CommandRow[]): Group {
  const entity = rows[0]?.command.on
  return { key: 'selection', title: selection && entity ? selectionTitle(selection, entity) : '', note: null, rows }
}
