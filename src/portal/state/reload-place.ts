import { cursorAtom, listAtom, pages, restart, rowsAtom } from '#portal/list/list.ts'
import { placeAtom } from '#portal/state/location.ts'
import { paletteAtom } from '#portal/state/palette.ts'
import type { Kept } from '#portal/state/reload.ts'
import { markedAtom } from '#portal/list/selection.ts'
import { store } from '#portal/state/store.ts'

/** The row under the cursor is looked for in so many fetches of the list. */
const looks = 40

/** Goes back to where the person was in the list before the page was loaded anew, and marks what was marked. */
export function goBackTo({ list, marked }: Kept): void {
  if (!list) return
  let left = looks
  const events = ['pointerdown', 'keydown', 'wheel'] as const
  const stop = (event?: Event): void => {
    if (event?.type === 'keydown' && store.get(paletteAtom).open) return
    unsubscribe()
    for (const event of events) removeEventListener(event, stop, { capture: true })
  }
  const look = (): void => {
    if (store.get(listAtom)?.entity.name !== list.entity || pages.empty) return
    if (left === looks) {
      if (marked) store.set(markedAtom, marked)
      left -= 1
      if (list.place < 0) {
        restart('end')
        return
      }
    }
    const found = list.id === null ? null : pages.placeOf(list.id)
    const place = found ?? Math.max(pages.low, Math.min(list.place, pages.high - 1))
    left -= 1
    if (found !== null || pages.ended || left === 0) stop()
    // On no row while the record that is open is not among those that are loaded.
    const id = found === null && store.get(placeAtom)?.id ? null : (pages.idAt(place) ?? null)
    store.set(cursorAtom, { place, id, cell: -1, ahead: false })
  }
  const unsubscribe = store.sub(rowsAtom, look)
  // Whoever goes on by hand is where they want to be.
  for (const event of events) addEventListener(event, stop, { capture: true })
  look()
}
