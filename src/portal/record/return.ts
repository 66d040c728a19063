import { z } from 'zod'
import { entryAt } from '#portal/platform/entries.ts'
import { placeAtom, searchParams } from '#portal/platform/location.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'
import { focusRecord, focusSoon, recordOn, regionAtom, sideAtom } from '#portal/keyboard/focus.ts'
import { blockKeys, stillWanted } from '#portal/keyboard/hold.ts'
import { moveTo } from '#portal/list/cursor.ts'
import type { List } from '#portal/list/list.ts'
import { tabListAtoms } from '#portal/list/lists.ts'

/** Focuses the list in the tab of the record as soon as it is rendered. */
export const focusTabListSoon = (): void => focusSoon(`${recordOn('main')} [role="grid"]`)

const openNow = (): string | null => store.get(placeAtom)?.id ?? null
/** Key of the open record with its tab. */
const placeNow = (): string => `${openNow()} ${searchParams().get('tab')}`

/** A line in a record's tab, from which another record was opened. */
interface Line {
  /** Key of the history entry of that record. */
  key: string
  /** Name of the list, and id of the record whose tab it is in. */
  list: string
  of: string
  /** Id of the row, which may be unknown, and its place in the list. */
  row: string
  place: number
}

/** Storage of the lines over a reload, limited in number. */
const linesName = 'admin-portal.lines'
const maxLines = 50

/** A stored line. An earlier version of the portal stored only the key: then the list is right, and the row unknown. */
function lineOf(stored: unknown): Line {
  const { key, list, of, row, place } = (typeof stored === 'object' && stored !== null ? stored : { key: stored }) as Record<
    string,
    unknown
  >
  return {
    key: String(key),
    list: String(list),
    of: String(of),
    row: typeof row === 'string' ? row : '',
    place: typeof place === 'number' ? place : 0,
  }
}

const linesKept = (): Line[] => (readStorage(linesName, z.array(z.unknown()), 'sessionStorage') ?? []).map(lineOf)
const keepLines = (lines: readonly Line[]) => writeStorage(linesName, lines.slice(-maxLines), 'sessionStorage')

/** Set while a line is being opened: the record gets the focus before the place changes. */
let opening: Omit<Line, 'key'> | null = null

/** Called before the line under the cursor of a tab's list is opened as a record. */
export function rememberLine({ definition, scope, cursorAtom }: List): void {
  const { id, place } = store.get(cursorAtom)
  opening = { list: definition.name, of: scope.of?.id ?? '', row: id ?? '', place }
}

/** Goes back to the line that the open record was opened from; false if there is none. */
export function backToLine(): boolean {
  const line = lineBefore(0)
  if (!line) return false
  // Right after a reload there is no other listener, and the list of the noun may still be loading.
  addEventListener('popstate', () => setTimeout(() => arrive(line)), { once: true })
  history.back()
  return true
}

/** The line that a history entry was opened from: the current entry, or the next one. */
function lineBefore(by: 0 | 1): Line | undefined {
  const entry = entryAt(by)
  return linesKept().find(({ key }) => key === entry?.key)
}

function arrive(line: Line): void {
  focusTabListSoon()
  // Without a known row, keys would wait in vain.
  if (line.row) findLine(line)
}

/** Maximum time in milliseconds for the list of a line and its rows to load. */
const lineWait = 10_000

/** Puts the cursor of the list on the line once its row has loaded: a restarted list is on its first row. */
function findLine(line: Line): void {
  const wanted = stillWanted()
  // Keys pressed in the meantime are for the line.
  const release = blockKeys()
  const began = performance.now()
  const look = () => {
    const list = store.get(tabListAtoms.main)
    const there = list?.definition.name === line.list && list.scope.of?.id === line.of && moveToLine(list, line)
    if (!there && wanted() && performance.now() - began < lineWait) setTimeout(look, 10)
    else release()
  }
  look()
}

/** Moves the cursor to the line; false while its row is loading, which may take further pages. */
function moveToLine(list: List, { row, place }: Line): boolean {
  const { pages } = list
  const found = pages.placeOf(row)
  if (found !== null) moveTo(list, found)
  if (found !== null || pages.error) return true
  if (pages.empty || pages.loading) return false
  if (pages.ended) return true
  // Negative places are counted from the end, if the list was read from there.
  if (place < 0 && pages.from === 'start') list.restart('end')
  else if (pages.loaded().length > Math.abs(place) + pages.size) return true
  else if (pages.from === 'start') pages.look(pages.high - 1, pages.high - 1)
  else pages.look(pages.low, pages.low)
  return false
}

/**
 * Restores the focus of a record that back or forward opens: to the list in its tab if that had it when the record was left.
 * Returns the function that stops it.
 */
export function watchReturns(): () => void {
  let open = openNow()
  let place = placeNow()
  const leftInTab = new Set<string>()
  /** A list that arrives with the record changes the place once more: only the first change says what was left. */
  let leaving = false
  // The browser's popstate event comes before or after the place has changed: until both have arrived, this is the previous
  // record. The place changes with the address, and if a page is opened at a record it is known only once its list has loaded.
  const stop = store.sub(placeAtom, () => {
    let opened: typeof opening = null
    if (openNow() !== open && !leaving) {
      opened = opening
      if (opened || (store.get(regionAtom) === 'tab' && store.get(sideAtom) === 'main')) leftInTab.add(place)
      else leftInTab.delete(place)
      opening = null
      leaving = true
    }
    setTimeout(() => {
      leaving = false
      const now = entryAt(0)
      if (opened && now) keepLines([...linesKept(), { key: now.key, ...opened }])
      open = openNow()
      place = placeNow()
    })
  })
  const returned = () => {
    const before = open
    setTimeout(() => {
      const now = openNow()
      if (now === null || now === before) return
      // This part survives a reload.
      const line = lineBefore(1)
      if (leftInTab.has(placeNow())) focusTabListSoon()
      else if (line && openNow() === line.of) arrive(line)
      else focusRecord()
    })
  }
  addEventListener('popstate', returned)
  return () => {
    stop()
    removeEventListener('popstate', returned)
  }
}
