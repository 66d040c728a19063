import { listSharedViews, type SharedView, type SharedViews } from '#contract/shared-views.ts'
import { listViews, type SavedView, type SavedViews } from '#contract/views.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { entities, registerMore } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { keepFresh } from '#portal/records/freshness.ts'
import { savedViewsAtom, sharedViewsAtom } from '#portal/list/saved-views.ts'

const isChange = /^list\.(save-view|remove-view|shared-view\.)/

/** Interval in milliseconds at which shared views are read again. */
const sharedEvery = 300_000

/** Number of changes and undos of views. */
const changesOf = (): number =>
  store
    .get(historyAtom)
    .filter(({ command }) => isChange.test(command))
    .reduce((sum, { undone }) => sum + (undone ? 2 : 1), 0)

/** A command that opens a view, like those of the built-in views: found by its name, from anywhere. */
const showing = ({ path, title, search }: SavedView, idOf: (entity: string) => string): Command[] =>
  entities()
    .filter((entity) => entity.path === path)
    .map((entity) =>
      defineCommand({
        id: idOf(entity.name),
        title: `Show ${entity.many}: ${title}`,
        aliases: [title],
        icon: entity.icon,
        reads: entity.list,
        act: (host) => host.open(`${path}?${search}`),
      }),
    )

interface Views {
  saved?: readonly SavedView[]
  shared?: readonly SharedView[]
}

/** Stores views and registers their commands, unless nothing changed. The id of the command of a shared view outlasts its name. */
function keep({ saved = store.get(savedViewsAtom), shared = store.get(sharedViewsAtom) }: Views): void {
  const before = [store.get(savedViewsAtom), store.get(sharedViewsAtom)]
  if (JSON.stringify([saved, shared]) === JSON.stringify(before)) return
  store.set(savedViewsAtom, saved)
  store.set(sharedViewsAtom, shared)
  registerMore('views', [
    ...saved.flatMap((view) => showing(view, (entity) => `filter.saved.${entity}.${encodeURIComponent(view.title)}`)),
    ...shared.flatMap((view) => showing(view, (entity) => `filter.shared.${entity}.${view.id}`)),
  ])
}

/**
 * Loads the views that the user saved and those shared with them; both again after each change of them, and shared ones at
 * intervals and on focus. Returns the function that stops it.
 */
export function watchSavedViews(): () => void {
  const control = new AbortController()
  // An answer to an earlier read may arrive after that to a later one, and knows less.
  const reading: Partial<Record<'saved' | 'shared', AbortController>> = {}
  const optionsOf = (what: 'saved' | 'shared') => {
    reading[what]?.abort()
    const own = new AbortController()
    reading[what] = own
    return { background: true, signal: AbortSignal.any([control.signal, own.signal]) } as const
  }
  const take = (views: Views) => {
    if (!control.signal.aborted) keep(views)
  }
  // Without an answer the lists have the views that are known.
  const ignored = () => undefined
  const readSaved = () => {
    if (store.get(capabilitiesAtom)(listViews))
      void apiClient
        .read(listViews, {}, {}, optionsOf('saved'))
        .then((answer) => take({ saved: (answer as SavedViews).views }), ignored)
  }
  const readShared = () => {
    if (!store.get(capabilitiesAtom)(listSharedViews)) return
    const answered = apiClient.read(listSharedViews, {}, {}, optionsOf('shared'))
    void answered.then((answer) => take({ shared: (answer as SharedViews).shared_views }), ignored)
  }
  readSaved()
  readShared()
  let before = changesOf()
  const stopFollowing = store.sub(historyAtom, () => {
    const now = changesOf()
    if (now !== before) {
      readSaved()
      readShared()
    }
    before = now
  })
  const stopRefreshing = keepFresh(readShared, sharedEvery)
  return () => {
    stopFollowing()
    stopRefreshing()
    control.abort()
    keep({ saved: [], shared: [] })
  }
}
