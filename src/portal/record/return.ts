import { placeAtom, searchParams } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusRecord, focusSoon, regionAtom } from '#portal/keyboard/focus.ts'

/** Gives the keyboard to the list in the tab of the record, which has to be one, as soon as it is drawn. */
export const focusTabListSoon = (): void => focusSoon('[data-region="detail"] [role="grid"]')

const openNow = (): string | null => store.get(placeAtom)?.id ?? null
/** The record that is open with its tab, as a text. */
const placeNow = (): string => `${openNow()} ${searchParams().get('tab')}`

/**
 * Gives the keyboard to a record that back or forward opens, as whoever opened it had it: to the list in its tab where that had it
 * when the record was left. Returns what stops it.
 */
export function watchReturns(): () => void {
  let open = openNow()
  let place = placeNow()
  const leftInTab = new Set<string>()
  // The browser tells of a step before or after the place has changed: until both were told, this is the record before it. The
  // place changes with the address, and where a page is opened at a record it is known only once its list has come.
  const stop = store.sub(placeAtom, () => {
    if (openNow() !== open) {
      if (store.get(regionAtom) === 'tab') leftInTab.add(place)
      else leftInTab.delete(place)
    }
    setTimeout(() => {
      open = openNow()
      place = placeNow()
    })
  })
  const returned = () => {
    const before = open
    setTimeout(() => {
      const now = openNow()
      if (now === null || now === before) return
      if (leftInTab.has(placeNow())) focusTabListSoon()
      else focusRecord()
    })
  }
  addEventListener('popstate', returned)
  return () => {
    stop()
    removeEventListener('popstate', returned)
  }
}
