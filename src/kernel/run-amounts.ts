import type { AnyIntent } from '#contract/define.ts'
import { type Amounts, sumOf } from '#domain/amounts.ts'
import { formatCents } from '#domain/money.ts'
import { bulkOf, changes, type Command } from '#kernel/command.ts'
import { type DryRun, dryRun, isOneIntent } from '#kernel/dry-run.ts'
import type { CommandContext } from '#kernel/command-context.ts'

/** What a command would do to several rows with these parameters. */
export interface RunForecast extends DryRun {
  /** The total of the eligible rows, for a command about money. */
  amounts: Amounts | null
}

/** The amounts of one row, for a command of a single intent that defines them. */
const amountsOf = (command: Command): AnyIntent['amounts'] =>
  changes(command) && isOneIntent(command) ? command.does[0]?.amounts : undefined

/** The total of the executed rows; undefined if the command is not about money. */
export const sumOver = (command: Command, rows: readonly unknown[], params: Record<string, unknown>): Amounts | undefined =>
  rows.reduce<Amounts | undefined>((sum, row) => {
    const one = amountsOf(command)?.(row, params)
    return sumOf(sum, one && 'moved' in one ? one : undefined)
  }, undefined)

/**
 * Checks every row by the rule of a single run and by the input for all of them; `refused` are rows that are refused for
 * another reason.
 */
export function foretell(
  command: Command,
  rows: readonly unknown[],
  params: Record<string, unknown>,
  context: CommandContext,
  refused: ReadonlyMap<unknown, string> = new Map(),
): RunForecast {
  const not = new Map(refused)
  for (const row of rows) {
    const one = not.has(row) ? undefined : amountsOf(command)?.(row, params)
    if (one && 'sentence' in one) not.set(row, one.sentence)
  }
  const validated = dryRun(command, rows, context, not)
  return { ...validated, amounts: sumOver(command, validated.eligible, params) ?? null }
}

/** Summary of a run in words: the command's own, else the sum. */
export function amountWords(command: Command, params: Record<string, unknown>, amounts: Amounts): string {
  const own = bulkOf(command)?.summary?.(params, amounts)
  return own ?? `${formatCents(amounts.moved)} in all.`
}
