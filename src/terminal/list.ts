import { type Filter, type FilterSetting, filterQuery, filtersTaken } from '#contract/filter.ts'
import { namedViews } from '#contract/named-views.ts'
import { listSharedViews, type SharedViews } from '#contract/shared-views.ts'
import { listViews, type SavedViews } from '#contract/views.ts'
import { maxTargets } from '#contract/runs.ts'
import { may, type Need } from '#domain/permissions.ts'
import { wholeNumber } from '#domain/text.ts'
import { lockedTo } from '#kernel/availability.ts'
import type { CommandContext } from '#kernel/command-context.ts'
import { searchParameter } from '#kernel/capabilities.ts'
import type { AnyEntity } from '#kernel/entity.ts'
import { recordNamed } from '#kernel/filter-records.ts'
import { readFilterWords } from '#kernel/filter-words.ts'
import { fold } from '#kernel/fold.ts'
import { valuesNamed } from '#kernel/sentence/list-records.ts'
import { excludes } from '#kernel/sentence/meaning-words.ts'
import { nextPlace, placeQuery } from '#kernel/list-pages.ts'
import { pluralize } from '#kernel/pluralize.ts'
import { spanOf } from '#portal/format/date-words.ts'
import { filterText } from '#portal/format/filter-text.ts'
import { columnsOf, printTable } from '#terminal/table.ts'
import type { ListPane } from '#portal/list/panes.ts'
import type { Connection } from '#terminal/connection.ts'
import type { Flags } from '#terminal/invocation.ts'
import { maxOffered, onceKnown } from '#terminal/named.ts'
import { entityByName, listOf } from '#terminal/registry.ts'
import { type Exit, Stop, stopBy } from '#terminal/stop.ts'
import type { Streams } from '#terminal/streams.ts'
import { listSaid } from '#terminal/words.ts'

/** Rows of a page, and of a list without another limit. */
const pageSize = 200
const shownRows = 50

/** What a list is narrowed to, as in its address. */
interface Narrowed {
  set: readonly FilterSetting[]
  q: string
  sort: string | null
  order: 'asc' | 'desc' | null
  /** How many of its first rows are asked for. */
  count?: number | undefined
  /** Names of the records that a filter was given by, by its id. */
  called?: Readonly<Record<string, string>>
}

interface ListOptions {
  connection: Connection
  streams: Streams
  flags: Flags
}

/** The filters of a list that the person may use and the API supports. */
const filtersOf = ({ filters, list }: AnyEntity, { held, supports }: CommandContext): Filter[] =>
  filtersTaken(filters, (name) => supports(list, name)).filter(({ needs }) => !needs || may(held, needs) === 'yes')

/** The filters, search and order in an address. Unknown filters are refused: without them the list would have other rows. */
export function narrowedBy(entity: AnyEntity, search: URLSearchParams, context: CommandContext): Narrowed {
  const known = filtersOf(entity, context)
  const set = [...search].flatMap(([name, type]): FilterSetting[] => {
    const id = /^(.+)_type$/.exec(name)?.[1]
    if (id === undefined) return []
    const filter = known.find((each) => each.id === id)
    if (!filter?.types.some((each) => each === type)) throw new Stop('refused', 'This list has no such filter.', id)
    return [{ id, type: type as FilterSetting['type'], value: search.get(`${id}_value`) ?? '' }]
  })
  const order = search.get('order')
  return { set, q: search.get('q') ?? '', sort: search.get('sort'), order: order === 'asc' || order === 'desc' ? order : null }
}

/** The view of that name which the person saved, else one that others shared with them; undefined if there is none. */
async function storedView({ path }: AnyEntity, name: string, { client }: Connection): Promise<{ search: string } | undefined> {
  const [saved, shared] = await Promise.all([
    client.supports(listViews) ? client.read(listViews, {}, {}) : null,
    client.supports(listSharedViews) ? client.read(listSharedViews, {}, {}) : null,
  ])
  const views = [...((saved as SavedViews | null)?.views ?? []), ...((shared as SharedViews | null)?.shared_views ?? [])]
  return views.find((view) => view.path === path && fold(view.title) === fold(name))
}

/** The words behind a noun as a view of its list, as filters, or as a text to search for. */
async function narrowedByWords(
  entity: AnyEntity,
  words: string,
  pane: ListPane | null,
  connection: Connection,
): Promise<Narrowed> {
  const { context, me } = connection
  const views = namedViews[entity.path] ?? []
  const view =
    words === ''
      ? views[0]
      : (views.find(({ id, title }) => [fold(id), fold(title)].includes(fold(words))) ??
        (await storedView(entity, words, connection)))
  if (view || words === '') return narrowedBy(entity, new URLSearchParams(view?.search), context)
  const titles = [...(pane?.columns ?? []), ...(pane?.sorts ?? [])].map(({ title }) => fold(title))
  const isSearched = searchParameter(context.supports, entity.list) !== null
  const [meaning] = readFilterWords(words, {
    filters: filtersOf(entity, context),
    titles,
    spanOf: (text, past) => spanOf(text, me.business_date, past),
    searched: isSearched,
    whole: true,
  })
  const inOrder = [`${words} ${entity.many}`, `${entity.many} ${words}`]
  const [said] = meaning?.q === '' ? [] : inOrder.flatMap((text) => listSaid(text, me.business_date, [entity]) ?? [])
  if (said) return { ...narrowedBy(entity, new URL(said.address, 'http://portal').searchParams, context), count: said.count }
  if (!meaning || excludes(meaning.q)) throw new Stop('usage', `Not understood: ${words}`)
  // `active at birch`: the word before a name is no part of it.
  const [lead = '', ...named] = meaning.q.split(' ')
  const q = named.length && /^(?:at|by|for|from|in|of)$/i.test(lead) ? named.join(' ') : meaning.q
  return { ...meaning, q, sort: null, order: null }
}

/** The query of a list. */
function queryOf(
  entity: AnyEntity,
  { set, q, sort, order }: Narrowed,
  pane: ListPane | null,
  { connection, flags }: ListOptions,
): Record<string, string> {
  const { list } = entity
  const { context } = connection
  const takes = (name: string) => context.supports(list, name)
  const query: Record<string, string> = { ...entity.query, ...(q ? { [searchParameter(context.supports, list) ?? 'q']: q } : {}) }
  for (const setting of set) {
    const filter = entity.filters.find(({ id }) => id === setting.id)
    if (filter) Object.assign(query, filterQuery(filter, setting, takes))
  }
  const by = flags.sort ?? sort
  const direction = flags.order ?? order ?? (pane?.newestFirst && !by ? 'desc' : null)
  return { ...query, ...(by ? { sort: by } : {}), ...(direction ? { 'sort-order': direction } : {}) }
}

/** Reads rows until there are enough. */
async function readRows(entity: AnyEntity, query: Record<string, string>, most: number, { client }: Connection) {
  const rows: unknown[] = []
  for (let from: string | null = null; rows.length < most; ) {
    const page = placeQuery(client.supports, entity.list, from, Math.min(pageSize, most - rows.length))
    const answer = await client.read(entity.list, {}, { ...query, ...page })
    rows.push(...entity.rows(answer as never))
    const next = nextPlace(answer as never)
    if (next === null || next === from) return { rows, isWhole: rows.length <= most }
    from = next
  }
  return { rows: rows.slice(0, most), isWhole: false }
}

/** Maximum number of records that a filter is given by one name. */
const maxNamed = 20

/** The records that a filter is given by their name, `employees paused employer birch`: all those with these words in the title. */
async function withNames(entity: AnyEntity, narrowed: Narrowed, { connection }: ListOptions): Promise<Narrowed> {
  const { client, context } = connection
  const named = recordNamed(narrowed.q, filtersOf(entity, context))
  if (!named) return narrowed
  const { filter, words, before } = named
  const noun = entityByName(named.entity)
  const search = searchParameter(context.supports, noun.list)
  if (search === null) throw new Stop('usage', `Not understood: ${narrowed.q}`)
  const answer = await client.read(noun.list, {}, { ...noun.query, [search]: words, limit: String(maxNamed + 1) })
  const found = noun.rows(answer as never)
  const same = found.filter((row) => fold(noun.title(row)) === fold(words))
  const rows = same.length ? same : found
  if (!rows.length) throw new Stop('refused', `No ${noun.one} ${words}, or you have no access.`)
  if (rows.length > maxNamed) throw new Stop('usage', `${words} names more than ${maxNamed} ${noun.many}.`)
  const setting = { id: filter.id, type: 'is', value: rows.map((row) => noun.id(row)).join(',') } as const
  const called = { [filter.id]: rows.map((row) => noun.title(row)).join(', ') }
  return { ...narrowed, q: before, set: [...narrowed.set, setting], called }
}

/**
 * The part of a list that is changed: words that name a record, without its noun, are a filter by it. Stops if several records
 * have such a name: `topaz` as a text would be found in the people of all of them.
 */
async function withOneNamed(entity: AnyEntity, narrowed: Narrowed, { connection }: ListOptions): Promise<Narrowed> {
  const { q, set } = narrowed
  const filters = filtersOf(entity, connection.context)
  const named = q ? await onceKnown(connection, (find) => valuesNamed(q, filters, { find })) : []
  const exact = named.filter(({ isExact }) => isExact)
  const [one, ...others] = exact.length ? exact : named
  if (!one) return narrowed
  const { setting, title, q: rest } = one
  const called = { ...narrowed.called, [setting.id]: title }
  if (exact.length && !others.length) return { ...narrowed, q: rest, set: [...set, setting], called }
  const some = [one, ...others].map((each) => `${each.setting.id} ${each.setting.value}  ${each.title}`)
  throw new Stop('usage', `Which one is “${q}”?`, some.slice(0, maxOffered).join('\n'))
}

/** The ids of all rows in a part of a list, at most as many as a run may have. Says what they are; stops if there is none. */
export async function idsIn(entity: AnyEntity, search: URLSearchParams, options: ListOptions): Promise<string[]> {
  const { connection, streams } = options
  try {
    const named = await withNames(entity, narrowedBy(entity, search, connection.context), options)
    const narrowed = await withOneNamed(entity, named, options)
    const { rows, isWhole } = await readRows(entity, queryOf(entity, narrowed, null, options), maxTargets, connection)
    const words = narrowedText(entity, narrowed)
    if (!rows.length) throw new Stop('refused', `No ${entity.many}${words}.`)
    if (!isWhole) throw new Stop('usage', `This is done to at most ${wholeNumber(maxTargets)} ${entity.many} at a time.`)
    streams.note(`${pluralize(rows.length, entity)}${words}.`)
    return rows.map((row) => entity.id(row))
  } catch (error) {
    throw stopBy(error, `Unable to load ${entity.many}`)
  }
}

/** Prints the rows of a list with its columns. */
export async function printList(entity: AnyEntity, narrowed: Narrowed | string, options: ListOptions): Promise<Exit> {
  const { connection, streams, flags } = options
  const { client, context } = connection
  const { needs } = entity.list
  if (may(context.held, needs as Need<unknown>) === 'no') throw new Stop('locked', lockedTo(context.held, needs as Need<unknown>))
  const pane = await listOf(entity)
  try {
    const wanted =
      typeof narrowed === 'string'
        ? await withNames(entity, await narrowedByWords(entity, narrowed, pane, connection), options)
        : narrowed
    const query = queryOf(entity, wanted, pane, options)
    const most = flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? wanted.count ?? shownRows)
    const { rows, isWhole } = await readRows(entity, query, most, connection)
    if (flags.json) streams.print(JSON.stringify(rows, null, 2))
    else if (flags.ids) for (const row of rows) streams.print(entity.id(row))
    else if (rows.length) printTable(columnsOf(entity, pane, flags.columns), rows, streams)
    const words = narrowedText(entity, wanted)
    if (!rows.length) streams.note(`No ${entity.many}${words}.`)
    else if (isWhole) streams.note(`${wholeNumber(rows.length)} ${rows.length === 1 ? entity.one : entity.many}${words}.`)
    else {
      const { sort: _, 'sort-order': __, include: ___, ...filter } = query
      const counted = entity.count && client.supports(entity.count) ? await client.read(entity.count, {}, filter) : null
      const of = counted ? ` of ${wholeNumber((counted as { count: number }).count)}` : ''
      streams.note(`The first ${wholeNumber(rows.length)}${of} ${entity.many}${words}; --all prints all.`)
    }
    return 'done'
  } catch (error) {
    throw stopBy(error, `Unable to load ${entity.many}`)
  }
}

/** What a list is narrowed to, in words: `, status is Overdue`. */
function narrowedText(entity: AnyEntity, { set, q, called = {} }: Narrowed): string {
  const filters = set.map(({ id, type, value }) => {
    const filter = entity.filters.find((each) => each.id === id) ?? null
    const [is, words] = filterText({ filter, title: filter?.title ?? id, type, value })
    return `${is} ${called[id] ?? words}`
  })
  return [...filters, ...(q ? [`with '${q}'`] : [])].map((each) => `, ${each}`).join('')
}
