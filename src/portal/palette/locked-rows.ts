import type { Command } from '#kernel/command.ts'
import { type AnyEntity, openCommand } from '#kernel/entity.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow } from '#portal/palette/row.ts'
import type { ParsedQuery } from '#kernel/sentence/reading.ts'

interface LockedRow {
  row: CommandRow
  /** Whether the noun was named, by its word or its prefix: a plain number may be something else. */
  named: boolean
}

/** Records that an id may refer to, of nouns without access, as rows with the missing permission: `invoice 40001`, `40001`. */
export function lockedRecords(
  { mode, said, ids }: ParsedQuery,
  commands: readonly Command[],
  entities: readonly AnyEntity[],
  context: CommandContext,
): LockedRow[] {
  if (mode !== 'all' && mode !== 'ids') return []
  return commands.flatMap((command): LockedRow[] => {
    const { on } = command
    if (!on || command.id !== openCommand(on) || entities.includes(on)) return []
    const isNoun = said.toLowerCase().startsWith(`${on.one} `)
    // `repay INV-40058 250` names the record of a noun that may not be read.
    const inSentence = ids.find(({ entity }) => entity === on)?.id
    const id = inSentence ?? (isNoun ? on.ids.read(said.slice(on.one.length + 1).trim()) : on.ids.readAlone(said))
    const row = id === null ? null : commandRow(command, context, null)
    if (row?.state.state !== 'locked') return []
    return [
      {
        row: { ...row, key: `locked:${on.name}`, title: `Open ${on.one} ${id}` },
        named: inSentence !== undefined || isNoun || (on.ids.isSpoken && /^[a-z]/i.test(said)),
      },
    ]
  })
}
