import { store } from '#portal/platform/store.ts'
import { showToast, announce } from '#portal/platform/toasts.ts'
import type { ListQuery } from '#portal/list/asking.ts'
import type { List } from '#portal/list/list.ts'
import { moveTo } from '#portal/list/cursor.ts'
import { wholeNumber } from '#domain/text.ts'

/** Range selection with Shift: its anchor, the marks from before it, and the query whose rows it is about. */
let extension: { list: List; asked: ListQuery | null; from: number; to: number; before: readonly string[] } | null = null

function put(list: List, ids: readonly string[]): void {
  store.set(list.markedAtom, ids.length ? { entity: list.rows, ids, filter: null, count: ids.length } : null)
  announce(ids.length ? `${wholeNumber(ids.length)} selected` : 'Nothing selected')
}

/** Ids in the order of the list; those not loaded come first, in their previous order. */
function inOrder(list: List, ids: Iterable<string>): string[] {
  const wanted = new Set(ids)
  const loaded = list.pages.loaded().filter((id) => wanted.has(id))
  const here = new Set(loaded)
  return [...[...wanted].filter((id) => !here.has(id)), ...loaded]
}

const some = (list: List): readonly string[] => {
  const marked = store.get(list.markedAtom)
  return marked?.filter ? [] : (marked?.ids ?? [])
}

/** Marks or unmarks a row. While all rows are marked, this row starts a new set. */
export function toggleMark(list: List, id: string): void {
  extension = null
  const now = some(list)
  put(list, now.includes(id) ? now.filter((each) => each !== id) : inOrder(list, [...now, id]))
}

/** Moves the cursor and marks the range from the anchor, where Shift was first pressed. */
export function extendTo(list: List, next: number): void {
  const { place } = store.get(list.cursorAtom)
  const asked = store.get(list.askedAtom)
  // Another query has other rows at the same places.
  const isOver = extension?.list !== list || extension.asked !== asked || extension.to !== place || !store.get(list.markedAtom)
  if (!extension || isOver) extension = { list, asked, from: place, to: place, before: some(list) }
  moveTo(list, next)
  extension.to = store.get(list.cursorAtom).place
  const ids = new Set(extension.before)
  const [first, last] = [Math.min(extension.from, extension.to), Math.max(extension.from, extension.to)]
  for (let at = first; at <= last; at++) {
    const id = list.pages.idAt(at)
    if (id !== undefined) ids.add(id)
  }
  put(list, inOrder(list, ids))
}

/**
 * Marks everything that matches the filter, loaded or not, and announces the count. A list in a tab that is not a filter of the
 * noun's own list marks its loaded rows.
 */
export function markAll(list: List): void {
  const { pages, filter } = list
  // An invalid filter is left out of the query: all matching rows would be more than intended.
  const wrong = store.get(list.filtersAtom).find(({ problem }) => problem !== null)
  if (wrong) {
    showToast(`Nothing was selected: the filter ${wrong.title} cannot be used. Correct or remove it.`, { tone: 'bad' })
    return
  }
  if (pages.total === 0 || !store.get(list.askedAtom)) return
  extension = null
  if (!filter) {
    put(list, pages.loaded())
    return
  }
  const known = store.get(list.tally.countAtom)
  const count = pages.total ?? (known?.exact ? known.count : null)
  store.set(list.markedAtom, { entity: list.rows, ids: pages.loaded(), filter, count })
  const about = known ? `about ${wholeNumber(known.count)}` : 'all that match'
  announce(`${count === null ? about : wholeNumber(count)} selected`)
}

/** Removes all marks of a list; false if there were none. */
export function clearMarks(list: List | null): boolean {
  if (!list || !store.get(list.markedAtom)) return false
  extension = null
  put(list, [])
  return true
}
