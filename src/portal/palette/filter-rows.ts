import { type Filter, filtersTaken } from '#contract/filter.ts'
import { may } from '#domain/permissions.ts'
import { type Command, filterOf, leadsToChange } from '#kernel/command.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { isReversed, tellsWhen } from '#kernel/filter-comparisons.ts'
import { type RecordNamed, recordNamed } from '#kernel/filter-records.ts'
import {
  type Filtered,
  isTimeAlone,
  type Meaning,
  ofEachDate,
  readFilterWords,
  saysMonthOrDay,
  saysOnlyMonth,
} from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import type { NamedValue } from '#kernel/sentence/list-records.ts'
import { findableCommand } from '#kernel/findable.ts'
import { type Match as Hit, tier } from '#kernel/match.ts'
import { type Finder, finder } from '#kernel/rank.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { likelySet } from '#kernel/suggested-filter.ts'
import { spanOf } from '#portal/format/date-words.ts'
import { filterText } from '#portal/format/filter-text.ts'
import { sortsFor } from '#portal/list/list.ts'
import { panes } from '#portal/list/panes.ts'
import { commandSayings } from '#portal/palette/command-sayings.ts'
import { type ListedSet, setRow, setShown } from '#portal/palette/set-rows.ts'
import { commandRow } from '#portal/palette/command-rows.ts'
import type { CommandRow, Group, RecordRow } from '#portal/palette/row.ts'
import { leadsToTime, saidBeside, timeBeside } from '#kernel/sentence/list-filters.ts'
import { excludes } from '#kernel/sentence/meaning-words.ts'
import { entityOf } from '#kernel/sentence/lists.ts'
import { listsIn, type ListReading, type ParsedQuery } from '#kernel/sentence/reading.ts'
import { today } from '#portal/api/session.ts'

/** Input for the rows that filter the open list. */
export interface FilterInput {
  typed: ParsedQuery
  context: CommandContext
  commands: readonly Command[]
  used: (key: string) => number
}

/** The filters of the open list that the user may use. */
const ownFilters = ({ pane, held }: Pick<CommandContext, 'pane' | 'held'>): readonly Filter[] =>
  allowed(pane?.filters ?? [], held)

const allowed = (filters: readonly Filter[], held: CommandContext['held']): readonly Filter[] =>
  filters.filter(({ needs }) => !needs || may(held, needs) === 'yes')

/**
 * Records named after `/` as filters of the open list: for a named filter, `employer birch`; without one, words that are no other
 * value may be a record of each reference filter, `paused birch`.
 */
export function namedRecords({ mode, text }: ParsedQuery, around: Pick<CommandContext, 'pane' | 'held'>): readonly RecordNamed[] {
  if (mode !== 'filters') return []
  const filters = ownFilters(around)
  const named = recordNamed(text, filters)
  if (named) return [named]
  const [{ set, q: words } = { set: [], q: '' }] = readFilterWords(text, {
    ...{ filters, titles: [], searched: true, spanOf: spanFrom, whole: true },
  })
  // A name has letters, and is neither an exclusion nor a comparison.
  if (!/\p{L}{2}/u.test(words) || /[<>=!]/.test(words) || excludes(words)) return []
  const by = filters.filter(({ id, field }) => field.kind === 'reference' && field.entity && !set.some((each) => each.id === id))
  const before = set.length ? text.replace(words, '').trim() : ''
  return by.map((filter) => ({ filter, entity: filter.field.entity as string, before, words }))
}

/**
 * Combined filters as one row each; none if the list cannot be filtered by value. `record` is the title of the record in the last
 * filter.
 */
function meaningRows({ context, commands, typed }: FilterInput, meanings: readonly Meaning[], record?: string): CommandRow[] {
  const command = commands.find(({ id }) => id === 'filter.set')
  const filters = ownFilters(context)
  return (command ? meanings : []).map((meaning): CommandRow => {
    const { set } = meaning
    return {
      ...commandRow(command as Command, context, null),
      key: JSON.stringify(meaning),
      title: saidOf(meaning, filters, record).join(' · '),
      // A text search ranks after filters; the exact word of a value ranks first, whatever else has that name.
      tier: set.length === 0 ? tier.substring : isValue(typed.text, meaning, filters) ? tier.exactId : tier.prefix,
      params: { ...meaning },
      narrows: meaning,
    }
  })
}

/** The filters and the search of a meaning, as words. */
export function saidOf({ set, q }: Meaning, filters: readonly Filter[], record?: string): string[] {
  const words = set.map((each) => {
    const filter = filters.find(({ id }) => id === each.id) as Filter
    const [is, value] = filterText({ filter, title: filter.title, type: each.type, value: each.value })
    return `${is} ${each === set.at(-1) ? (record ?? value) : value}`
  })
  return [...words, ...(q ? [`Search for “${quoted(q)}”`] : [])]
}

/** Whether a text is exactly the label of the only value. */
function isValue(text: string, { set: [first, ...more], q }: Meaning, filters: readonly Filter[]): boolean {
  const option = filters.find(({ id }) => id === first?.id)?.field.options?.find(({ value }) => value === first?.value)
  return more.length === 0 && q === '' && option !== undefined && fold(option.label) === fold(text)
}

/** The period that words name, relative to today. */
export const spanFrom: Filtered['spanOf'] = (words, past) => spanOf(words, today(), past)

/** A text that could be a comparison of amounts. */
const comparing = /[<>]|(?<!-\d\d?)\.\.|between \$?\d/

/** Maximum number of records of a name that are offered as filters. */
const maxNamed = 3

/** A record with the filter that it would be a value of. */
export interface FilterRecord {
  row: RecordRow
  named: RecordNamed
}

/** The text after `/` as filters by value: `paused raven` in one row. `records` are the matching records, best first. */
export function filterGroup(input: FilterInput, records: readonly FilterRecord[]): Group {
  const { typed, context, commands } = input
  const { pane } = context
  const filters = ownFilters(context)
  const read = (text: string): Meaning[] =>
    pane
      ? readFilterWords(text, {
          filters,
          sayings: commandSayings(filters, commands),
          titles: [...pane.columns, ...pane.sorts].map(({ title }) => title),
          searched: pane.searched,
          spanOf: spanFrom,
        })
      : []
  const byRecords = records.slice(0, maxNamed).flatMap(({ row: { id: value, title }, named }) => {
    // `laurel and paused`: a conjunction between two values is not searched for.
    const joined = named.before.replace(/^(?:and|or) | (?:and|or)$|^(?:and|or)$/gi, '')
    const [before] = joined ? read(joined) : [{ set: [], q: '' }]
    return before
      ? meaningRows(input, [{ ...before, set: [...before.set, { id: named.filter.id, type: 'is', value }] }], title)
      : []
  })
  const own = read(typed.text)
  const isSaid = own[0]?.q === ''
  const meanings = [...(isSaid || !isTimeAlone(typed.text) ? [] : ofEachDate(typed.text, { filters, spanOf: spanFrom })), ...own]
  const amounts = filters.filter(({ field }) => field.kind === 'money').map(({ title }) => title)
  const note =
    !comparing.test(typed.text) || meanings[0]?.set.length
      ? null
      : amounts.length && isReversed(typed.text)
        ? 'The second amount is below the first.'
        : `Amounts to filter by: ${amounts.join(', ') || 'none'}`
  return { key: 'readings', title: 'Filter this list', note, rows: [...byRecords, ...meaningRows(input, meanings)] }
}

/** The matching saved and built-in views of the open list; all of them if nothing was typed. */
export function viewsGroup({ typed, context, commands }: FilterInput): Group {
  const command = commands.find(({ id }) => id === 'list.view')
  const views = command ? (context.pane?.named ?? []) : []
  const typedWords = fold(typed.text)
  const rows = views.flatMap(({ id, title, note }): CommandRow[] => {
    const words = fold(title)
    if (!` ${words}`.includes(` ${typedWords}`)) return []
    const found = words === typedWords ? tier.exactId : tier.prefix
    const row = commandRow(command as Command, context, null)
    return [{ ...row, key: `view ${id}`, title, note: note ?? row.note, tier: found, params: { view: id } }]
  })
  return { key: 'views', title: 'Views of this list', note: null, rows }
}

/** Ranks before everything else: a list accounts for every typed word. */
const aboveAll = -1

export interface ListRowsInput extends Pick<FilterInput, 'typed' | 'context' | 'used'> {
  /** The records that words beside a list name, as values of these filters. */
  valuesNamed: (words: string, filters: readonly Filter[]) => readonly NamedValue[]
  entities: readonly AnyEntity[]
  findCommands: Finder<Command>
}

/** A comparison and everything after it. */
const unclearComparison =
  /(?<!\S)(?:under|over|below|above|(?:less|more|fewer|greater|older|longer|newer) than|at (?:least|most)|between|before|after|since|until|than|[<>]=?)(?!\S).*$/i
/** `as csv`, behind an export. */
const asFormat = /(?:^| )as (?:an? )?(\S+)$/i
/** A value for the form of a command on a set, which asks for it itself: `pause everyone at laurel reason:fraud`. */
const valueOfField = /(?<!\S)(?:\p{L}[\p{L}\d-]*:\s*\S|(?:because|reason)\s).*$/iu
/** Whether a name follows a word for the company of a list: `invoices of birch`. */
const isLed = (name: string, said: string): boolean =>
  ['of', 'at', 'for', 'from'].some((word) => ` ${fold(said)} `.includes(` ${word} ${fold(name)} `))

/** Whether a list can be sorted by a column: one that is masked for the person would be revealed by it. */
function maySortBy({ name }: AnyEntity, sort: string, held: CommandContext['held']): boolean {
  const pane = panes().find(({ entity }) => entity.name === name)
  return !pane || sortsFor(pane, held).some(({ id }) => id === sort)
}

/** What the open list shows, for a verb without other words: `approve all`. Null without a filter that the list itself has. */
function openSet(context: CommandContext, many: string): ListedSet | null {
  const { pane } = context
  const filters = ownFilters(context)
  if (!pane?.path || (!pane.set.length && !pane.q) || pane.set.some(({ id }) => !filters.some((each) => each.id === id)))
    return null
  const search = new URLSearchParams(pane.search)
  if (pane.q) search.set('q', pane.q)
  return { key: 'open', tier: aboveAll, words: [many, ...saidOf(pane, filters)].join(' · '), search }
}

/** What a command named beside a list is for, once the list is open: `employees balance`, `export invoices`. */
function nextNote(command: Command, context: CommandContext): string | null {
  if (!command.on) return commandRow(command, context, null).note
  return `${leadsToChange(command) ? 'mark' : 'choose'} one there, then ${command.title}`
}

/** Lists of one status with more filters or a search: `overdue laurel`, `overdue > 500`, `invoices due today`, `due today`. */
export function showsGroup({ typed, context, entities, findCommands, used, valuesNamed }: ListRowsInput): Group {
  const isOpen = ({ verb }: ListReading) => verb?.on !== undefined && verb.on.name === context.pane?.entity
  // `approve all` is first about the open list.
  const all = listsIn(typed)
  const lists = [...all.filter(isOpen), ...all.filter((each) => !isOpen(each))]
  const shownHere = lists.flatMap((list): CommandRow[] => {
    const isPlain = list.command.id.endsWith('.all') && !list.q && !list.unread
    const entity = list.verb && isPlain && isOpen(list) ? list.verb.on : undefined
    const set = entity && openSet(context, entity.many)
    const row = set && setRow(list.verb as Command, set, entity, context)
    return row ? [row] : []
  })
  // A command with a typing error matches the whole text, where a search matches only the other words: `refnd pending`.
  const [near] = lists.length ? findCommands(typed.said, used, 1) : []
  const rows = lists.flatMap(({ command, q: beside, every, order, verb: then, unread = '' }): CommandRow[] => {
    // A verb for a list, `export invoices`, is not searched for in it, but says what to do there; neither is a period.
    const asked = (words: string) => {
      const [found] = findCommands(words, used, 1)
      const { of: named } = found && found.tier <= tier.prefix ? found.item : { of: undefined }
      const isHere = named?.on ? named.on === entityOf(command, entities) : named?.id.startsWith('list.')
      return isHere ? named : undefined
    }
    const onList = (words: string) => {
      const found = findCommands(words, used, 5).filter(({ tier: of }) => of <= tier.prefix)
      // `remove maria` is no view to remove.
      if (found[0] && leadsToChange(found[0].item.of) && found[0].item.of.on) return undefined
      return found.find(({ item }) => item.of.id.startsWith('list.'))?.item.of
    }
    const [, verb = '', behind = ''] = /^(\S+) (.+)$/.exec(beside) ?? []
    const [, before = '', end = ''] = /^(.+) (\S+)$/.exec(beside) ?? []
    const atStart = unread || verb ? onList(unread || verb) : undefined
    const ofList = atStart ?? (end && !unread ? onList(end) : undefined)
    const [forForm = ''] = (then && valueOfField.exec(beside)) || []
    const said = (ofList && !unread ? (atStart ? behind : before) : beside).replace(forForm, '').trim()
    const [format = '', of = ''] = asFormat.exec(said) ?? []
    const q = of && ofList && onList(of) === ofList ? said.replace(format, '') : said
    const entity = entityOf(command, entities)
    const own = entity ? filtersTaken(allowed(entity.filters, context.held), (name) => context.supports(entity.list, name)) : []
    const time = q.replace(leadsToTime, '')
    if (order && entity && !maySortBy(entity, order.sort, context.held)) return []
    // Of all records somebody may be called May, or have the number 15.
    const mayBeFound = command.id.endsWith('.all') && (saysMonthOrDay.test(time) || !/\p{L}/u.test(time))
    const isUndated = !mayBeFound && spanFrom(time, true) !== null && !tellsWhen(own)
    const sets = isUndated ? [] : saidBeside(q, own, spanFrom, every)
    if (every && !sets.length && !(ofList && every === 'some')) return []
    const done = ofList ?? (isUndated || sets.length ? undefined : asked(q))
    // A negation matches no filter, and no row contains it.
    if (!sets.length && excludes(q)) return []
    const meanings = sets.length ? sets : [{ set: [], q: isUndated || (done && !ofList) ? '' : q }]
    // A search must only contain words that were typed.
    const isTyped = (word: string) => fold(typed.said).includes(fold(word))
    return meanings
      .filter((meaning) => meaning.q.split(' ').every(isTyped))
      .flatMap((read) => {
        // A comparison without an amount is not a name either: `under fifty`.
        const left = read.q.replace(/^(?:and|or) /i, '').replace(leadsToTime, '')
        const isTime = read.set.length > 0 && spanFrom(left, true) !== null
        const beside = isTime || tellsWhen(own) ? null : timeBeside(read.q.split(/\s+/), saysOnlyMonth, spanFrom)
        const timeLeft = isTime ? read.q : (beside?.time ?? null)
        const compared = unclearComparison.exec(read.q)?.[0].trim()
        // `rate over 40` is no name either.
        const unclear = then || unread || /\d/.test(compared ?? '') ? compared : undefined
        const meaning = timeLeft
          ? { ...read, q: beside?.rest ?? '' }
          : unclear
            ? {
                ...read,
                q: read.q
                  .replace(unclearComparison, '')
                  .replace(/(?:^|\s)(?:and|or)\s*$/i, '')
                  .trim(),
              }
            : read
        const notRead = [ofList ? '' : unread, unclear ?? '', forForm].filter(Boolean)
        // Only words that are all in the set may be run on it: `resume everyone paused yesterday` has no such date.
        const isWhole = !notRead.length && timeLeft === null && !isUndated
        const { count } = order ?? {}
        const notes = [
          notRead.length ? `not understood: “${quoted(notRead.join(' … '))}”` : '',
          then ? `mark them there, then ${then.title}` : '',
          count ? `the first ${count} are at the top` : '',
          isUndated || timeLeft ? `no date for “${quoted(timeLeft ?? q)}”` : '',
        ].filter(Boolean)
        const row = commandRow(command, context, null)
        const rowsOf = (narrowed: Meaning, record?: string): CommandRow[] => {
          const shown: CommandRow = {
            ...row,
            key: `${command.id} ${JSON.stringify(narrowed)}${then ? ` ${then.id}` : ''}`,
            title: [command.title, ...saidOf(narrowed, own, record), ...(order ? [order.words] : [])].join(' · '),
            params: { ...narrowed, ...(order ? { sort: order.sort, order: order.order } : {}) },
            note: notes.join(' · ') || (done ? nextNote(done, context) : row.note),
            // A list changes nothing, also one that is only read by people who may change it.
            preselects: row.usable,
            tier: meaning.set.length || order || then ? aboveAll : meaning.q && near ? near.tier + 1 : tier.exactId,
          }
          const all = then && entity && isWhole ? setRow(then, setShown(shown), entity, context) : null
          return all ? [shown, all] : [shown]
        }
        const values = meaning.q ? valuesNamed(meaning.q, own) : []
        const isOnly = values.length === 1 && isLed(meaning.q, typed.said)
        const named = values.map(({ setting, title, isExact, q: besides }) => ({
          rows: rowsOf({ set: [...meaning.set, setting], q: besides }, title),
          isExact: isExact || isOnly,
        }))
        const exact = named.filter(({ isExact }) => isExact)
        // `approve all write-offs` is about those that wait for it.
        const isAll = command.id.endsWith('.all') && !meaning.set.length && !meaning.q
        const isHere = shownHere.some((each) => each.command === then)
        const set = then && isAll && !isHere && isWhole ? likelySet(then, own) : []
        const likely = set.length ? [{ rows: rowsOf({ set, q: '' }) }] : []
        return [...likely, ...exact, { rows: rowsOf(meaning) }, ...named.filter((each) => !exact.includes(each))].flatMap(
          ({ rows }) => rows,
        )
      })
  })
  return { key: 'shows', title: 'Lists', note: null, rows: [...shownHere, ...rows] }
}

/** Rows for filter values without a command: those of a list in a tab whose rows are not a noun themselves. */
export function valueRows(input: FilterInput): CommandRow[] {
  const { context, commands } = input
  const asked = new Set(commands.filter((command) => isFilter(command, context)).map((command) => filterOf(command)?.id))
  const values = ownFilters(context)
    .filter(({ id, types }) => !asked.has(id) && types.includes('is'))
    .flatMap(({ id, field }) => (field.options ?? []).map(({ value }) => ({ id, type: 'is' as const, value })))
  return meaningRows(
    input,
    values.map((each) => ({ set: [each], q: '' })),
  )
}

/** Whether a command sets a filter of the open list. */
export const isFilter = (command: Command, { pane }: CommandContext): boolean =>
  pane !== null && filterOf(command)?.list === pane.entity

/** Filters of the open list, found by their own names: the title of each command includes the name of the list. */
export function findFilters({ typed, context, commands, used }: FilterInput): Hit<Command>[] {
  const named = (command: Command) => context.pane?.filters.find(({ id }) => id === filterOf(command)?.id)?.title ?? command.title
  const filters = commands.filter((command) => isFilter(command, context))
  return finder(filters.map((command) => findableCommand(command.id, named(command), command, [])))(typed.text, used)
}

/** The typed text, at most 60 characters: a pasted page is not repeated in full. */
export function quoted(text: string): string {
  const signs = [...text]
  return signs.length > 60 ? `${signs.slice(0, 59).join('')}…` : text
}
