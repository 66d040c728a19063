import { may } from '#domain/permissions.ts'
import { wholeNumber } from '#domain/text.ts'
import { changes, type Command, filterOf, groupOf, type Place } from '#kernel/command.ts'
import { favouriteAt } from '#portal/list/favourites.ts'
import { commandRow, fits } from '#portal/palette/command-rows.ts'
import type { Composing } from '#portal/palette/compose.ts'
import { type Example, exampleRows, findExample } from '#portal/palette/examples.ts'
import { byLikelihood, notLocked, possibleFirst, rowsForSelection, selectionGroup, sortedBy } from '#portal/palette/likely.ts'
import { recordRow } from '#portal/palette/record-rows.ts'
import type { CommandRow, Group, PlaceRow, Row } from '#portal/palette/row.ts'
import type { Opening, StartGroups } from '#portal/palette/start.ts'
import { record } from '#portal/records/entity-store.ts'
import { localOf } from '#portal/records/find-locally.ts'

/** Maximum number of rows of an empty palette. */
const maxRows = 12
/** Maximum numbers of its rows by kind. */
const max = { selection: 6, records: 3, commands: 2, attention: 4, favourites: 6 }
/** Numbers of rows that groups get before another one gets more, in this order. Examples are shown together. */
const first = { favourites: 3, recent: 2, examples: 5, attention: 1, places: 1 }
/** Milliseconds to wait for the examples. */
const maxWait = 2_000

const isNavigation = (command: Command): boolean => groupOf(command) === 'Navigation'
const placeOf = (command: Command): Place | null =>
  'place' in command && typeof command.place === 'object' ? command.place : null

const group = (key: string, title: string, rows: readonly Row[]): Group => ({ key, title, note: null, rows })

/**
 * The groups of the empty palette, about this person. What was known when it opened decides them, so that no row moves while it is
 * open.
 */
export function startGroups(input: Composing, opening: Opening, example: Example | null): Group[] {
  const { context, commands, used } = input
  const row = (command: Command) => commandRow(command, context, null)
  const fitting = rowsForSelection(commands, context, used)
  // If not all fit, available commands come first.
  const own = fitting.length <= max.selection ? fitting : possibleFirst(fitting).slice(0, max.selection)
  const rest = commands.filter((command) => !fits(command, context.selection) && groupOf(command) !== 'Favourites')
  const attention = attentionRows(input, opening)
  // Nothing is listed twice.
  const favourites = favouriteRows(input, opening).filter(({ key }) => !own.some((each) => each.key === key))
  const examples = opening.isNew ? [...rest.filter(({ id }) => id === 'view.tour').map(row), ...exampleRows(example)] : []
  const isListed = ({ key }: Row) => [...favourites, ...examples].some((each) => each.key === key)
  const isNoticed = (command: Command) => attention.some(({ address }) => address === placeOf(command)?.address)
  const places = rest.filter((command) => isNavigation(command) && !isNoticed(command))
  const groups = [
    selectionGroup(context, own),
    ...shared(
      [
        group(
          'recent',
          'Recent',
          recentRows(input, opening, rest).filter((each) => !isListed(each)),
        ),
        group('examples', 'Examples', examples),
        group('attention', 'Needs attention', attention),
        group('favourites', 'Favourites', favourites.slice(0, max.favourites)),
        group(
          'places',
          'Go to',
          byUse(places, used)
            .map(row)
            .filter((each) => notLocked(each) && !isListed(each)),
        ),
      ],
      maxRows - own.length,
    ),
  ]
  const left = maxRows - groups.reduce((sum, { rows }) => sum + rows.length, 0)
  const others =
    left > 0
      ? byLikelihood(
          rest.filter((command) => isHarmless(command) && used(command.id) === 0),
          context,
        )
      : []
  const usable = others.map(row).filter((each) => notLocked(each) && each.usable && !isListed(each))
  groups.splice(-1, 0, group('commands', 'Commands', usable.slice(0, left)))
  return groups
}

/** Prepares the empty palette: for somebody new with examples, unless these take too long. */
export async function prepareStart(isNew: boolean, commands: readonly Command[]): Promise<StartGroups> {
  const late = new Promise<null>((resolve) => void setTimeout(resolve, maxWait, null))
  const example = isNew ? await Promise.race([findExample(commands).catch(() => null), late]) : null
  return (input, opening) => startGroups(input, opening, example)
}

const isHarmless = (command: Command): boolean => !changes(command) && !filterOf(command) && !isNavigation(command)

/** Cuts groups to a number of rows in total: each gets its first rows, then those earlier in that order get more. */
function shared(groups: readonly Group[], total: number): Group[] {
  let left = total
  const counts = new Map<string, number>()
  const give = (key: string, atMost: number) => {
    const had = counts.get(key) ?? 0
    const more = Math.min((groups.find((each) => each.key === key)?.rows.length ?? 0) - had, atMost, left)
    left -= more
    counts.set(key, had + more)
  }
  for (const [key, count] of Object.entries(first)) give(key, count)
  for (const key of Object.keys(first)) give(key, total)
  return groups.map((each) => ({ ...each, rows: each.rows.slice(0, counts.get(each.key)) }))
}

/** Places by use, then in the order of the rail. */
const byUse = (places: readonly Command[], used: Composing['used']): Command[] =>
  sortedBy(
    sortedBy(places, (command) => -(placeOf(command)?.order ?? Number.MAX_SAFE_INTEGER)),
    ({ id }) => used(id),
  )

/** Records opened before the palette was, then commands used lately. */
function recentRows({ recent, context, used }: Composing, opening: Opening, rest: readonly Command[]): Row[] {
  const before = new Set(opening.recent.map(({ entity, id }) => `${entity}:${id}`))
  const records = recent.filter(({ key }) => before.has(key))
  const lately = sortedBy(byLikelihood(rest, context), ({ id }) => used(id))
    .filter((command) => used(command.id) > 0 && !isNavigation(command))
    .map((command): CommandRow => commandRow(command, context, null))
  return [...records.slice(0, max.records), ...lately.filter((each) => notLocked(each) && each.usable).slice(0, max.commands)]
}

/** Favourites in the person's order: records that may be read, and commands that the person may run. */
function favouriteRows({ commands, context, entities }: Composing, { favourites, names }: Opening): Row[] {
  return favourites.flatMap((id): Row[] => {
    const command = commands.find((each) => each.id === id)
    const row = command && commandRow(command, context, null)
    if (!row || !notLocked(row)) return []
    const at = favouriteAt(id)
    if (at?.of !== 'record') return [row]
    const entity = entities.find(({ name }) => name === at.entity)
    const name = names.get(`${at.entity}:${at.id}`)
    if (!entity || !name) return []
    const known = record(entity.name, at.id)
    const local = known === undefined ? { id: at.id, record: undefined, ...name } : localOf(entity, known)
    return [{ ...recordRow(entity, local, null), chord: row.chord ?? null }]
  })
}

/**
 * What needs attention with its count: the lines of the dashboard with the counts of the rail, then the other parts of lists that
 * the rail counts.
 */
function attentionRows({ context, commands }: Composing, opening: Opening): PlaceRow[] {
  const { counts } = opening
  const lines = opening.lines.filter(({ needs }) => may(context.held, needs) === 'yes')
  const iconAt = (path: string) => commands.find((command) => placeOf(command)?.address === path)?.icon
  const rows = lines.map(({ address, title, path, count, amount }) => {
    const counted = counts.get(address)
    // The amount belongs to the count that was read with it.
    const note = counted === undefined || counted === count ? amount : null
    return placeRow({ address, title, icon: iconAt(path), count: counted ?? count, note })
  })
  const countOf = (command: Command): number => {
    const place = placeOf(command)
    return place?.counted ? (counts.get(place.address) ?? 0) : 0
  }
  const counted = commands.filter((command) => countOf(command) > 0)
  const others = sortedBy(counted, (command) => -(placeOf(command)?.order ?? 0)).flatMap((command) => {
    const [address, count] = [placeOf(command)?.address ?? '', countOf(command)]
    if (lines.some((line) => line.address === address) || !notLocked(commandRow(command, context, null))) return []
    return [placeRow({ address, title: titleOf(command), icon: command.icon, count, note: null })]
  })
  return [...rows, ...others]
    .filter(({ count }) => count > 0)
    .map(({ row }) => row)
    .slice(0, max.attention)
}

/** 'Failed repayments' for 'Open failed repayments'. */
const titleOf = ({ title }: Command): string => {
  const name = title.replace(/^Open /, '')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

interface Counted {
  address: string
  title: string
  icon: string | undefined
  count: number
  note: string | null
}

const placeRow = ({ address, title, icon = 'warning', count, note }: Counted): { count: number; row: PlaceRow } => ({
  count,
  row: {
    ...{ kind: 'place', key: `place:${address}`, address, icon, title, found: null, tier: 0, usable: true, preselects: true },
    note: [wholeNumber(count), note].filter(Boolean).join(' · '),
  },
})
