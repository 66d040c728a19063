import { atom } from 'jotai/vanilla'
import { listNoted } from '#contract/notes.ts'
import { type NotedEntity, notesOf } from '#domain/note.ts'
import { asEntity, may } from '#domain/permissions.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { locationAtom } from '#portal/platform/location.ts'
import { store } from '#portal/platform/store.ts'
import { historyAtom } from '#portal/commands/history.ts'
import type { List } from '#portal/list/list.ts'
import { drawnListAtoms } from '#portal/list/lists.ts'
import { notedAtom } from '#portal/list/noted.ts'
import { record } from '#portal/records/entity-store.ts'
import { heldAtom } from '#portal/api/session.ts'

/** Milliseconds of rest before marks are fetched. */
const calm = 250
/** Range of rows to fetch marks for, from some above the first visible one: more than a screen shows. */
const around = { before: 10, rows: 80 }

/** Notifies when the rows on screen, or their notes, may have changed. */
const changedAtom = atom((get) => {
  for (const list of drawnListAtoms.map(get)) if (list) get(list.rowsAtom)
  get(locationAtom)
  get(historyAtom)
  get(heldAtom)
  return {}
})

/** The visible rows of a list by the id that their notes belong to: several rows may share one. */
function rowsOf(list: List): { entity: NotedEntity; rows: ReadonlyMap<string, string> } | null {
  const first = list.seen.first - around.before
  let entity: NotedEntity | null = null
  const rows = new Map<string, string>()
  for (let place = first; place < first + around.rows; place++) {
    const id = list.pages.idAt(place)
    const of = id === undefined ? null : notesOf(list.rows, id, record(list.rows, id))
    if (!of || id === undefined) continue
    entity = of.entity
    rows.set(id, of.id)
  }
  return entity && { entity, rows }
}

async function marksOf(list: List, signal: AbortSignal): Promise<string[]> {
  const found = rowsOf(list)
  if (!found || may(store.get(heldAtom), asEntity(), { entity: found.entity }) !== 'yes') return []
  const { entity, rows } = found
  const query = { entity_type: entity, entity_ids: [...new Set(rows.values())].join() }
  const { entity_ids } = (await apiClient.read(listNoted, {}, query, { background: true, signal })) as { entity_ids: number[] }
  const noted = new Set(entity_ids.map(String))
  return [...rows].flatMap(([id, of]) => (noted.has(of) ? [`${list.rows} ${id}`] : []))
}

/**
 * Marks the rows on screen that have notes, whenever rows are loaded, refreshed or scrolled to. Returns the function that stops
 * it.
 */
export function watchNoteMarks(): () => void {
  let control = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = async () => {
    if (document.visibilityState !== 'visible' || !store.get(capabilitiesAtom)(listNoted)) return
    control.abort()
    control = new AbortController()
    const { signal } = control
    const lists = drawnListAtoms.map((at) => store.get(at)).filter((list) => list !== null)
    // If the request fails, the marks stay; the next refresh repeats it.
    const marks = await Promise.all(lists.map((list) => marksOf(list, signal))).catch(() => null)
    if (!marks || signal.aborted) return
    const now = new Set(marks.flat())
    const before = store.get(notedAtom)
    if (now.size !== before.size || [...now].some((each) => !before.has(each))) store.set(notedAtom, now)
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), calm)
  }
  const stop = store.sub(changedAtom, soon)
  document.addEventListener('scroll', soon, { capture: true, passive: true })
  soon()
  return () => {
    stop()
    clearTimeout(timer)
    control.abort()
    document.removeEventListener('scroll', soon, { capture: true })
    store.set(notedAtom, new Set())
  }
}
