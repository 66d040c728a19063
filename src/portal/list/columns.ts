import { atom } from 'jotai/vanilla'
import { z } from 'zod'
import { may } from '#domain/permissions.ts'
import { shownSearchAtom } from '#portal/list/filters.ts'
import { type ListColumn, type ListPane, type ListView, paneAtom } from '#portal/list/panes.ts'
import { meAtom } from '#portal/state/session.ts'
import { keep, kept } from '#portal/state/storage.ts'
import { store } from '#portal/state/store.ts'

const chosenAtom = atom<Readonly<Record<string, readonly string[]>>>({})
const nameOf = (pane: ListPane, view: ListView): string => `admin-portal.columns.${pane.name}.${view.id}`

/** The column set that the address names. */
export const viewAtom = atom<ListView | null>((get) => {
  const pane = get(paneAtom)
  const id = get(shownSearchAtom).get('view')
  return pane ? (pane.views.find((view) => view.id === id) ?? pane.views[0] ?? null) : null
})

/** The columns that are drawn, in the order of the view: those chosen in this browser (SCR-040), else its own. */
export const columnsAtom = atom<readonly ListColumn[]>((get) => {
  const pane = get(paneAtom)
  const view = get(viewAtom)
  if (!pane || !view) return []
  const name = nameOf(pane, view)
  const chosen = get(chosenAtom)[name] ?? kept(name, z.array(z.string()))
  const held = new Set(get(meAtom)?.permissions.map((permission) => permission.id))
  const shown = view.columns.filter(
    (column, index) =>
      index === 0 || (chosen ? chosen.includes(column.id) : view.shown.includes(column.id) && !masked(column, held)),
  )
  return shown.map((column) => (masked(column, held) ? { ...column, text: () => 'Hidden', draw: undefined } : column))
})

const masked = (column: ListColumn, held: ReadonlySet<number>): boolean =>
  column.needs !== undefined && may(held, column.needs) !== 'yes'

/** Chooses the columns of the view that is open; the first one stays. */
export function setColumns(shown: readonly string[]): void {
  const pane = store.get(paneAtom)
  const view = store.get(viewAtom)
  if (!pane || !view) return
  const name = nameOf(pane, view)
  keep(name, shown)
  store.set(chosenAtom, (now) => ({ ...now, [name]: shown }))
}
