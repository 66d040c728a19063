import { countReasons } from '#domain/reasons.ts'
import { availability } from '#kernel/availability.ts'
import { bulkOf, changes, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** With more rows than this, or over a filter, the server executes the run. */
export const localLimit = 50

/** With more rows than this, eligibility is checked when the command runs, not while it is offered. */
export const maxValidated = 200

/** What a command would do to several rows; shown before it runs. */
export interface DryRun {
  eligible: readonly unknown[]
  blocked: readonly { row: unknown; sentence: string }[]
  /** The blocked rows by sentence, most frequent first. */
  reasons: readonly { sentence: string; count: number }[]
}

/** Checks every row by the same rule as a single run; `refused` are rows that are refused for another reason. */
export function dryRun(
  command: Command,
  rows: readonly unknown[],
  context: CommandContext,
  refused: ReadonlyMap<unknown, string> = new Map(),
): DryRun {
  const eligible: unknown[] = []
  const blocked: { row: unknown; sentence: string }[] = []
  for (const row of rows) {
    const state = availability(command, context, row)
    const sentence = 'sentence' in state ? state.sentence : refused.get(row)
    if (sentence !== undefined) blocked.push({ row, sentence })
    else eligible.push(row)
  }
  return { eligible, blocked, reasons: countReasons(blocked.map((each) => each.sentence)) }
}

/** True for commands that make sense for several rows. */
export const bulkable = (command: Command): boolean =>
  changes(command) && command.on !== undefined && command.bulk !== false && !bulkOf(command)?.together

/** True for commands that the server can execute over many rows by itself: one intent, on the row itself. */
export const isOneIntent = (command: Command): boolean =>
  changes(command) && command.on !== undefined && !command.plan && command.does.length === 1
