import { type Availability, availability, notOffered } from '#kernel/availability.ts'
import { bulkOf, type Command } from '#kernel/command.ts'
import { bulkable, type DryRun, dryRun, localLimit, maxValidated } from '#kernel/dry-run.ts'
import type { Selection, CommandContext } from '#kernel/command-context.ts'

/** Whether a command can run over several records; `validated` has the result per record, if all of them are loaded. */
export interface OverSeveral {
  state: Availability
  validated: DryRun | null
}

/** Checks a command against the selected records; `rows` are the loaded ones. */
export function overSeveral(
  command: Command,
  { ids, filter, count }: Pick<Selection, 'ids' | 'filter' | 'count'>,
  rows: readonly unknown[],
  context: CommandContext,
): OverSeveral {
  const off = (sentence: string): OverSeveral => ({ state: { state: 'off', sentence }, validated: null })
  const general = availability(command, context)
  if (general.state === 'locked' || (general.state === 'off' && general.sentence === notOffered))
    return { state: general, validated: null }
  const together = bulkOf(command)?.together
  if (!together && !bulkable(command)) return off(`Select a single ${command.on?.one}.`)
  // If everything that matches a filter is loaded, each row is known.
  const whole = filter !== null && !(together && count === ids.length)
  if (together && (whole || ids.length > localLimit)) return off(`Select at most ${localLimit} ${command.on?.many}.`)
  if (whole || rows.length < ids.length || rows.length > maxValidated) return { state: { state: 'ready' }, validated: null }
  const validated = dryRun(command, rows, context)
  const { eligible, reasons } = validated
  if (!eligible.length) return off(reasons[0]?.sentence ?? 'Not possible now.')
  const refusal = together?.(eligible)
  return refusal ? off(refusal.sentence) : { state: { state: 'ready' }, validated }
}
