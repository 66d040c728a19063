import { atom } from 'jotai/vanilla'
import { paneAtom } from '#portal/list/panes.ts'
import { regionAtom, sideAtom } from '#portal/keyboard/focus.ts'
import { watchAddress } from '#portal/list/address.ts'
import type { ListDefinition, ListScope } from '#portal/list/definition.ts'
import { gridOf } from '#portal/list/column-texts.ts'
import { List } from '#portal/list/list.ts'
import { locationAtom, placeAtoms, type Side, tabParameter } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'

/** The noun's list on screen. */
export const mainListAtom = atom<List | null>(null)
/** The list in the open tab of the record on each side. */
export const tabListAtoms = { main: atom<List | null>(null), beside: atom<List | null>(null) }
/** The list in the open tab of the record that has or last had the focus. */
export const tabListAtom = atom((get) => get(tabListAtoms[get(sideAtom)]))
/** Every list on screen. */
export const drawnListAtoms = [mainListAtom, tabListAtoms.main, tabListAtoms.beside]
/** True after a command has shown a tab, until the record focuses the list in it. */
export const tabWantedAtom = atom(false)
const tabNameOn = (side: Side) =>
  atom((get) => {
    const place = get(placeAtoms[side])
    const tab = get(locationAtom).searchParams?.get(tabParameter(side))
    return place?.id && tab && get(regionAtom) !== 'grid' ? `${place.entity}.${tab}` : null
  })
/** The open tab of the record on each side, `employee.invoices`; null for the first tab, and while the list has the focus. */
export const tabNameAtoms = { main: tabNameOn('main'), beside: tabNameOn('beside') }
/** The tab of the record that has the focus, or whose list has; null for the first tab and elsewhere. */
export const tabNameAtom = atom((get) => get(tabNameAtoms[get(sideAtom)]))

/**
 * The list for list commands: sort, filter, columns, refresh. With the focus on a record it is the one in its tab; the record
 * beside the open one belongs to no other.
 */
export const activeListAtom = atom<List | null>((get) => {
  if (get(regionAtom) === 'grid') return get(mainListAtom)
  return get(tabListAtom) ?? (get(sideAtom) === 'beside' ? null : get(mainListAtom))
})

/** The active list as seen by commands. */
export const openPaneAtom = atom((get) => {
  const list = get(activeListAtom)
  return list ? get(list.paneAtom) : null
})

/** Maximum number of lists kept after they were left, with their row, scroll position and rows. */
const keptLists = 8
const keptByKey = new Map<string, List>()

/** The list of a scope: from the cache, else a new one. */
export function listOf(definition: ListDefinition, scope: ListScope): List {
  const key = `${scope.prefix}${definition.name} ${scope.of?.id ?? ''}`
  const known = keptByKey.get(key)
  // The definition of a tab's list is rebuilt for each answer about its record.
  const fits = scope.of !== null || known?.definition === definition
  const list = (fits && known) || new List(definition, scope, () => keptByKey.values())
  keptByKey.delete(key)
  keptByKey.set(key, list)
  for (const [old, left] of keptByKey) {
    if (keptByKey.size <= keptLists) break
    if (left.forget()) keptByKey.delete(old)
  }
  return list
}

/** Watches a list and sets it as the current one. Returns the cleanup function. */
function put(list: List, at: typeof mainListAtom): () => void {
  store.set(at, list)
  const stop = list.watch()
  return () => {
    stop()
    store.set(at, (now) => (now === list ? null : now))
  }
}

/** Sets the list of a record's tab until the returned function is called. */
export const takeTab = (list: List): (() => void) => put(list, tabListAtoms[list.side])

/**
 * Switches to the noun's list that the address names as soon as the address changes, so that keys pressed before it renders find
 * it. Returns the function that stops it.
 */
export function watchMainList(): () => void {
  let leave = (): void => {}
  const follow = () => {
    const pane = store.get(paneAtom)
    const now = store.get(mainListAtom)
    if (now?.definition === (pane ?? undefined)) return
    leave()
    leave = pane ? put(listOf(pane, { prefix: '', of: null }), mainListAtom) : () => {}
  }
  const stops = [store.sub(paneAtom, follow), watchAddress()]
  follow()
  return () => {
    for (const stop of stops) stop()
    leave()
  }
}

/** Focuses a list if it is rendered. */
export const focusList = (list: List): void => gridOf(list)?.focus({ preventScroll: true })

/** Incremented when what is on screen must be refetched, for consumers that are not lists. */
export const refreshedAtom = atom(0)

/** Refetches the visible pages, or with `all` every loaded page, in all lists on screen; after a failure, the failed ones. */
export function refreshLists(all = false): void {
  for (const at of drawnListAtoms) store.get(at)?.refresh(all)
  store.set(refreshedAtom, (times) => times + 1)
}
