import type { Command } from '#kernel/command.ts'
import { type Match as Hit, tier } from '#kernel/match.ts'
import type { Finder } from '#kernel/rank.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { FilterInput } from '#portal/palette/filter-rows.ts'
import type { Group, TextRow } from '#portal/palette/row.ts'
import { modes } from '#kernel/sentence/reading.ts'
import { exampleRows } from '#portal/palette/sentence-examples.ts'

interface HelpInput extends FilterInput {
  findCommands: Finder<Command>
}

/** The help: keys with their commands, the characters that select a mode, and examples of sentences. */
export function helpGroups(input: HelpInput): Group[] {
  const { typed, context, used } = input
  const keyed = (command: Command) => (command.keys?.length ?? 0) > 0
  // Shows all keys, including those that work elsewhere.
  const row = (command: Command, hit: Hit<Command> | null) => ({
    ...commandRow(command, context, hit),
    chord: command.keys?.[0]?.chord ?? null,
  })
  const map = (command: Command) => command.keys?.some((key) => key.chord === '?') === true
  const rows = typed.text
    ? input
        .findCommands(typed.text, used, 200)
        .filter((hit) => keyed(hit.item.of))
        .map((hit) => row(hit.item.of, hit))
    : input.commands.filter(keyed).map((command) => row(command, null))
  const narrowing = modes
    .filter((each) => each.mode !== 'help' && each.title.toLowerCase().includes(typed.text.toLowerCase()))
    .map(
      ({ char, title }): TextRow => ({
        kind: 'text',
        key: `mode:${char}`,
        icon: 'search',
        title,
        note: `begin with ${char}`,
        found: null,
        tier: tier.substring,
        usable: true,
        preselects: true,
        text: char,
      }),
    )
  return [
    { key: 'key-map', title: 'Help', note: null, rows: rows.filter((row) => map(row.command)) },
    { key: 'narrowing', title: 'Narrow the search', note: null, rows: narrowing },
    { key: 'sentences', title: 'In one line', note: null, rows: exampleRows(typed.text) },
    { key: 'keys', title: 'Keys', note: null, rows: rows.filter((row) => !map(row.command)) },
  ]
}
