import type { Filter } from '#contract/filter.ts'
import { type Command, leadsToChange } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import type { HistoryEntry } from '#kernel/history.ts'
import { type Match as Hit, tier } from '#kernel/match.ts'
import { recordNamed } from '#kernel/filter-records.ts'
import type { Finder } from '#kernel/rank.ts'
import { sentenceParts } from '#portal/palette/sentences.ts'
import { sortsGroup } from '#portal/palette/sort-rows.ts'
import { commandRow, isFoundInside } from '#portal/palette/command-rows.ts'
import {
  type FilterInput,
  findFilters,
  isFilter,
  filterGroup,
  showsGroup,
  type FilterRecord,
  namedRecords,
  valueRows,
  viewsGroup,
} from '#portal/palette/filter-rows.ts'
import { withAnswers } from '#portal/palette/facts.ts'
import { preselect } from '#portal/palette/highlight.ts'
import { notLocked, possibleFirst, rowsForSelection, selectionGroup } from '#portal/palette/likely.ts'
import { lockedRecords } from '#portal/palette/locked-rows.ts'
import { whyNotHere } from '#kernel/sentence/own-words.ts'
import { alsoDone, doneTo, withPeople } from '#portal/palette/commands-for-results.ts'
import { aroundOwn, inOrder, onSelected, weightOf, withAbbreviated } from '#portal/palette/order.ts'
import type { CommandRow, Group, Results, Row, RecordRow } from '#portal/palette/row.ts'
import {
  arePeople,
  askRow,
  foundNote,
  isExact,
  maxRecords,
  retryRow,
  similarRows,
  recordRows,
} from '#portal/palette/record-rows.ts'
import { capitalize } from '#domain/text.ts'
import { withRepeat } from '#portal/palette/repeat-rows.ts'
import { shortcutGroup } from '#portal/palette/shortcut-rows.ts'
import { withUndo } from '#portal/palette/undo-rows.ts'
import type { SearchResults } from '#portal/palette/ask.ts'
import type { FindRecord } from '#kernel/sentence/arguments.ts'
import { isQuestion } from '#kernel/sentence/meaning-words.ts'
import type { NamedValue } from '#kernel/sentence/list-records.ts'
import type { Local } from '#portal/records/find-locally.ts'
import { byIdIn, commandsOn, factIn, isInDollars, isOnRecord, type ParsedQuery, sentencesIn } from '#kernel/sentence/reading.ts'

/** Maximum number of recently opened records after `#` or `@`. */
const maxRecent = 12
/** Maximum numbers of commands and of all rows. */
const maxCommands = 20
const maxRows = 50

/** Number of found records from which on no guesses are shown. */
const enoughFound = 3

/** Input of the list. `context.selection` is the chip. */
export interface Composing extends FilterInput {
  findCommands: Finder<Command>
  /** Nouns that the user may search. */
  entities: readonly AnyEntity[]
  findRecords: (entity: AnyEntity, text: string, used: (key: string) => number, max: number) => Hit<Local>[]
  /** Finds the records that names in a sentence stand for; by default the API does. */
  find?: FindRecord
  /** The API's results for the current text; empty while loading. */
  found: SearchResults
  waiting: boolean
  /** True if an empty field lists only commands for the chip. */
  actions?: boolean
  /** Recently opened records, newest first. */
  recent: readonly RecordRow[]
  /** The groups of the empty palette, once these are loaded. */
  start?: ((input: Composing) => Group[]) | undefined
  /** The history of this session, newest first. */
  done?: readonly HistoryEntry[]
}

interface Input extends Composing {
  /** The records that words beside a list name, as values of its filters. */
  valuesNamed: (words: string, filters: readonly Filter[]) => readonly NamedValue[]
  /** The rows of the sentences in the text, for these records. */
  sentences: (records: readonly Group[]) => Group
}

/** Builds the groups of the palette, and determines the preselected row. */
export function compose(given: Composing): Results {
  let isSearching = false
  const searching = () => {
    isSearching = true
  }
  const loadedParts = () => {
    const parts = sentenceParts()
    if (parts === undefined) searching()
    return parts
  }
  const sentences = (records: readonly Group[]): Group => {
    const parts = sentencesIn(given.typed).length ? loadedParts() : null
    return parts?.sentenceGroup(records, { ...given, searching }) ?? { key: 'sentence', title: '', note: null, rows: [] }
  }
  const valuesNamed = (words: string, filters: readonly Filter[]) =>
    loadedParts()?.valuesNamed(words, filters, { find: given.find, searching }) ?? []
  const input: Input = { ...given, sentences, valuesNamed }
  const { typed, done = [] } = input
  const notHere = typed.mode === 'all' ? whyNotHere(typed.said, input.commands) : null
  // Another command with the same words would not do what was asked for.
  if (notHere) return { groups: [], rows: [], preselected: -1, sure: true, empty: notHere }
  const shortcuts = typed.mode === 'all' || typed.mode === 'commands' ? shortcutGroup(typed.said, input) : null
  const groups = (
    shortcuts
      ? [shortcuts]
      : typed.mode === 'help'
        ? (sentenceParts()?.helpGroups(input) ?? [])
        : typed.text === ''
          ? restGroups(input)
          : foundGroups(input)
  )
    .filter((group) => group.rows.length > 0)
    .map((group) => withRepeat(withUndo(group, typed.said === typed.text ? '' : typed.said, done), input.context, done))
  const found = cap(groups)
  const respelled =
    sentenceParts()?.spellingGroup(
      input,
      found.flatMap((group) => group.rows),
    ) ?? null
  const capped = respelled?.rows.length ? [respelled, ...found] : found
  const rows = capped.flatMap((group) => group.rows)
  const best = preselect(rows, typed.text, input.actions)
  // With command words before or behind a record's name, a record that does not support the command is not preselected.
  const isOther = rows[best]?.kind !== 'command' && rows[best]?.kind !== 'text'
  const chosen = commandsOn(typed).length && isOther && factIn(typed) === null ? -1 : best
  const preselected = asksOnly(rows[chosen], typed.said) ? -1 : chosen
  const sure = !(input.waiting || isSearching) || staysFirst(rows[preselected], input)
  const empty = rows.length ? null : (sentenceParts()?.emptySentence(input) ?? 'Loading')
  return { groups: capped, rows, preselected, sure, empty }
}

/** Whether a text asks about the change of a row instead of ordering it; the question of a note is part of the note. */
function asksOnly(row: Row | undefined, said: string): boolean {
  if (row?.kind !== 'command' || !leadsToChange(row.command)) return false
  const isText = Object.values(row.params ?? {}).some((value) => typeof value === 'string' && value.endsWith('?'))
  return isQuestion(isText ? said.replace(/\?\s*$/, '') : said)
}

/** An exact id match is alone or first: only the same id of a noun that ranks before could change that. */
function staysFirst(row: Row | undefined, { typed, entities, found }: Composing): boolean {
  if (row?.kind !== 'record' || !isExact(row, typed)) return false
  const before = entities.slice(0, entities.indexOf(row.entity))
  return typed.ids.every(({ entity }) => {
    const answer = found.ids[entity.name] ?? found.lists[entity.name]
    return !before.includes(entity) || (answer !== undefined && answer.state !== 'waiting')
  })
}

function cap(groups: readonly Group[]): Group[] {
  let left = maxRows
  const capped: Group[] = []
  for (const group of groups) {
    if (left <= 0) break
    capped.push(group.rows.length > left ? { ...group, rows: group.rows.slice(0, left) } : group)
    left -= group.rows.length
  }
  return capped
}

function commandGroups(input: Composing, rows: readonly CommandRow[]): Group[] {
  const [on, others] = [rows.filter((row) => row.targets), rows.filter((row) => !row.targets)]
  return [selectionGroup(input.context, on), { key: 'commands', title: 'Commands', note: null, rows: others }]
}

/** Maximum number of commands beside those for the selection, which are all shown. */
const limited = ([own, others]: Group[]): Group[] =>
  [own, others && { ...others, rows: others.rows.slice(0, maxCommands) }].filter((group) => group !== undefined)

/** The results, or a row for an id that the user has no access to: only that row if its noun was named. */
function foundGroups(input: Input): Group[] {
  const { typed, commands, entities, context } = input
  const locked = lockedRecords(typed, commands, entities, context)
  const named = locked.filter((each) => each.named)
  const found = named.length ? [] : searchGroups(input)
  if (found.some(({ rows }) => rows.some(({ kind }) => kind === 'record'))) return found
  return [...found, { key: 'locked', title: 'Records', note: null, rows: (named.length ? named : locked).map(({ row }) => row) }]
}

function searchGroups(input: Input): Group[] {
  const { typed, context, used } = input
  const { mode, text } = typed
  const recordsAlone = mode === 'ids' || mode === 'people' || typed.only || isOnRecord(typed)
  const commands = recordsAlone
    ? []
    : mode === 'filters'
      ? findFilters(input).map((hit) => plain(commandRow(hit.item.of, context, hit)))
      : inOrder(
          withAbbreviated(
            input,
            input.findCommands(text, used, 200).map((hit) => onSelected(commandRow(hit.item.of, context, hit), text)),
          ),
          text,
        )
  const records = mode === 'commands' || mode === 'filters' ? [] : withAnswers(recordGroups(input), typed, context.held)
  const shows = showsGroup(input)
  const isShown = ({ title }: CommandRow) => shows.rows.some((row) => row.title === title)
  const own = commandGroups(
    input,
    commands.filter((row) => !isFoundInside(row) && !isShown(row)),
  )
  const shownRecords = isOnRecord(typed) ? records.map((group) => ({ ...group, rows: group.rows.slice(0, maxRecords) })) : records
  // The answer to a question comes before the command that changes the value.
  const done = { ...doneTo(records, input), ...(factIn(typed) === null ? {} : { key: 'also-done' }) }
  const groups = [
    ...(mode === 'filters' ? [filterGroup(input, recordsToFilterBy(input)), viewsGroup(input), ...own] : aroundOwn(limited(own))),
    sortsGroup(input),
    ...(isTitled(input) ? [] : [input.sentences(records)]),
    done,
    ...shownRecords,
    shows,
    ...alsoGroups(input),
  ].filter((group) => group.rows.length > 0)
  const [best, ...rest] = groups
    .map((group, index) => ({ group, index, tier: weightOf(group) }))
    .sort((one, other) => one.tier - other.tier || one.index - other.index)
    .map(({ group }) => group)
  const [similar = noGroup] = withAnswers([similarGroup(input, records)], typed, context.held)
  // Matches inside a word are too weak to be the only results.
  const inside = best || similar.rows.length ? commands.filter(isFoundInside).slice(0, maxCommands) : []
  const last: Group = { key: 'inside', title: 'Also with these letters', note: null, rows: inside }
  return best ? [withPeople(best, input), ...rest, similar, last] : [similar, last]
}

const noGroup: Group = { key: 'similar', title: '', note: null, rows: [] }

/** Whether all words of a text without a record name a command: `edit organization configuration` is no value of Edit organization. */
function isTitled({ typed, findCommands, used }: Composing): boolean {
  const isOnSelection = sentencesIn(typed).some(({ about }) => about === 'selection')
  const [best] = isOnSelection ? findCommands(typed.said, used, 1) : []
  return best !== undefined && best.tier < tier.typingError
}

/** Whether a row is a command on a record that was found. */
const isOnFound = (row: Row): boolean => row.kind === 'command' && row.onFound === true

/** Last come records whose name is spelled similarly, or the typed command for them. */
function similarGroup(input: Input, records: readonly Group[]): Group {
  const { typed, found, entities, findRecords, used } = input
  // No other id is similar.
  if (sentencesIn(typed).some(({ about }) => about === 'ids')) return noGroup
  const shown = new Set(records.flatMap(({ rows }) => rows.map(({ key }) => key)))
  // If enough records match, locally known near matches are left out, as by the API.
  const isFound = shown.size >= enoughFound
  const searched = typed.mode !== 'commands' && typed.mode !== 'filters'
  const wanted = entities.filter((entity) => searched && (!typed.only || typed.only.includes(entity.name)))
  const rows = wanted.flatMap((entity) => {
    const local = isFound ? [] : findRecords(entity, typed.text, used, maxRecords)
    return similarRows(entity, found, local, shown).slice(0, maxRecords)
  })
  const people = typed.mode === 'people' ? rows.filter((row) => arePeople([row])) : rows
  const group: Group = { key: 'similar', title: 'Similar names', note: null, rows: people }
  if (!commandsOn(typed).length) return group
  const named = [...input.sentences([group]).rows, ...doneTo([group], input).rows].filter(isOnFound)
  const done = named.map((row) => ({ ...row, preselects: false, exact: false }))
  return { ...group, rows: [...done, ...people] }
}

/** After the matches of a noun's name, commands whose title contains the noun. */
function alsoGroups(input: Composing): Group[] {
  const actions = byIdIn(input.typed)
  if (!actions.length) return []
  const readings = actions.map(({ byId: _, ...each }) => each)
  const typed = { ...input.typed, readings, only: actions.flatMap(({ command: { on } }) => on?.name ?? []) }
  const there = { ...input, typed }
  return [alsoDone(recordGroups(there), there)]
}

const isDoneTo = (entity: AnyEntity, typed: ParsedQuery): boolean => commandsOn(typed).some(({ on }) => on === entity)

/** Records to filter a list by, best first; without the name of a filter only if a word of their title starts with the text. */
function recordsToFilterBy({ typed, context, entities, findRecords, found, used }: Composing): FilterRecord[] {
  const named = namedRecords(typed, context)
  const isNamed = named.length === 1 && recordNamed(typed.text, context.pane?.filters ?? []) !== null
  return named
    .flatMap((each) => {
      const entity = entities.find(({ name }) => name === each.entity)
      if (!entity) return []
      const { words: text } = each
      const rows = recordRows(entity, { ...typed, text }, findRecords(entity, text, used, maxRecords), found, used)
      return rows.filter((row) => isNamed || (row.tier <= tier.wordStart && !row.through)).map((row) => ({ row, named: each }))
    })
    .sort((a, b) => a.row.tier - b.row.tier)
}

function recordGroups(input: Composing): Group[] {
  const { typed, found, used } = input
  const { mode, text } = typed
  const wanted = input.entities.filter((entity) => !typed.only || typed.only.includes(entity.name))
  let each = wanted.map((entity) => ({
    entity,
    rows: recordRows(entity, typed, input.findRecords(entity, text, used, maxRecords), found, used),
  }))
  if (mode === 'people') each = each.filter(({ rows }) => arePeople(rows))
  const isNamed = (row: RecordRow) => {
    // An amount does not match part of a number or a code,
    if (isInDollars(typed.said)) return false
    // and letters within a name do not count beside a command of another noun.
    return !commandsOn(typed).length || row.through || row.tier !== tier.substring || isDoneTo(row.entity, typed)
  }
  each = each.map(({ entity, rows }) => ({ entity, rows: rows.filter(isNamed) }))
  // An id means one record: other ids that start with it or contain it are not shown.
  const exact = each.some(({ rows }) => rows.some((row) => isExact(row, typed)))
  if (exact)
    each = each.map(({ entity, rows }) => {
      const own = rows.filter((row) => isExact(row, typed))
      return { entity, rows: own.length || !typed.only || !isDoneTo(entity, typed) ? own : rows }
    })
  const problemOf = ({ name }: AnyEntity) => found.lists[name]?.problem ?? (exact ? null : found.ids[name]?.problem) ?? null
  const failed = each.filter(({ entity }) => problemOf(entity) !== null)
  const asking = exact ? undefined : typed.ids.find(({ entity }) => wanted.includes(entity))
  const groups = each.map(({ entity, rows }): Group => {
    const list = found.lists[entity.name]
    const looked = found.ids[entity.name]
    const problem = problemOf(entity)
    const misses = looked?.state === 'miss'
    // If the number is found as a phone number or code, that it is no id need not be said.
    const more: Row[] = asking?.entity === entity && !(misses && rows.length) ? [askRow(entity, asking.id, misses)] : []
    if (problem && failed.length === 1) more.push(retryRow(entity, problem))
    return {
      key: entity.name,
      title: capitalize(entity.many),
      note: exact ? null : foundNote(list),
      // A record that supports the command may rank further behind.
      rows: [...rows.slice(0, isOnRecord(typed) ? maxRows : maxRecords), ...more],
    }
  })
  // Several failed searches get one row.
  const [first] = failed
  const all = first && failed.length > 1 ? [retryRow(null, problemOf(first.entity) as string)] : []
  return [...groups, { key: 'failed', title: 'Records', note: null, rows: all }]
}

/** Under the heading 'Filters of this list' the rows need no note. */
const plain = (row: CommandRow): CommandRow => (row.usable ? { ...row, note: null } : row)

/** Results for an empty field: those of the empty palette, or the commands, filters or records of a mode. */
function restGroups(input: Composing): Group[] {
  const { typed, context, commands, used } = input
  const row = (command: Command) => commandRow(command, context, null)
  if (typed.mode === 'commands') {
    const byTitle = [...commands].sort((a, b) => used(b.id) - used(a.id) || a.title.localeCompare(b.title))
    return commandGroups(input, byTitle.map(row).filter(notLocked))
  }
  if (typed.mode === 'filters') {
    const rows = commands
      .filter((command) => isFilter(command, context))
      .map(row)
      .filter(notLocked)
      .map(plain)
    return [
      { key: 'filters', title: 'Filters of this list', note: null, rows: [...rows, ...valueRows(input)] },
      viewsGroup(input),
    ]
  }
  if (typed.mode !== 'all')
    return [{ key: 'recent-records', title: 'Recently opened', note: null, rows: input.recent.slice(0, maxRecent) }]
  if (input.actions && context.selection)
    return [selectionGroup(context, possibleFirst(rowsForSelection(commands, context, used)))]
  return input.start?.(input) ?? []
}
