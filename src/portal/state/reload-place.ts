import { atom } from 'jotai/vanilla'
import type { List } from '#portal/list/list.ts'
import { mainListAtom } from '#portal/list/lists.ts'
import { paletteAtom } from '#portal/state/palette.ts'
import type { Kept } from '#portal/state/reload.ts'
import { store } from '#portal/state/store.ts'

/** The row under the cursor is looked for in so many fetches of the list. */
const looks = 40

/** Goes back to where the person was in the list before the page was loaded anew, and marks what was marked. */
export function goBackTo({ list: was, marked }: Kept): void {
  if (!was) return
  let left = looks
  const events = ['pointerdown', 'keydown', 'wheel'] as const
  let unsubscribe = (): void => {}
  const stop = (event?: Event): void => {
    if (event?.type === 'keydown' && store.get(paletteAtom).open) return
    unsubscribe()
    for (const event of events) removeEventListener(event, stop, { capture: true })
  }
  const look = (list: List): void => {
    const { pages } = list
    if (list.rows !== was.entity || pages.empty) return
    if (left === looks) {
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
    if (found !== null || pages.ended || left === 0) stop()
    // On no row while the record that is open is not among those that are loaded.
    const id = found === null && list.open !== null ? null : (pages.idAt(place) ?? null)
    store.set(list.cursorAtom, { place, id, cell: -1, ahead: false })
  }
  const rowsAtom = atom((get) => {
    const list = get(mainListAtom)
    if (list) get(list.rowsAtom)
    return { list }
  })
  const follow = (): void => {
    const { list } = store.get(rowsAtom)
    if (list) look(list)
  }
  unsubscribe = store.sub(rowsAtom, follow)
  // Whoever goes on by hand is where they want to be.
  for (const event of events) addEventListener(event, stop, { capture: true })
  follow()
}
