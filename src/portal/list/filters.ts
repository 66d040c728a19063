import { atom } from 'jotai/vanilla'
import type { AnyEndpoint } from '#contract/define.ts'
import { byPerson, personIdSchema } from '#contract/fields.ts'
import {
  type Filter,
  type FilterSetting,
  type FilterType,
  filterProblem,
  filterQuery,
  isValueless,
  rowsFilter,
  type Takes,
} from '#contract/filter.ts'
import { may } from '#domain/permissions.ts'
import { capitalize } from '#domain/text.ts'
import type { ListDefinition } from '#portal/list/definition.ts'
import { navigate, locationAtom, searchParams } from '#portal/platform/location.ts'
import { capabilitiesAtom, searchedBy } from '#portal/api/capabilities.ts'
import { store } from '#portal/platform/store.ts'

/** Debounce in milliseconds from a filter change to the address (CONST-005). */
export const filterDebounce = 800
/** Debounce in milliseconds from the last letter of a search to its query (CONST-006). */
export const searchDebounce = 500

/** A filter as parsed from the address; one with a problem is shown, but left out of the query. */
export interface ReadFilter {
  id: string
  title: string
  filter: Filter | null
  type: string
  value: string
  problem: string | null
}

// `entity_type` belongs to the notes in the drawer.
const isList = /^(q|sort|order|columns|(?!entity_)[a-z_]+_(type|value))$/

/**
 * The search parameters of one list, without their prefix: not those of a list in a tab, whose names start with the tab and a
 * hyphen, nor the tab of a record, nor a command.
 */
export const ownSearch = (search: URLSearchParams, prefix = ''): URLSearchParams =>
  new URLSearchParams(
    [...search].flatMap(([name, value]): [string, string][] => {
      const own = name.startsWith(prefix) ? name.slice(prefix.length) : ''
      return isList.test(own) ? [[own, value]] : []
    }),
  )

/** The filters in the address (SCR-072), in the order of the list's own filters, then unknown ones. */
export function readFilters(filters: readonly Filter[], search: URLSearchParams, held: ReadonlySet<number>): ReadFilter[] {
  const ids = new Set<string>()
  for (const name of search.keys()) {
    const id = /^(.+)_(?:type|value)$/.exec(name)?.[1]
    if (id) ids.add(id)
  }
  const known = filters.filter((filter) => ids.has(filter.id)).map((filter) => readOne(filter, search, held))
  const unknown = [...ids]
    .filter((id) => !filters.some((filter) => filter.id === id))
    .map((id) => ({
      id,
      title: id,
      filter: null,
      type: search.get(`${id}_type`) ?? '',
      value: search.get(`${id}_value`) ?? '',
      problem: 'This list has no such filter.',
    }))
  return [...known, ...unknown]
}

/** The filter by the ids of the rows of a list; null if its call or that of its noun has none. */
export function rowsFilterOf({ entity, source }: Pick<ListDefinition, 'entity' | 'source'>): Filter | null {
  if (!entity || ![source.endpoint, entity.list].every(({ query }) => 'id' in query.shape)) return null
  return rowsFilter(capitalize(entity.one), entity.name, entity.get.params === byPerson ? personIdSchema : undefined)
}

function readOne(filter: Filter, search: URLSearchParams, held: ReadonlySet<number>): ReadFilter {
  const type = search.get(`${filter.id}_type`) ?? ''
  const value = search.get(`${filter.id}_value`) ?? ''
  return { id: filter.id, title: filter.title, filter, type, value, problem: problemOf(filter, type, value, held) }
}

function problemOf(filter: Filter, type: string, value: string, held: ReadonlySet<number>): string | null {
  if (filter.needs && may(held, filter.needs) !== 'yes') return "You don't have permission to filter by this."
  const problem = filterProblem(filter, { type: type as FilterType, value })
  if (problem) return problem
  if (isValueless(type)) return null
  const parts = value.split(',').map((part) => part.trim())
  const { kind, options } = filter.field
  const strange = parts.find((part) => !options?.some((option) => option.value === part))
  if (kind === 'choices' && strange !== undefined)
    return `There is no ${filter.title.toLowerCase()} ${strange || 'without a name'}.`
  if (value.length > 200 && kind === 'text' && type !== 'one_of') return 'At most 200 characters'
  return null
}

/** The valid filters as settings. */
export const goodFilters = (read: readonly ReadFilter[]): FilterSetting[] =>
  read.filter((each) => !each.problem).map(({ id, type, value }) => ({ id, type: type as FilterType, value }))

/** The query parameters of filters and search. */
export function narrowing(read: readonly ReadFilter[], q: string, list: AnyEndpoint): Record<string, string> {
  const takes: Takes = (name) => store.get(capabilitiesAtom)(list, name)
  const query: Record<string, string> = q.trim() ? { [searchedBy(list) ?? 'q']: q.trim().slice(0, 200) } : {}
  for (const { filter, problem, id, type, value } of read) {
    if (filter && !problem) Object.assign(query, filterQuery(filter, { id, type: type as FilterType, value }, takes))
  }
  return query
}

/** The filter and search parameters of a list, valid or not. */
export const narrowingParams = (search: URLSearchParams): string[] =>
  [...search.keys()].filter((name) => name === 'q' || /_(type|value)$/.test(name))

/** Pending changes of the address (debounced); the list shows them already. */
const draftAtom = atom<Readonly<Record<string, string | null>> | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

/** The search parameters as the list sees them: the address with pending changes. */
export const shownSearchAtom = atom((get) => merged(new URLSearchParams(get(locationAtom).searchParams), get(draftAtom)))

const merged = (search: URLSearchParams, changes: Readonly<Record<string, string | null>> | null): URLSearchParams => {
  for (const [name, value] of Object.entries(changes ?? {})) {
    if (value === null) search.delete(name)
    else search.set(name, value)
  }
  return search
}

/** Applies a change to the list at once, and to the address after `wait` milliseconds without another change. */
export function changeSearch(changes: Readonly<Record<string, string | null>>, wait: number): void {
  store.set(draftAtom, { ...store.get(draftAtom), ...changes })
  clearTimeout(timer)
  if (wait === 0) settleAddress()
  else timer = setTimeout(settleAddress, wait)
}

/** Writes pending changes to the address, as one history entry. Call it before reading or leaving the address. */
export function settleAddress(): void {
  clearTimeout(timer)
  const draft = store.get(draftAtom)
  if (!draft) return
  const search = merged(searchParams(), draft)
  const same = search.toString() === searchParams().toString()
  const { pathname = '/' } = store.get(locationAtom)
  if (!same) navigate(`${pathname}${search.size ? `?${search}` : ''}`)
  store.set(draftAtom, null)
}

/** Drops pending changes: the address was changed by back or forward. */
export function dropDraft(): void {
  clearTimeout(timer)
  store.set(draftAtom, null)
}
