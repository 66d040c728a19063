import { entryAt } from '#portal/app/entries.ts'
import { placeAtom, searchParams } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusRecord, focusSoon, regionAtom } from '#portal/keyboard/focus.ts'

/** Gives the keyboard to the list in the tab of the record, which has to be one, as soon as it is drawn. */
export const focusTabListSoon = (): void => focusSoon('[data-region="detail"] [role="grid"]')

const openNow = (): string | null => store.get(placeAtom)?.id ?? null
/** The record that is open with its tab, as a text. */
const placeNow = (): string => `${openNow()} ${searchParams().get('tab')}`

/** Records that were left while the list in their tab had the keyboard. */
const leftInTab = new Set<string>()
/** Entries of the history on which a line in a tab was opened. */
const lines = new Set<string>()
/** The place whose line is being opened: the record has the keyboard before the place changes. */
let opening: string | null = null

/** Called where a line in a tab is about to be opened as a record of its own. */
export function rememberLine(): void {
  opening = placeNow()
  leftInTab.add(opening)
  const now = entryAt(0)
  if (now) lines.add(now.key)
}

/** Goes back to the line that the open record was opened from; false where that is not where the portal was just before. */
export function backToLine(): boolean {
  const before = entryAt(-1)
  if (!before?.sameDocument || !lines.delete(before.key)) return false
  history.back()
  return true
}

/**
 * Gives the keyboard to a record that back or forward opens, as whoever opened it had it: to the list in its tab where that had it
 * when the record was left. Returns what stops it.
 */
export function watchReturns(): () => void {
  let open = openNow()
  let place = placeNow()
  /** A list that arrives with the record changes the place once more: what was left is told by the first change. */
  let leaving = false
  // The browser tells of a step before or after the place has changed: until both were told, this is the record before it. The
  // place changes with the address, and where a page is opened at a record it is known only once its list has come.
  const stop = store.sub(placeAtom, () => {
    if (openNow() !== open && !leaving) {
      if (store.get(regionAtom) === 'tab' || opening === place) leftInTab.add(place)
      else leftInTab.delete(place)
      opening = null
      leaving = true
    }
    setTimeout(() => {
      leaving = false
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
