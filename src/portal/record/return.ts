import { entryAt } from '#portal/app/entries.ts'
import { placeAtom, searchParams } from '#portal/app/location.ts'
import { store } from '#portal/app/store.ts'
import { focusRecord, focusSoon, regionAtom } from '#portal/keyboard/focus.ts'

/** Gives the keyboard to the list in the tab of the record, which has to be one, as soon as it is drawn. */
export const focusTabListSoon = (): void => focusSoon('[data-region="detail"] [role="grid"]')

const openNow = (): string | null => store.get(placeAtom)?.id ?? null
/** The record that is open with its tab, as a text. */
const placeNow = (): string => `${openNow()} ${searchParams().get('tab')}`

/** Where the entries of the history that a line in a tab was opened as outlive a reload; the last ones are enough. */
const linesName = 'admin-portal.lines'
const mostLines = 50

function linesKept(): string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(linesName) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

function keepLines(lines: readonly string[]): void {
  try {
    sessionStorage.setItem(linesName, JSON.stringify(lines.slice(-mostLines)))
  } catch {
    // Escape then leads to the list.
  }
}

/** True while a line is being opened: the record has the keyboard before the place changes. */
let opening = false

/** Called where a line in a tab is about to be opened as a record of its own. */
export function rememberLine(): void {
  opening = true
}

/** Goes back to the line that the open record was opened from; false where it was not. */
export function backToLine(): boolean {
  const now = entryAt(0)
  if (!now || !linesKept().includes(now.key)) return false
  // Right after a reload nothing else hears of it yet, and the list of its noun may still be on its way.
  addEventListener('popstate', () => setTimeout(focusTabListSoon), { once: true })
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
  const leftInTab = new Set<string>()
  /** A list that arrives with the record changes the place once more: what was left is told by the first change. */
  let leaving = false
  // The browser tells of a step before or after the place has changed: until both were told, this is the record before it. The
  // place changes with the address, and where a page is opened at a record it is known only once its list has come.
  const stop = store.sub(placeAtom, () => {
    let opened = false
    if (openNow() !== open && !leaving) {
      opened = opening
      if (opened || store.get(regionAtom) === 'tab') leftInTab.add(place)
      else leftInTab.delete(place)
      opening = false
      leaving = true
    }
    setTimeout(() => {
      leaving = false
      const now = entryAt(0)
      if (opened && now) keepLines([...linesKept(), now.key])
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
