import { filterOf, leadsToChange, mayAlter } from '#kernel/command.ts'
import { initialsOf } from '#kernel/findable.ts'
import { fold } from '#kernel/fold.ts'
import { abbreviatedAt, tier } from '#kernel/match.ts'
import { commandRow, fits } from '#portal/palette/command-rows.ts'
import type { FilterInput } from '#portal/palette/filter-rows.ts'
import type { CommandRow, Group } from '#portal/palette/row.ts'

/** Rank between a word prefix and a match inside a word. */
const asElsewhere = tier.wordStart + 0.75

/** Rank of an abbreviation, `dnl`: after word matches and before the initials of commands elsewhere. */
const abbreviated = asElsewhere + 0.05

/**
 * Ranks a command for the selected record. A prefix of its title and all of its initials, `pe`, rank right behind an exact title;
 * a verb that changes the record comes before a list or a record with such a name, unless the noun of the record was typed.
 */
export function onSelected(row: CommandRow, typed: string): CommandRow {
  if (row.targets === null || row.found !== null || row.tier <= tier.exactTitle) return row
  const text = fold(typed)
  if (row.tier === tier.prefix && leadsToChange(row.command)) return { ...row, tier: tier.exactTitle + 0.4 }
  if (text.length > 1 && initialsOf(fold(row.title)) === text) return { ...row, tier: tier.exactTitle + 0.5 }
  const isNoun = fold(row.command.on?.one ?? '').startsWith(text)
  const isVerb = row.usable && row.tier === tier.wordStart && leadsToChange(row.command) && !isNoun
  return isVerb ? { ...row, tier: tier.exactTitle + 0.75 } : row
}

/**
 * The rank of a command compared with those for the selection: a command that needs a record of another noun, is not available,
 * or was found by an alias comes after word matches of commands for the selection, unless its exact title was typed.
 */
const weightElsewhere = ({ tier: of, found, state }: CommandRow): number =>
  found === null && (of === tier.exactTitle || state.state === 'ready') ? of : Math.max(of, asElsewhere)

/** The rank of the best command of a group that is not locked. */
const bestAllowed = ({ rows }: Group): number =>
  Math.min(...(rows as CommandRow[]).filter(({ state }) => state.state !== 'locked').map((row) => row.tier + lateness(row)))

/** Commands that explain access are used rarely: they come behind equal matches of the open list. */
const lateness = ({ command }: CommandRow): number => (command.id.startsWith('link.access.') ? 0.5 : 0)

/**
 * Commands for the selection come behind other commands that match better, and before the rest of these
 * (docs/decisions/2026-11-30-palette-ranking.md).
 */
export function aroundOwn([own, others]: Group[]): Group[] {
  if (!own?.rows.length || !others) return [own, others].filter((group) => group !== undefined)
  const best = bestAllowed(own)
  const rows = others.rows as CommandRow[]
  const [ahead, behind] = [rows.filter((row) => weightElsewhere(row) < best), rows.filter((row) => weightElsewhere(row) >= best)]
  return [
    { ...others, rows: ahead },
    own,
    { ...others, key: 'other-commands', title: ahead.length ? 'Other commands' : others.title, rows: behind },
  ]
}

/**
 * The rank of the best row of a group. With a selection a verb outranks somebody's name: a command for it counts as a prefix
 * match where one of its words starts with the typed text.
 */
export function weightOf(group: Group): number {
  const { key, rows } = group
  // A command typed with a name: the record may be a weak match.
  if (key === 'done-to') return tier.exactId
  // What was not understood may be said otherwise.
  if (key === 'sentence') return (rows as CommandRow[]).some(({ exact }) => exact) ? tier.exactId : tier.typingError + 1
  if (key === 'also-done') return tier.typingError + 1
  if (key === 'shows') return Math.min(...rows.map((row) => row.tier))
  if (key === 'other-commands') return Math.min(...(rows as CommandRow[]).map(weightElsewhere))
  const own = key === 'selection' ? bestAllowed(group) : tier.exactId
  return own > tier.prefix && own < asElsewhere ? tier.prefix : Math.min(...rows.map((row) => row.tier))
}

/**
 * A command for the selection whose key is the typed letter comes first. Among equal matches, unavailable commands that do not
 * apply to the selection come last, and those that lack a permission; the others keep their order.
 */
export function inOrder(rows: readonly CommandRow[], typed: string): CommandRow[] {
  const late = ({ targets, usable, state }: CommandRow) => (!usable && (targets === null || state.state === 'locked') ? 1 : 0)
  const keyed = ({ targets, usable, chord }: CommandRow) => (targets !== null && usable && chord === typed ? 0 : 1)
  return [...rows].sort((a, b) => keyed(a) - keyed(b) || a.tier - b.tier || late(a) - late(b))
}

/**
 * Adds commands for the selected record that match as an abbreviation, `dnl` for download, if no command has a word that starts
 * so.
 */
export function withAbbreviated(
  { typed: { text }, context, commands }: FilterInput,
  rows: readonly CommandRow[],
): readonly CommandRow[] {
  const { selection } = context
  const found = rows.filter(({ targets }) => targets !== null)
  if (!/^[a-z]{2,5}$/i.test(text) || found.some((row) => row.tier < abbreviated)) return rows
  const others = commands
    .map((command) => ({ command, at: fits(command, selection) ? abbreviatedAt(fold(command.title), fold(text)) : -1 }))
    .filter(({ command, at }) => at !== -1 && !filterOf(command))
    .sort((one, other) => one.at - other.at)
    .map(({ command }) => commandRow(command, context, null))
    .map((row) => ({ ...row, tier: abbreviated, preselects: row.usable && !mayAlter(row.command) }))
  return [...rows.filter((row) => !others.some(({ command }) => command === row.command)), ...others]
}
