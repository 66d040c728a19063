import { type Atom, atom } from 'jotai/vanilla'
import { fewOf, wholeNumber } from '#domain/text.ts'
import { apiClient } from '#portal/api/client.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { watchDrawn } from '#portal/list/drawn.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'
import { record } from '#portal/records/entity-store.ts'
import { keepFresh, receive } from '#portal/records/freshness.ts'

const none: readonly string[] = []
const hiddenAtoms = new WeakMap<List, Atom<readonly string[]>>()

/** Marked rows that are not among the loaded rows of the list, such as those found by another search. */
export function hiddenMarksAtom(list: List): Atom<readonly string[]> {
  const known = hiddenAtoms.get(list)
  if (known) return known
  const made = atom((get) => {
    get(list.rowsAtom)
    const marked = get(list.markedAtom)
    if (!marked || marked.filter || list.pages.empty) return none
    const loaded = new Set(list.pages.loaded())
    return marked.ids.filter((id) => !loaded.has(id))
  })
  hiddenAtoms.set(list, made)
  return made
}

/** Ids per request. */
const perRead = 100
/** Maximum number of hidden rows that are kept current; the sums of more are not shown. */
export const maxHidden = 1_000
/** Debounce in milliseconds from a change of the hidden rows to their read. */
const restMilliseconds = 300

/**
 * Reads the hidden marked rows again: the list on screen does not show when they change. Rows that are gone, or no longer open to
 * the user, are unmarked and named, so that no command applies to them.
 */
async function rereadHidden(list: List): Promise<void> {
  const { entity } = list.definition
  const hidden = store.get(hiddenMarksAtom(list))
  if (!entity || !list.canKeepMarks || hidden.length > maxHidden || !store.get(capabilitiesAtom)(entity.list, 'id')) return
  const missing: string[] = []
  for (let from = 0; from < hidden.length; from += perRead) {
    const ids = hidden.slice(from, from + perRead)
    const query = { ...entity.query, limit: String(perRead), id: ids.join(',') }
    const rows = entity.rows((await apiClient.read(entity.list, {}, query, { background: true })) as never)
    const found = new Set(receive(entity.name, rows))
    missing.push(...ids.filter((id) => !found.has(id)))
  }
  if (missing.length) unmarkMissing(list, missing)
}

function unmarkMissing(list: List, missing: readonly string[]): void {
  const marked = store.get(list.markedAtom)
  const { entity } = list.definition
  if (!marked || marked.filter || !entity) return
  const gone = marked.ids.filter((id) => missing.includes(id))
  if (!gone.length) return
  const ids = marked.ids.filter((id) => !gone.includes(id))
  const names = gone.map((id) => {
    const row = record(list.rows, id)
    return row === undefined ? id : entity.title(row)
  })
  store.set(list.markedAtom, ids.length ? { ...marked, ids, count: ids.length } : null)
  list.dropped(gone)
  const left = ids.length ? `${wholeNumber(ids.length)} still selected.` : 'Nothing is selected now.'
  showToast(`No longer selected: ${fewOf(names)}`, { tone: 'bad', detail: `Gone, or no longer open to you. ${left}` })
}

/** Keeps the hidden marked rows of the lists on screen current. Returns the function that stops it. */
export const watchHiddenMarks = (): (() => void) => watchDrawn(watchHidden)

function watchHidden(list: List): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let read = ''
  // Without an answer the rows stay marked: each is read again before a command runs.
  const reread = () => void rereadHidden(list).catch(() => {})
  const look = () => {
    const hidden = store.get(hiddenMarksAtom(list)).join()
    if (hidden === read) return
    read = hidden
    clearTimeout(timer)
    if (hidden) timer = setTimeout(reread, restMilliseconds)
  }
  const stops = [store.sub(hiddenMarksAtom(list), look), keepFresh(reread)]
  look()
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
