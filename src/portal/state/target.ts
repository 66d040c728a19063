import { type Atom, atom, type Getter } from 'jotai/vanilla'
import type { Selection } from '#kernel/situation.ts'
import { regionAtom } from '#portal/state/focus.ts'
import { changing } from '#portal/state/hold.ts'
import { cursorAtom, listAtom, pages, rowsAtom } from '#portal/list/list.ts'
import { placeAtom } from '#portal/state/location.ts'
import { markedAtom } from '#portal/list/selection.ts'
import { thingAtom } from '#portal/state/things.ts'

/** What commands are done to: which things, without what is known of them. */
export type Target = Omit<Selection, 'rows'>

/** One thing as a target. */
export const oneTarget = (entity: string, id: string): Target => ({ entity, ids: [id], filter: null, count: 1, how: 'active' })

/**
 * What is the target here: keys, buttons, the palette and the menu all ask this. Marked rows count while the list has the
 * keyboard; else the record that is open, also while it is on its way; else the row under the cursor. While the record
 * has yet to follow the cursor, the row under the cursor is what the person went on to.
 */
export const targetAtom = atom<Target | null>((get) => {
  const place = get(placeAtom)
  const list = get(listAtom)
  const open = place?.id ?? null
  const here = list !== null && list.entity.name === place?.entity ? list.entity.name : null
  const marked = get(markedAtom)
  if (marked && marked.entity === here && (open === null || get(regionAtom) === 'grid')) return { ...marked, how: 'marked' }
  const cursor = get(cursorAtom)
  if (place && open !== null && !cursor.ahead) return oneTarget(place.entity, open)
  return here !== null && cursor.id !== null ? oneTarget(here, cursor.id) : null
})

/** True while the list has yet to say which row is the target. */
export const comingAtom = atom((get) => {
  get(rowsAtom)
  return get(targetAtom) === null && get(listAtom) !== null && !pages.error && pages.total !== 0
})

/** A target with the rows that are known of it. */
export function selectionOf(get: Getter, target: Target | null): Selection | null {
  if (!target) return null
  const rows = new Map<string, unknown>()
  for (const id of target.ids) {
    const row = get(thingAtom(target.entity, id))
    if (row !== undefined) rows.set(id, row)
  }
  return { ...target, rows }
}

/** The target here, with its rows. */
export const selectionAtom: Atom<Selection | null> = atom((get) => selectionOf(get, get(targetAtom)))

/** Whether what can be done to the target is known: it was read, and nothing is changing it. */
export const isKnown = (selection: Selection | null): boolean =>
  selection !== null &&
  (selection.how === 'marked' ||
    selection.ids.every((id) => selection.rows.has(id) && !changing.has(`${selection.entity} ${id}`)))
