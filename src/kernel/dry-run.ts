import { countReasons } from '#domain/reasons.ts'
import { availability } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** Above this many rows, or over a filter, the server carries a run out. */
export const localLimit = 50

/** Above this many rows, what can be done to each is judged when a command runs, not while it is offered. */
export const maxValidated = 200

/** What a command would do to several rows: said before it runs. */
export interface DryRun {
  eligible: readonly unknown[]
  blocked: readonly { row: unknown; sentence: string }[]
  /** The blocked rows by sentence, most frequent first. */
  reasons: readonly { sentence: string; count: number }[]
}

/** Judges every row by the same rule that a single run asks; `refused` are rows that something else refuses. */
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

/** True for commands that several rows at once make sense of. */
export const bulkable = (command: Command): boolean => changes(command) && command.on !== undefined && command.bulk !== false

/** True for commands that the server can carry out over many rows by itself: one intent, on the row itself. */
export const isOneIntent = (command: Command): boolean =>
  changes(command) && command.on !== undefined && !command.plan && command.does.length === 1
