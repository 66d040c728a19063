import { atom } from 'jotai/vanilla'
import { countAtom, cursorAtom, listAtom, pages } from '#portal/list/list.ts'
import { moveTo } from '#portal/list/cursor.ts'
import { markedAtom } from '#portal/list/selection.ts'
import { store } from '#portal/state/store.ts'
import { speak } from '#portal/state/toasts.ts'

/** Which rows are marked, for drawing: all of them, or some by id. */
export const marksAtom = atom<{ all: boolean; ids: ReadonlySet<string> }>((get) => {
  const marked = get(markedAtom)
  return { all: Boolean(marked?.filter), ids: new Set(marked?.ids) }
})

/** Where an extension with Shift began, and what was marked before it. */
let extension: { from: number; to: number; before: readonly string[] } | null = null

const written = (count: number): string => count.toLocaleString('en-US')

function put(ids: readonly string[]): void {
  const entity = store.get(listAtom)?.entity.name
  if (!entity) return
  store.set(markedAtom, ids.length ? { entity, ids, filter: null, count: ids.length } : null)
  speak(ids.length ? `${written(ids.length)} selected` : 'Nothing selected')
}

/** Ids in the order of the list; those that are not loaded come first, as they were. */
function inOrder(ids: Iterable<string>): string[] {
  const wanted = new Set(ids)
  const loaded = pages.loaded().filter((id) => wanted.has(id))
  const here = new Set(loaded)
  return [...[...wanted].filter((id) => !here.has(id)), ...loaded]
}

const some = (): readonly string[] => {
  const marked = store.get(markedAtom)
  return marked?.filter ? [] : (marked?.ids ?? [])
}

/** Marks a row, or takes its mark away. While all are marked, it begins anew with this row. */
export function toggleMark(id: string): void {
  extension = null
  const now = some()
  put(now.includes(id) ? now.filter((each) => each !== id) : inOrder([...now, id]))
}

/** Moves the cursor by rows and marks everything between where Shift was first pressed and there. */
export function extendBy(rows: number): void {
  const { place } = store.get(cursorAtom)
  if (!extension || extension.to !== place) extension = { from: place, to: place, before: some() }
  moveTo(place + rows)
  extension.to = store.get(cursorAtom).place
  const ids = new Set(extension.before)
  const [first, last] = [Math.min(extension.from, extension.to), Math.max(extension.from, extension.to)]
  for (let at = first; at <= last; at++) {
    const id = pages.idAt(at)
    if (id !== undefined) ids.add(id)
  }
  put(inOrder(ids))
}

/** Marks everything that matches the filter, loaded or not, and says how many that are. */
export function markAll(): void {
  const list = store.get(listAtom)
  if (!list || pages.total === 0) return
  extension = null
  const known = store.get(countAtom)
  const count = pages.total ?? (known?.exact ? known.count : null)
  store.set(markedAtom, { entity: list.entity.name, ids: pages.loaded(), filter: list.filter, count })
  const about = known ? `about ${written(known.count)}` : 'all that match'
  speak(`${count === null ? about : written(count)} selected`)
}

/** Takes all marks away; false when there were none. */
export function clearMarks(): boolean {
  if (!store.get(markedAtom)) return false
  extension = null
  put([])
  return true
}
