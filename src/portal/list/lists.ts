import { atom } from 'jotai/vanilla'
import { paneAtom } from '#portal/list/panes.ts'
import { regionAtom } from '#portal/keyboard/focus.ts'
import { watchAddress } from '#portal/list/address.ts'
import type { ListDefinition, ListScope } from '#portal/list/definition.ts'
import { List } from '#portal/list/list.ts'
import { locationAtom, placeAtom } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'

/** The noun's list that is drawn. */
export const mainListAtom = atom<List | null>(null)
/** The list in the tab of the record that is drawn. */
export const tabListAtom = atom<List | null>(null)
/** True once a command has shown a tab, until the record gives the keyboard to the list in it. */
export const tabWantedAtom = atom(false)
/** The tab of the record that has the keyboard, or whose list has, `employee.invoices`; null in the first one and elsewhere. */
export const tabNameAtom = atom((get) => {
  const place = get(placeAtom)
  const tab = get(locationAtom).searchParams?.get('tab')
  return place?.id && tab && get(regionAtom) !== 'grid' ? `${place.entity}.${tab}` : null
})

/**
 * The list that commands about a list act on: sort, filter, columns, refresh. With the keyboard on a record it is the one
 * in its tab.
 */
export const activeListAtom = atom<List | null>((get) =>
  get(regionAtom) === 'grid' ? get(mainListAtom) : (get(tabListAtom) ?? get(mainListAtom)),
)

/** The active list, as it is published to commands. */
export const openPaneAtom = atom((get) => {
  const list = get(activeListAtom)
  return list ? get(list.paneAtom) : null
})

/** Maximum number of lists kept after they were left, with their row, scroll position and rows. */
const keptLists = 8
const keptByKey = new Map<string, List>()

/** A list in its scope: the one that was left a while ago, else a new one. */
export function listOf(definition: ListDefinition, scope: ListScope): List {
  const key = `${definition.name} ${scope.of?.id ?? ''}`
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

/** Watches a list and says that it is the one in its place. Returns what takes it out of it. */
function put(list: List, at: typeof mainListAtom): () => void {
  store.set(at, list)
  const stop = list.watch()
  return () => {
    stop()
    store.set(at, (now) => (now === list ? null : now))
  }
}

/** Draws the list in the tab of a record for as long as what is returned was not called. */
export const takeTab = (list: List): (() => void) => put(list, tabListAtom)

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

/** Gives the keyboard to a list, where it is drawn. */
export const focusList = (list: List): void =>
  document.querySelector<HTMLElement>(`[data-list="${list.definition.name}"]`)?.focus({ preventScroll: true })

/** Incremented when what is on screen must be refetched, for consumers that are not lists. */
export const refreshedAtom = atom(0)

/** Fetches what is on screen again, or `all` that is loaded, in every list that is drawn; after a failure, what failed. */
export function refreshLists(all = false): void {
  for (const at of [mainListAtom, tabListAtom]) store.get(at)?.refresh(all)
  store.set(refreshedAtom, (times) => times + 1)
}
