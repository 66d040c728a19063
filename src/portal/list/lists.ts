import { atom } from 'jotai/vanilla'
import { regionAtom } from '#portal/state/focus.ts'
import { watchAddress } from '#portal/list/address.ts'
import type { ListDefinition, ListScope } from '#portal/list/definition.ts'
import { List } from '#portal/list/list.ts'
import { store } from '#portal/state/store.ts'

/** The noun's list that is drawn. */
export const mainListAtom = atom<List | null>(null)
/** The list in the tab of the record that is drawn. */
export const tabListAtom = atom<List | null>(null)

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

/** The list that has the keyboard, or had it last; null while a record has. */
export const listWithKeyboardAtom = atom<List | null>((get) => {
  const region = get(regionAtom)
  return region === 'detail' ? null : region === 'tab' ? get(tabListAtom) : get(mainListAtom)
})

/** So many lists are kept after they were left: whoever comes back finds the row, the scroll and the rows as they were. */
const keptLists = 8
const keptByKey = new Map<string, List>()

/** A list in its scope: the one that was left a while ago, else a new one. */
export function listOf(definition: ListDefinition, scope: ListScope): List {
  const key = `${definition.name} ${scope.of?.id ?? ''}`
  const known = keptByKey.get(key)
  const list = known?.definition === definition || (known && scope.of) ? known : new List(definition, scope)
  keptByKey.delete(key)
  keptByKey.set(key, list)
  for (const [old, left] of keptByKey) {
    if (keptByKey.size <= keptLists) break
    if (left.forget()) keptByKey.delete(old)
  }
  return list
}

/** Draws a list in its place for as long as what is returned was not called. */
export function takePlace(list: List): () => void {
  const at = list.leads ? mainListAtom : tabListAtom
  store.set(at, list)
  const stops = [list.leads ? watchAddress() : () => {}, list.watch()]
  return () => {
    for (const stop of stops) stop()
    store.set(at, (now) => (now === list ? null : now))
  }
}

/** Gives the keyboard to a list, where it is drawn. */
export const focusList = (list: List): void =>
  document.querySelector<HTMLElement>(`[data-list="${list.definition.name}"]`)?.focus({ preventScroll: true })

/** Every list that is drawn. */
export const drawnLists = (): readonly List[] => [store.get(mainListAtom), store.get(tabListAtom)].filter((list) => list !== null)

/** Fetches what is on screen again, or `all` that is loaded; after a failure, what failed. */
export function refreshLists(all = false): void {
  for (const list of drawnLists()) list.refresh(all)
}
