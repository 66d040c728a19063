import { listViews, type SavedViews } from '#contract/views.ts'
import { offersAtom } from '#portal/api/capabilities.ts'
import { wire } from '#portal/api/client.ts'
import { store } from '#portal/app/store.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { savedViewsAtom } from '#portal/list/saved-views.ts'

const changing = ['list.save-view', 'list.remove-view']

/** How often the person changed their views, or took a change back. */
const changesOf = (): number =>
  store
    .get(historyAtom)
    .filter(({ command }) => changing.includes(command))
    .reduce((sum, { undone }) => sum + (undone ? 2 : 1), 0)

/** Reads the views that the person saved, and again after each of their changes. Returns what stops it. */
export function watchSavedViews(): () => void {
  const control = new AbortController()
  const read = async () => {
    if (!store.get(offersAtom)(listViews)) return
    const answer = (await wire.read(listViews, {}, {}, { background: true, signal: control.signal })) as SavedViews
    if (!control.signal.aborted) store.set(savedViewsAtom, answer.views)
  }
  // Without an answer the lists have the views that everybody has.
  const readIfThere = () => void read().catch(() => undefined)
  readIfThere()
  let before = changesOf()
  const stop = store.sub(historyAtom, () => {
    const now = changesOf()
    if (now !== before) readIfThere()
    before = now
  })
  return () => {
    stop()
    control.abort()
    store.set(savedViewsAtom, [])
  }
}
