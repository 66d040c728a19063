import { atom, type Getter } from 'jotai/vanilla'
import { z } from 'zod'
import { may } from '#domain/permissions.ts'
import type { ListColumn, ListDefinition, ListView } from '#portal/list/definition.ts'
import type { List } from '#portal/list/list.ts'
import { heldAtom } from '#portal/session/session.ts'
import { keep, kept } from '#portal/app/storage.ts'
import { store } from '#portal/app/store.ts'

const chosenAtom = atom<Readonly<Record<string, readonly string[]>>>({})

const nameOf = (definition: ListDefinition, view: ListView): string => `admin-portal.columns.${definition.name}.${view.id}`

/** The column set that the search parameters of a list name. */
export const viewOf = ({ views }: ListDefinition, search: URLSearchParams): ListView | null =>
  views.find((view) => view.id === search.get('view')) ?? views[0] ?? null

/** The columns that are drawn, in the order of the view: those chosen in this browser (SCR-040), else its own. */
export function columnsOf(get: Getter, definition: ListDefinition, view: ListView | null): readonly ListColumn[] {
  if (!view) return []
  const name = nameOf(definition, view)
  const chosen = get(chosenAtom)[name] ?? kept(name, z.array(z.string()))
  const held = get(heldAtom)
  const shown = view.columns.filter(
    (column, index) =>
      index === 0 || (chosen ? chosen.includes(column.id) : view.shown.includes(column.id) && !masked(column, held)),
  )
  return shown.map((column) => (masked(column, held) ? { ...column, text: () => 'Hidden', draw: undefined } : column))
}

const masked = (column: ListColumn, held: ReadonlySet<number>): boolean =>
  column.needs !== undefined && may(held, column.needs) !== 'yes'

/** Chooses the columns of the view of a list; the first one stays. */
export function setColumns(list: List, shown: readonly string[]): void {
  const view = store.get(list.viewAtom)
  if (!view) return
  const name = nameOf(list.definition, view)
  keep(name, shown)
  store.set(chosenAtom, (now) => ({ ...now, [name]: shown }))
}
