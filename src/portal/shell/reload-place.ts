import { atom } from 'jotai/vanilla'
import { isReloadOf } from '#portal/platform/is-reload.ts'
import type { List } from '#portal/list/list.ts'
import { mainListAtom } from '#portal/list/lists.ts'
import { whenGivenUp } from '#portal/keyboard/hold.ts'
import type { ReloadState } from '#portal/shell/reload.ts'
import { store } from '#portal/platform/store.ts'

/** Maximum number of fetches of the list that look for the row under the cursor. */
const maxFetches = 40

/**
 * Restores the place in the list and the marks from before the reload. Resolves once they are restored, or once the user scrolls
 * or moves.
 */
export const goBackTo = ({ list, marked, address }: ReloadState): Promise<void> =>
  new Promise((there) => {
    if (list && (address === undefined || (isReloadOf(address) && list.place <= maxPlace))) search(list, marked, there)
    else there()
  })

/** A place further down is not restored: all pages before it would have to be fetched one by one. */
const maxPlace = 2_500

/** The noun's list on screen; notifies again whenever its rows change. */
const drawnAtom = atom((get) => {
  const list = get(mainListAtom)
  if (list) get(list.rowsAtom)
  return { list }
})

function search(was: NonNullable<ReloadState['list']>, marked: ReloadState['marked'], there: () => void): void {
  let left = maxFetches
  const stop = (): void => {
    stopLooking()
    stopListening()
    removeEventListener('wheel', stop, { capture: true })
    there()
  }
  const lookIn = (list: List): void => {
    const { pages } = list
    if (list.rows !== was.entity || pages.empty) return
    if (left === maxFetches) {
      if (marked) store.set(list.markedAtom, marked)
      left -= 1
      if (was.place < 0) {
        list.restart('end')
        return
      }
    }
    const found = was.id === null ? null : pages.placeOf(was.id)
    const place = found ?? Math.max(pages.low, Math.min(was.place, pages.high - 1))
    left -= 1
    if (found !== null || was.id === null || pages.ended || left === 0) stop()
    // No row is active while the open record is not loaded.
    const lost = found === null && list.open !== null
    store.set(list.cursorAtom, { place, id: lost ? null : (pages.idAt(place) ?? null), cell: -1, ahead: false, lost })
  }
  const look = (): void => {
    const { list } = store.get(drawnAtom)
    if (list) lookIn(list)
  }
  const stopLooking = store.sub(drawnAtom, look)
  // A user who scrolls by hand is where they want to be.
  const stopListening = whenGivenUp(stop)
  addEventListener('wheel', stop, { capture: true })
  look()
}
