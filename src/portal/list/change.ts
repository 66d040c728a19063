import { addressOf, narrowing, type FilterSetting, type FilterType } from '#contract/filter.ts'
import {
  changeSearch,
  filterDebounce,
  narrowingParams,
  ownSearch,
  searchDebounce,
  shownSearchAtom,
} from '#portal/list/filters.ts'
import { setColumns } from '#portal/list/columns.ts'
import type { List } from '#portal/list/list.ts'
import { activeListAtom } from '#portal/list/lists.ts'
import { navigate, locationAtom } from '#portal/platform/location.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'

/** Changes parameters of a list, by their own names; null removes one. The list shows them at once, the address is debounced. */
export const change = (list: List, changes: Readonly<Record<string, string | null>>, wait: number): void =>
  changeSearch(Object.fromEntries(Object.entries(changes).map(([name, value]) => [list.scope.prefix + name, value])), wait)

/** Sets one filter of the active list if its rows are of that noun, else of the noun's own list; null removes it. */
export function setFilter(entity: string, id: string, setting: { type: FilterType; value: string } | null): void {
  const changes = addressOf(id, setting)
  const list = store.get(activeListAtom)
  if (list?.rows === entity) {
    change(list, changes, filterDebounce)
    return
  }
  const search = new URLSearchParams(setting ? Object.entries(changes).map(([name, value]) => [name, String(value)]) : [])
  navigate(`${entityByName(entity).path}?${search}`)
}

/** Adds filters to a list, and sets its search if there is a text. */
export const narrow = (list: List, set: readonly FilterSetting[], q: string): void => change(list, narrowing(set, q), 0)

/** The full address of what `narrow` would show; for a noun's own list without the open record. */
export function narrowedAddress(list: List, set: readonly FilterSetting[], q: string): string {
  const { pathname = '/' } = store.get(locationAtom)
  const url = new URL(list.leads ? (list.definition.entity?.path ?? pathname) : pathname, location.origin)
  const search = store.get(shownSearchAtom)
  for (const [name, value] of list.leads ? ownSearch(search) : search) url.searchParams.set(name, value)
  for (const [name, value] of Object.entries(narrowing(set, q))) url.searchParams.set(list.scope.prefix + name, value)
  return url.href
}

/** Removes all filters and the search of a list, or one of them by its id; the search is `q`. */
export function clearFilters(list: List, only?: string): void {
  const names = narrowingParams(store.get(list.searchAtom)).filter(
    (name) => only === undefined || name.replace(/_(type|value)$/, '') === only,
  )
  change(list, Object.fromEntries(names.map((name) => [name, null])), only === 'q' ? 0 : filterDebounce)
}

/** Shows a named view of a list by id, or the next or previous one; the search stays. */
export function showView(list: List, which: string | 1 | -1): void {
  const named = store.get(list.viewsAtom)
  const now = store.get(list.namedAtom)
  const at = now ? named.indexOf(now) : which === 1 ? -1 : 0
  const view = typeof which === 'string' ? named.find(({ id }) => id === which) : named.at((at + which) % named.length)
  if (!view) return
  const old = narrowingParams(store.get(list.searchAtom)).filter((name) => name !== 'q')
  const { sort = null, order = null, columns = null, ...filters } = Object.fromEntries(new URLSearchParams(view.search))
  change(list, { ...Object.fromEntries(old.map((name) => [name, null])), ...filters, sort, order, columns }, 0)
}

/** Chooses the columns of a list in place of those that its address names; null restores the default. */
export function chooseColumns(list: List, shown: readonly string[] | null): void {
  setColumns(list, shown)
  change(list, { columns: null }, 0)
}

/** Shows only the marked rows of a list, in place of its filters and search; they stay marked. */
export function showSelected(list: List): void {
  const ids = store.get(list.markedAtom)?.ids ?? []
  const others = narrowingParams(store.get(list.searchAtom)).map((name) => [name, null])
  change(list, { ...Object.fromEntries(others), ...addressOf('id', { type: 'is', value: ids.join(',') }) }, 0)
}

/** Sorts a list. */
export const setSort = (list: List, sort: string, order: 'asc' | 'desc'): void =>
  change(list, { sort, order: order === 'asc' ? null : order }, 0)

let timer: ReturnType<typeof setTimeout> | undefined

/** Searches a list once nothing was typed for 500 ms (CONST-006); the address is then updated at once. */
export function typeSearch(list: List, q: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => searchNow(list, q), searchDebounce)
}

/** Searches a list at once. */
export function searchNow(list: List, q: string): void {
  clearTimeout(timer)
  change(list, { q: q.trim() === '' ? null : q.trim() }, 0)
}
