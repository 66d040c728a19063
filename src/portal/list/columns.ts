import { atom, type Getter } from 'jotai/vanilla'
import { z } from 'zod'
import { may } from '#domain/permissions.ts'
import type { ListColumn, ListDefinition, ListView } from '#portal/list/definition.ts'
import type { List } from '#portal/list/list.ts'
import { heldAtom, meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

/** The user's layout of a view: order of columns, and custom widths in pixels. */
export interface Layout {
  readonly order: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}
const layoutSchema: z.ZodType<Layout> = z.object({ order: z.array(z.string()), widths: z.record(z.string(), z.number()) })
const plain: Layout = { order: [], widths: {} }

const chosenAtom = atom<Readonly<Record<string, readonly string[]>>>({})
const layoutsAtom = atom<Readonly<Record<string, Layout>>>({})

const nameOf = (definition: ListDefinition, view: ListView): string => `admin-portal.columns.${definition.name}.${view.id}`
/** Stored per person and browser, since widths depend on the screen (D156). */
const layoutName = (get: Getter, definition: ListDefinition, view: ListView): string =>
  `admin-portal.layout.${get(meAtom)?.person.id}.${definition.name}.${view.id}`

/** The column set selected in the address. */
export const viewOf = ({ views }: ListDefinition, search: URLSearchParams): ListView | null =>
  views.find((view) => view.id === search.get('view')) ?? views[0] ?? null

/** The user's layout of the columns of a view. */
export function layoutOf(get: Getter, definition: ListDefinition, view: ListView | null): Layout {
  if (!view) return plain
  const name = layoutName(get, definition, view)
  return get(layoutsAtom)[name] ?? readStorage(name, layoutSchema) ?? plain
}

/** The columns in an order: columns missing in `order` stay behind the one they follow, and the first stays first. */
export function inOrder<C extends { readonly id: string }>(columns: readonly C[], order: readonly string[]): readonly C[] {
  if (order.length === 0) return columns
  const [first, ...others] = columns
  const put = order.flatMap((id) => others.find((column) => column.id === id) ?? [])
  for (const [index, column] of others.entries()) {
    if (put.includes(column)) continue
    const before = others[index - 1]
    put.splice(before ? put.indexOf(before) + 1 : 0, 0, column)
  }
  return first ? [first, ...put] : []
}

/** The rendered columns: those chosen in this browser (SCR-040), else the view's default, in the user's order. */
export function columnsOf(get: Getter, definition: ListDefinition, view: ListView | null): readonly ListColumn[] {
  if (!view) return []
  const name = nameOf(definition, view)
  const chosen = get(chosenAtom)[name] ?? readStorage(name, z.array(z.string()))
  const held = get(heldAtom)
  const shown = view.columns.filter(
    (column, index) =>
      index === 0 || (chosen ? chosen.includes(column.id) : view.shown.includes(column.id) && !masked(column, held)),
  )
  const columns = inOrder(shown, layoutOf(get, definition, view).order)
  return columns.map((column) =>
    masked(column, held) ? { ...column, text: () => 'Hidden', value: undefined, draw: undefined } : column,
  )
}

const masked = (column: ListColumn, held: ReadonlySet<number>): boolean =>
  column.needs !== undefined && may(held, column.needs) !== 'yes'

/** Chooses the columns of the current view; the first one stays. Null restores the default. */
export function setColumns(list: List, shown: readonly string[] | null): void {
  const view = store.get(list.viewAtom)
  if (!view) return
  const name = nameOf(list.definition, view)
  writeStorage(name, shown)
  store.set(chosenAtom, ({ [name]: _, ...others }) => (shown ? { ...others, [name]: shown } : others))
}

/** Sets the layout of the current view; null restores the default. */
export function setLayout(list: List, layout: Layout | null): void {
  const view = store.get(list.viewAtom)
  if (!view) return
  const name = layoutName(store.get, list.definition, view)
  store.set(list.draggedAtom, null)
  writeStorage(name, layout)
  store.set(layoutsAtom, ({ [name]: _, ...others }) => (layout ? { ...others, [name]: layout } : others))
}
