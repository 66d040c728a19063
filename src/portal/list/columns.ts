import { atom, type Getter } from 'jotai/vanilla'
import { z } from 'zod'
import { isMasked, maskedText } from '#portal/format/cell-text.ts'
import type { ListColumn, ListDefinition } from '#portal/list/definition.ts'
import type { List } from '#portal/list/list.ts'
import { heldAtom, meAtom } from '#portal/api/session.ts'
import { writeStorage, readStorage } from '#portal/platform/storage.ts'
import { store } from '#portal/platform/store.ts'

/** The user's layout of a list: order of columns, and custom widths in pixels. */
export interface Layout {
  readonly order: readonly string[]
  readonly widths: Readonly<Record<string, number>>
}
const layoutSchema: z.ZodType<Layout> = z.object({ order: z.array(z.string()), widths: z.record(z.string(), z.number()) })
const plain: Layout = { order: [], widths: {} }

const chosenAtom = atom<Readonly<Record<string, readonly string[]>>>({})
const layoutsAtom = atom<Readonly<Record<string, Layout>>>({})

const nameOf = ({ name }: ListDefinition): string => `admin-portal.columns.${name}`
/** Stored per person and browser, since widths depend on the screen. */
const layoutName = (get: Getter, { name }: ListDefinition): string => `admin-portal.layout.${get(meAtom)?.person.id}.${name}`

/** The user's layout of the columns of a list. */
export function layoutOf(get: Getter, definition: ListDefinition): Layout {
  const name = layoutName(get, definition)
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

/**
 * The rendered columns: those that the address names, in its order; else those chosen in this browser (SCR-040), else the list's
 * default, in the user's order. Only columns that the user chose are shown masked.
 */
export function columnsOf(get: Getter, definition: ListDefinition, inAddress: readonly string[] | null): readonly ListColumn[] {
  const name = nameOf(definition)
  const chosen = inAddress ? null : (get(chosenAtom)[name] ?? readStorage(name, z.array(z.string())))
  const held = get(heldAtom)
  const usual = inAddress ?? definition.shown
  const shown = definition.columns.filter(
    (column, index) =>
      index === 0 || (chosen ? chosen.includes(column.id) : usual.includes(column.id) && !isMasked(column, held)),
  )
  const columns = inOrder(shown, inAddress ?? layoutOf(get, definition).order)
  return columns.map((column) =>
    isMasked(column, held) ? { ...column, text: () => maskedText, value: undefined, draw: undefined } : column,
  )
}

/** Chooses the columns of a list; the first one stays. Null restores the default. */
export function setColumns(list: List, shown: readonly string[] | null): void {
  const name = nameOf(list.definition)
  writeStorage(name, shown)
  store.set(chosenAtom, ({ [name]: _, ...others }) => (shown ? { ...others, [name]: shown } : others))
}

/** Sets the layout of a list; null restores the default. */
export function setLayout(list: List, layout: Layout | null): void {
  const name = layoutName(store.get, list.definition)
  store.set(list.draggedAtom, null)
  writeStorage(name, layout)
  store.set(layoutsAtom, ({ [name]: _, ...others }) => (layout ? { ...others, [name]: layout } : others))
}
