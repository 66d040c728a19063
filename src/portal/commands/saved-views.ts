import { listViews, type SavedView, type SavedViews } from '#contract/views.ts'
import { type Command, defineCommand } from '#kernel/command.ts'
import { capabilitiesAtom } from '#portal/api/capabilities.ts'
import { apiClient } from '#portal/api/client.ts'
import { entities, registerMore } from '#portal/platform/registry.ts'
import { store } from '#portal/platform/store.ts'
import { historyAtom } from '#portal/commands/history.ts'
import { savedViewsAtom } from '#portal/list/saved-views.ts'

const changing = ['list.save-view', 'list.remove-view']

/** Number of changes and undos of the user's saved views. */
const changesOf = (): number =>
  store
    .get(historyAtom)
    .filter(({ command }) => changing.includes(command))
    .reduce((sum, { undone }) => sum + (undone ? 2 : 1), 0)

/** A command that opens a saved view of the user, like those of the built-in views: found by its name, from anywhere. */
const showing = ({ path, title, search }: SavedView): Command[] =>
  entities()
    .filter((entity) => entity.path === path)
    .map((entity) =>
      defineCommand({
        id: `filter.saved.${entity.name}.${encodeURIComponent(title)}`,
        title: `Show ${entity.many}: ${title}`,
        aliases: [title],
        icon: entity.icon,
        reads: entity.list,
        act: (host) => host.open(`${path}?${search}`),
      }),
    )

function keep(views: readonly SavedView[]): void {
  store.set(savedViewsAtom, views)
  registerMore('saved views', views.flatMap(showing))
}

/** Loads the user's saved views, and again after each change of them. Returns the function that stops it. */
export function watchSavedViews(): () => void {
  const control = new AbortController()
  const read = async () => {
    if (!store.get(capabilitiesAtom)(listViews)) return
    const answer = (await apiClient.read(listViews, {}, {}, { background: true, signal: control.signal })) as SavedViews
    if (!control.signal.aborted) keep(answer.views)
  }
  // Without an answer the lists have only the built-in views.
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
    keep([])
  }
}
