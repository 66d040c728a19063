import { pathOf } from '#kernel/entity.ts'
import { blockKeysWhile, stillWanted } from '#portal/keyboard/hold.ts'
import { ownSearch, settleAddress } from '#portal/list/filters.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom } from '#portal/list/lists.ts'
import { besideParams, navigate, placeAtom, searchParams } from '#portal/platform/location.ts'
import { entityByName } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'

/** Throttle in milliseconds for opening the record under the cursor: a held key opens only the last one. */
const followEvery = 150
let followed = 0
let following: ReturnType<typeof setTimeout> | undefined

const flushes = new Set<() => void>()
/** Registers a callback that performs moves queued for the next frame at once. Returns the function that removes it. */
export function whenSettling(moves: () => void): () => void {
  flushes.add(moves)
  return () => void flushes.delete(moves)
}

/** Performs pending moves: those queued for the next frame, and opening the record under the cursor. */
export function settleMoves(): void {
  for (const flush of flushes) flush()
  catchUp()
}

const within = ({ pages }: List, place: number): number => Math.max(pages.low, Math.min(place, pages.high - 1))

/** Moves the cursor of a list to a place; an open record follows. */
export function moveTo(list: List, place: number): void {
  const { pages, open } = list
  const now = store.get(list.cursorAtom)
  const to = within(list, place)
  if (to === now.place && now.id !== null) return
  const id = pages.idAt(to) ?? null
  store.set(list.cursorAtom, { place: to, id, cell: now.cell, ahead: open !== null && open !== id })
  if (open !== null) followCursor()
}

/**
 * The place after several moves, each of which stops at the ends of the list. With no active row, the first step leads to the row
 * at the cursor's place.
 */
export function placeAfter(list: List, moves: readonly number[]): number {
  const { place, id } = store.get(list.cursorAtom)
  const nowhere = id === null && list.pages.idAt(place) !== undefined
  return moves.reduce((at, rows, index) => within(list, at + rows - (nowhere && index === 0 ? Math.sign(rows) : 0)), place)
}

/** Moves between the cells of the row; -1 is the row itself. */
export function moveCell(list: List, to: (cell: number) => number, cells: number): void {
  const now = store.get(list.cursorAtom)
  const cell = Math.max(-1, Math.min(to(now.cell), cells - 1))
  if (cell !== now.cell) store.set(list.cursorAtom, { ...now, cell })
}

/** Moves to the first or last row of a list, loaded or not. */
export function moveToEnd(list: List, end: 'start' | 'end'): void {
  const { pages, open } = list
  if (pages.from === end) moveTo(list, end === 'start' ? 0 : -1)
  else if (pages.ended || !list.reversible) moveTo(list, end === 'start' ? pages.low : pages.high - 1)
  else {
    list.restart(end, open !== null)
    if (open !== null) followCursor()
  }
}

/**
 * Opens the next or previous record of the list. If the open record is none of the loaded rows, its neighbor is fetched, and
 * later keys are queued; if it is not in the list at all, the first step opens the row at the list's cursor.
 */
export function nextRecord(step: 1 | -1): void {
  const list = store.get(mainListAtom)
  if (!list) return
  const { open } = list
  const move = () => moveTo(list, placeAfter(list, [step]))
  if (open === null || store.get(list.cursorAtom).id !== null) {
    move()
    return
  }
  const wanted = stillWanted()
  void blockKeysWhile(
    list.rowBeside(open, step).then(
      (found) => {
        if (!wanted() || list.open !== open) return
        if (!found) move()
        else if (found.beside !== null) openRecord(found.beside, { replace: true })
      },
      () => showToast('The next record could not be found. Try again.', { tone: 'bad' }),
    ),
  )
}

function followCursor(): void {
  clearTimeout(following)
  const list = store.get(mainListAtom)
  if (!list) return
  const { id, ahead } = store.get(list.cursorAtom)
  if (!ahead) return
  const wait = id === null ? followEvery : followed + followEvery - performance.now()
  if (wait > 0) {
    following = setTimeout(followCursor, wait)
    return
  }
  catchUp()
}

/** Opens the record under the cursor at once. */
function catchUp(): void {
  const list = store.get(mainListAtom)
  if (!list) return
  const { id, ahead } = store.get(list.cursorAtom)
  if (!ahead || id === null) return
  clearTimeout(following)
  followed = performance.now()
  openRecord(id, { replace: true })
}

/** Opens a record beside the noun's list, keeping filters and tab in the address. */
export function openRecord(id: string, how: { replace?: boolean } = {}): void {
  const entity = store.get(mainListAtom)?.definition.entity
  if (!entity) return
  settleAddress()
  const search = searchParams()
  navigate(`${pathOf(entity, id)}${search.size ? `?${search}` : ''}`, how)
}

/** Closes the record; the noun's list stays as it is. */
export function closeRecord(): void {
  const place = store.get(placeAtom)
  if (!place?.id) return
  clearTimeout(following)
  settleAddress()
  const search = new URLSearchParams({ ...Object.fromEntries(ownSearch(searchParams())), ...besideParams() })
  navigate(`${entityByName(place.entity).path}${search.size ? `?${search}` : ''}`)
}
