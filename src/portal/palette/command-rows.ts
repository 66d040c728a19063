import { type Availability, availability, lacksForUndo, reasonOf } from '#kernel/availability.ts'
import {
  changes,
  type Command,
  type CommandGroup,
  filterOf,
  groupOf,
  leadsToChange,
  mayAlter,
  undoable,
} from '#kernel/command.ts'
import { openCommand } from '#kernel/entity.ts'
import { asksFor } from '#kernel/form.ts'
import { type Findable, findableCommand } from '#kernel/findable.ts'
import { type Match, tier } from '#kernel/match.ts'
import { type Finder, finder } from '#kernel/rank.ts'
import { overSeveral } from '#kernel/several.ts'
import type { Selection, CommandContext } from '#kernel/command-context.ts'
import type { CommandRow } from '#portal/palette/row.ts'
import type { Targets } from '#portal/platform/commands.ts'

/** True if a command would be run on the selection. Opening always asks which record. */
export const fits = (command: Command, selection: Selection | null): selection is Selection =>
  selection !== null && command.on?.name === selection.entity && command.id !== openCommand(command.on)

/** A selection as targets of a command. */
export const targetsOf = ({ entity, ids, filter, count }: Selection): Targets => ({ entity, ids, filter, count })

/**
 * A command with its search terms. The name of a list counts as the title of the command that opens it, and a shortcut of several
 * keys, `g e`, as an alias.
 */
function prepared(command: Command): Findable<Command> {
  const { id, title, aliases = [], keys = [] } = command
  const chords = keys.flatMap(({ chord }) => (chord.includes(' ') ? [chord] : []))
  return findableCommand(id, title, command, [...aliases, ...chords], isNavigation(command) ? [listOf(command)] : [])
}

const isNavigation = (command: Command): boolean => groupOf(command) === 'Navigation'
const listOf = ({ title }: Command): string => title.replace(/^Open /, '')

const finders = new WeakMap<readonly Command[], Finder<Command>>()

/** Among matches by initials, commands on records come first: `ci` is Close invoice before Copy id. */
function verbsFirst(hits: readonly Match<Command>[]): Match<Command>[] {
  const late = ({ tier: of, by, item }: Match<Command>) => (of === tier.initials && by === null && !item.of.on ? 1 : 0)
  return [...hits].sort((a, b) => a.tier - b.tier || (a.by === null ? 0 : 1) - (b.by === null ? 0 : 1) || late(a) - late(b))
}

/** Commands that every noun has many of come late: tabs, then filters. */
const lateness = (command: Command): number =>
  (({ Filters: 2, Tabs: 1 }) as Partial<Record<CommandGroup, number>>)[groupOf(command)] ?? 0

/**
 * Finds commands; the index is built once per list of commands. Among equal matches, navigation to a list comes first, tabs and
 * then filters last; the shorter title wins within each.
 */
export function commandFinder(commands: readonly Command[]): Finder<Command> {
  const order = (command: Command) => (isNavigation(command) ? 0 : 1 + lateness(command))
  const known = finders.get(commands)
  if (known) return known
  // A favourite record or view is found itself, in its noun.
  const searched = commands.filter((command) => groupOf(command) !== 'Favourites')
  const items = searched.sort((a, b) => order(a) - order(b) || a.title.length - b.title.length).map(prepared)
  const [find, findOne] = [finder(items), finder(items)]
  /** `approve time entries` finds the command for one, and `work periods` does where nothing matches both words. */
  const withPlurals: Finder<Command> = (typed, ...how) => {
    const hits = verbsFirst(find(typed, ...how))
    const one = typed.replace(/(?<=\w\w)(?:ie)?s(?= |$)/g, (end) => (end === 's' ? '' : 'y'))
    if (one === typed) return hits
    const singular = findOne(one, ...how).filter(({ tier: of, by }) => of <= tier.wordStart && by === null)
    if (hits.some(({ tier: of }) => of < tier.typingError) && !singular.some((hit) => hit.tier <= tier.exactTitle)) return hits
    return [...singular, ...hits.filter(({ item }) => !singular.some((hit) => hit.item === item))]
  }
  finders.set(commands, withPlurals)
  return withPlurals
}

/** Whether a command can be run on the selection, and on how many of its records; `one` is the record of a single selection. */
function validate(command: Command, context: CommandContext): { state: Availability; of: string | null; one?: unknown } {
  const { selection } = context
  if (!fits(command, selection)) return { state: availability(command, context), of: null }
  const [id] = selection.ids
  if (selection.ids.length === 1 && !selection.filter) {
    const one = selection.rows.get(id as string)
    const state = availability(command, context, one)
    return { state: state.state === 'ask' ? { state: 'ready' } : state, of: null, one }
  }
  const rows = [...selection.rows.values()]
  const { state, validated } = overSeveral(command, selection, rows, context)
  return { state, of: validated?.blocked.length ? `${validated.eligible.length} of ${rows.length}` : null }
}

/** Whether the match is not on the title as typed: on an alias, or with a typing error. */
const guessed = (hit: Match<Command> | null): boolean => hit !== null && (hit.by !== null || hit.tier >= tier.typingError)

/** A match inside a word, `tag` in percentage, is weak: such a command comes last, and is never preselected. */
const isInside = (hit: Match<Command>): boolean => Math.floor(hit.tier) === tier.substring
const insideWord = tier.typingError + 1
/** Whether a command matched only inside a word. */
export const isFoundInside = (row: CommandRow): boolean => row.tier >= insideWord

/** True if the command cannot be undone for this record; for a command with a page, once that is saved. */
export const isFinal = (command: Command, one: unknown): boolean => leadsToChange(command) && !undoable(command, one)

/** True if it asks for something before it runs: a target, parameters, or a confirmation. */
export const takesMore = ({ command, state }: CommandRow, context: CommandContext): boolean =>
  state.state === 'ask' || asksFor(command, context)

/** The key of a command in the current context; null if it has none. */
export const chordHere = ({ keys = [] }: Command, { tab }: CommandContext): string | null =>
  keys.find((key) => !key.tab || key.tab === tab)?.chord ?? null

/** What a row shows of a command whatever was typed. */
type Standing = Pick<CommandRow, 'icon' | 'note' | 'usable' | 'final' | 'state' | 'targets' | 'chord'> & {
  /** Whether Enter needs more than an opened palette: it runs an irreversible command, or changes something without a form. */
  onPurpose: boolean
}

/** By context and command: the rows of each text are about the same commands. */
const standings = new WeakMap<CommandContext, Map<Command, Standing>>()

function standingOf(command: Command, context: CommandContext): Standing {
  const known = standings.get(context) ?? new Map<Command, Standing>()
  standings.set(context, known)
  const standing = known.get(command) ?? standingNow(command, context)
  known.set(command, standing)
  return standing
}

function standingNow(command: Command, context: CommandContext): Standing {
  const { state, of, one } = validate(command, context)
  const usable = state.state === 'ready' || state.state === 'ask'
  const final = usable && isFinal(command, one)
  return {
    icon: state.state === 'locked' ? 'lock' : (command.icon ?? 'arrow'),
    note: noteOf(command, state, context, of, final),
    usable,
    final,
    state,
    targets: fits(command, context.selection) ? targetsOf(context.selection) : null,
    chord: chordHere(command, context),
    onPurpose: final || (mayAlter(command) && !asksFor(command, context)),
  }
}

/** One command as a row; `hit` is the match, null if nothing was typed. */
export function commandRow(command: Command, context: CommandContext, hit: Match<Command> | null): CommandRow {
  const { onPurpose, ...standing } = standingOf(command, context)
  const alias = hit?.by ? `also called ${hit.by}` : null
  return {
    kind: 'command',
    key: command.id,
    title: command.title,
    found: alias,
    tier: (hit === null || isInside(hit) ? insideWord : hit.tier) + (alias ? 0.5 : 0),
    preselects: standing.usable && !(hit === null ? onPurpose : isInside(hit) || (mayAlter(command) && guessed(hit))),
    exact: hit !== null && hit.tier < tier.prefix,
    byInitials: hit !== null && Math.floor(hit.tier) === tier.initials,
    command,
    ...standing,
  }
}

function noteOf(
  command: Command,
  state: Availability,
  { pane, held }: CommandContext,
  of: string | null,
  final: boolean,
): string | null {
  if ('sentence' in state) return reasonOf(state)
  const words = [
    of,
    state.state === 'ask' && command.on ? `asks which ${command.on.one}` : null,
    pane && filterOf(command)?.list === pane.entity ? 'a filter on this list' : null,
    // While a record is still asked for, or a page opened, nothing irreversible is about to happen: the page says it at its button.
    final && state.state === 'ready' && changes(command) ? 'cannot be undone' : null,
    lacksForUndo(command, held).length ? 'you cannot undo it' : null,
  ]
  return words.filter((word) => word !== null).join(' · ') || null
}
