import { pathOf } from '#kernel/entity.ts'
import { cursorAtom, listAtom, pages, restart } from '#portal/list/list.ts'
import { go, placeAtom, searchParams } from '#portal/state/location.ts'
import { settleAddress } from '#portal/list/filters.ts'
import { store } from '#portal/state/store.ts'

/** The record follows the cursor at once, but not faster than this, in milliseconds: a key held down opens only the last. */
const followEvery = 150
let followed = 0
let following: ReturnType<typeof setTimeout> | undefined

let flush: (() => void) | null = null
/** Moves that are kept for the next frame are told how they are done at once. Returns what ends that. */
export function whenSettling(moves: () => void): () => void {
  flush = moves
  return () => {
    if (flush === moves) flush = null
  }
}

/** Does what was pressed before: moves that wait for a frame, and the record that has yet to follow. */
export function settleMoves(): void {
  flush?.()
  catchUp()
}

/** Moves the cursor to a place of the list; an open record follows. */
export function moveTo(place: number): void {
  const now = store.get(cursorAtom)
  const to = Math.max(pages.low, Math.min(place, pages.high - 1))
  if (to === now.place && now.id !== null) return
  const open = store.get(placeAtom)?.id ?? null
  const id = pages.idAt(to) ?? null
  store.set(cursorAtom, { place: to, id, cell: now.cell, ahead: open !== null && open !== id })
  if (open !== null) followCursor()
}

/** Moves the cursor by rows. From no row, the first step leads to the one at its place. */
export function moveBy(rows: number): void {
  const { place, id } = store.get(cursorAtom)
  const nowhere = id === null && pages.idAt(place) !== undefined
  moveTo(place + rows - (nowhere ? Math.sign(rows) : 0))
}

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
  else {
    restart(end, store.get(placeAtom)?.id != null)
    if (store.get(placeAtom)?.id) followCursor()
  }
}

function followCursor(): void {
  clearTimeout(following)
  const { id, ahead } = store.get(cursorAtom)
  if (!ahead) return
  const wait = id === null ? followEvery : followed + followEvery - performance.now()
  if (wait > 0) {
    following = setTimeout(followCursor, wait)
    return
  }
  catchUp()
}

/** The record goes to the row that the cursor has reached, now. */
function catchUp(): void {
  const { id, ahead } = store.get(cursorAtom)
  if (!ahead || id === null) return
  clearTimeout(following)
  followed = performance.now()
  openRecord(id, { replace: true })
}

/** Opens a record beside the list, keeping filters and tab in the address. */
export function openRecord(id: string, how: { replace?: boolean } = {}): void {
  const list = store.get(listAtom)
  if (!list) return
  settleAddress()
  const search = searchParams()
  go(`${pathOf(list.entity, id)}${search.size ? `?${search}` : ''}`, how)
}

/** Closes the record; the list stays as it is. */
export function closeRecord(): void {
  const list = store.get(listAtom)
  if (!list || !store.get(placeAtom)?.id) return
  clearTimeout(following)
  settleAddress()
  const search = searchParams()
  search.delete('tab')
  go(`${list.entity.path}${search.size ? `?${search}` : ''}`)
}
