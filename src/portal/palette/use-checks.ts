import { useMemo } from 'react'
import { availability } from '#kernel/availability.ts'
import { changes, type Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { fits } from '#portal/palette/command-rows.ts'
import type { Results, Row } from '#portal/palette/row.ts'
import { checkFirst } from '#portal/commands/run.ts'
import { useQuery } from '#portal/records/use-query.ts'

/** Refusals by command id that only the server can know, for the selected record. */
export type Checks = ReadonlyMap<string, string>

const nothing: Checks = new Map()

/** While the palette is open, asks the server which commands it would refuse for the selected record. */
export function useChecks(live: boolean, commands: readonly Command[], context: CommandContext): Checks {
  const { selection } = context
  const [id = '', ...more] = selection && !selection.filter ? selection.ids : []
  const record = more.length ? undefined : selection?.rows.get(id)
  const asked = useMemo(
    () =>
      record === undefined || !live
        ? []
        : commands.filter(
            (command) =>
              changes(command) &&
              command.does.some(({ checkedBy }) => checkedBy) &&
              fits(command, selection) &&
              availability(command, context, record).state === 'ready',
          ),
    [live, commands, selection, context, record],
  )
  const check = async (signal: AbortSignal): Promise<Checks> => {
    // Without an answer the command stays available: its form asks again.
    const sentences = await Promise.all(asked.map((command) => checkFirst(command, record, signal).catch(() => null)))
    return new Map(asked.flatMap((command, at) => (sentences[at] ? [[command.id, sentences[at]] as const] : [])))
  }
  const names = asked.map((command) => command.id).join()
  return useQuery(check, names ? [names, record] : null).value ?? nothing
}

/** The results with the commands that the server would refuse disabled in place, each with its reason. */
export function withChecks(results: Results, checks: Checks): Results {
  if (checks.size === 0) return results
  const dimmed = (row: Row): Row => {
    const sentence = row.kind === 'command' && row.targets && !row.onFound ? checks.get(row.command.id) : undefined
    if (row.kind !== 'command' || sentence === undefined || !row.usable) return row
    return { ...row, usable: false, preselects: false, note: sentence, state: { state: 'off', sentence } }
  }
  const groups = results.groups.map((group) => ({ ...group, rows: group.rows.map(dimmed) }))
  return { ...results, groups, rows: groups.flatMap(({ rows }) => rows) }
}
