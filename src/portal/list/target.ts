import { type Atom, atom, type Getter } from 'jotai/vanilla'
import { maxValidated } from '#kernel/dry-run.ts'
import type { Selection } from '#kernel/command-context.ts'
import { regionAtom, sideAtom } from '#portal/keyboard/focus.ts'
import { changing } from '#portal/keyboard/hold.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom, tabListAtom } from '#portal/list/lists.ts'
import { besideAtom, placeAtom } from '#portal/platform/location.ts'
import { recordAtom } from '#portal/records/entity-store.ts'

/** The targets of a command: noun and ids, without the data of the rows. */
export type Target = Omit<Selection, 'rows'>

/** Records of a noun as targets, by their ids. */
export const targetsBy = (entity: string, ids: readonly string[]) => ({ entity, ids, filter: null, count: ids.length })

/** One record as the target. */
export const oneTarget = (entity: string, id: string): Target => ({ ...targetsBy(entity, [id]), how: 'active' })

/** The record that has the focus in the drawer, or that a screen is about. */
export const asideAtom = atom<Target | null>(null)

/**
 * The target at this place, used by keys, buttons, the palette and the menu. A focused list in a tab comes first, if its rows are
 * records themselves. Marked rows count while their list has the focus; else the open record, also while it is loading; else the
 * row under the cursor. While the open record lags behind the cursor, the row under the cursor counts.
 */
export const targetAtom = atom<Target | null>((get) => {
  const aside = get(asideAtom)
  if (aside) return aside
  const place = get(placeAtom)
  const region = get(regionAtom)
  const tab = region === 'tab' ? get(tabListAtom) : null
  if (tab && (tab.definition.entity ?? tab.definition.standsFor)) {
    const inTab = rowsOf(get, tab)
    if (inTab || isComing(get, tab)) return inTab
  }
  const beside = get(sideAtom) === 'beside' ? get(besideAtom) : null
  if (beside?.id) return oneTarget(beside.entity, beside.id)
  const open = place?.id ?? null
  const main = get(mainListAtom)
  const list = main !== null && get(main.askedAtom) !== null && main.rows === place?.entity ? main : null
  const marked = list && get(list.markedAtom)
  if (marked && (open === null || region === 'grid')) return { ...marked, how: 'marked' }
  if (place && open !== null && !(main && get(main.cursorAtom).ahead)) return oneTarget(place.entity, open)
  return list && rowsOf(get, list)
})

/** The marked rows of a list, else the one under its cursor; or the records these stand for. */
function rowsOf(get: Getter, list: List): Target | null {
  const marked = get(list.markedAtom)
  const { id } = get(list.cursorAtom)
  const rows: Target | null = marked ? { ...marked, how: 'marked' } : id === null ? null : oneTarget(list.rows, id)
  const { standsFor } = list.definition
  if (!rows || !standsFor) return rows
  const stood = standsFor(rows.ids)
  return stood && { ...rows, ...stood, count: stood.ids.length }
}

/** True while a list has not set its cursor yet. */
function isComing(get: Getter, list: List): boolean {
  get(list.rowsAtom)
  const { id, lost } = get(list.cursorAtom)
  return get(list.askedAtom) !== null && id === null && !lost && !list.pages.error && list.pages.total !== 0
}

/** True while the list has not determined the target yet. */
export const comingAtom = atom((get) => {
  const list = get(regionAtom) === 'tab' ? get(tabListAtom) : get(mainListAtom)
  return get(targetAtom) === null && list !== null && isComing(get, list)
})

/** A target with those of its rows that are loaded. */
export function selectionOf(get: Getter, target: Target | null): Selection | null {
  if (!target) return null
  const rows = new Map<string, unknown>()
  // Large selections do not need their rows, and subscribing to each would make every change slow.
  for (const id of target.ids.slice(0, maxValidated + 1)) {
    const row = get(recordAtom(target.entity, id))
    if (row !== undefined) rows.set(id, row)
  }
  return { ...target, rows }
}

/** The target at this place, with its rows. */
export const selectionAtom: Atom<Selection | null> = atom((get) => selectionOf(get, get(targetAtom)))

/** Whether the availability of commands for the target is known: it is loaded, and no change of it is in flight. */
export const isKnown = (selection: Selection | null): boolean =>
  selection !== null &&
  (selection.how === 'marked' ||
    selection.ids.every((id) => selection.rows.has(id) && !changing.has(`${selection.entity} ${id}`)))
