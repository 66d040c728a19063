import type { Command } from '#kernel/command.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import type { Finder } from '#kernel/rank.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** Maximum number of commands whose shortcut is offered. */
const maxRows = 8

interface ShortcutInput {
  commands: readonly Command[]
  context: CommandContext
  findCommands: Finder<Command>
  used: (key: string) => number
}

/** The command named in `change shortcut of pause`; null for any other text. */
const commandWords = (whole: string): string | null =>
  /^(?:change|set|edit) (?:the )?(?:shortcut|shortcuts|keys?|key binding)(?: (?:of|for))? (\S.*)$/i.exec(whole.trim())?.[1] ??
  null

/** 'Change shortcut of Pause employee', one row per command that the words name; null if the text is not about a shortcut. */
export function shortcutGroup(whole: string, { commands, context, findCommands, used }: ShortcutInput): Group | null {
  const words = commandWords(whole)
  const change = words === null ? undefined : commands.find(({ id }) => id === 'view.shortcuts')
  if (words === null || !change) return null
  const row = commandRow(change, context, null)
  const rows = findCommands(words, used, maxRows).map(
    ({ item: { of: command }, tier }): CommandRow => ({
      ...row,
      key: `${row.key} ${command.id}`,
      title: `Change shortcut of ${command.title}`,
      note: command.keys?.length ? null : 'none so far',
      tier,
      params: { command: command.id },
      chord: command.keys?.[0]?.chord ?? null,
    }),
  )
  return rows.length ? { key: 'shortcuts', title: 'Shortcuts', note: null, rows } : null
}
