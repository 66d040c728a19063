import { pathOf } from '#kernel/entity.ts'
import { cursorAtom, listAtom, pages, publishActive, restart } from '#portal/state/list.ts'
import { go, placeAtom, searchParams } from '#portal/state/location.ts'
import { settleAddress } from '#portal/state/filters.ts'
import { store } from '#portal/state/store.ts'

/** The record follows the cursor at once, but not faster than this, in milliseconds: a key held down opens only the last. */
const followEvery = 150
let followed = 0
let following: ReturnType<typeof setTimeout> | undefined
/** The record that was opened from the list itself: the cursor has moved on from it when it moved at all. */
let opened: string | null = null

/** Moves the cursor to a place of the list; an open record follows. */
export function moveTo(place: number): void {
  const now = store.get(cursorAtom)
  const to = Math.max(pages.low, Math.min(place, pages.high - 1))
  if (to === now.place && now.id !== null) return
  store.set(cursorAtom, { place: to, id: pages.idAt(to) ?? null, cell: now.cell })
  publishActive()
  if (store.get(placeAtom)?.id) followCursor()
}

/** Moves the cursor by rows. */
export const moveBy = (rows: number): void => moveTo(store.get(cursorAtom).place + rows)

/** Moves among the cells of the row; -1 is the row itself. */
export function moveCell(to: (cell: number) => number, cells: number): void {
  const now = store.get(cursorAtom)
  const cell = Math.max(-1, Math.min(to(now.cell), cells - 1))
  if (cell !== now.cell) store.set(cursorAtom, { ...now, cell })
}

/** Goes to the first or the last row of the list, wherever it is. */
export function moveToEnd(end: 'start' | 'end'): void {
  if (pages.from === end) moveTo(end === 'start' ? 0 : -1)
  else if (pages.ended) moveTo(end === 'start' ? pages.low : pages.high - 1)
  else restart(end)
}

function followCursor(): void {
  clearTimeout(following)
  const { id } = store.get(cursorAtom)
  const wait = id === null ? followEvery : followed + followEvery - performance.now()
  if (wait > 0) {
    following = setTimeout(followCursor, wait)
    return
  }
  if (id === null || store.get(placeAtom)?.id === id) return
  followed = performance.now()
  openRecord(id, { replace: true })
}

/** Opens a record beside the list, keeping filters and tab in the address. */
export function openRecord(id: string, how: { replace?: boolean } = {}): void {
  const list = store.get(listAtom)
  if (!list) return
  settleAddress()
  opened = id
  const search = searchParams()
  go(`${pathOf(list.entity, id)}${search.size ? `?${search}` : ''}`, how)
}

/** Closes the record; the list stays as it is. */
export function closeRecord(): void {
  const list = store.get(listAtom)
  if (!list || !store.get(placeAtom)?.id) return
  clearTimeout(following)
  opened = null
  settleAddress()
  const search = searchParams()
  search.delete('tab')
  go(`${list.entity.path}${search.size ? `?${search}` : ''}`)
  publishActive()
}

/** Puts the cursor on a record that was opened otherwise, if the list has it loaded. */
export function pointAt(id: string): void {
  const now = store.get(cursorAtom)
  if (now.id === id || opened === id) return
  opened = id
  const place = pages.placeOf(id)
  if (place !== null) store.set(cursorAtom, { ...now, place, id })
}
