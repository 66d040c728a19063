import { type Arrangement, columnWidths } from '#kernel/command-host.ts'
import { chooseColumns } from '#portal/list/change.ts'
import { type Layout, layoutOf, setLayout } from '#portal/list/columns.ts'
import { widthOfTexts } from '#portal/list/column-texts.ts'
import { moveCell } from '#portal/list/cursor.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'
import { showToast } from '#portal/platform/toasts.ts'

/** Pixels by which a key changes the width of a column. */
const step = 24

/** A rendered column: id and width in pixels. */
export type RenderedColumns = readonly (readonly [id: string, width: number])[]

/** A width within the allowed range. */
export const within = (width: number): number => Math.min(columnWidths.max, Math.max(columnWidths.min, Math.round(width)))

/**
 * Widths with one column changed: columns before it are fixed at their current width, so that its edge ends up where it was
 * dropped.
 */
export function widthsWith(widths: Layout['widths'], drawn: RenderedColumns, id: string, width: number): Layout['widths'] {
  const at = drawn.findIndex(([each]) => each === id)
  return { ...widths, ...Object.fromEntries(drawn.slice(0, Math.max(0, at))), [id]: within(width) }
}

/** The ids with one moved before another, or to the end; the first one stays first. */
export function moved(ids: readonly string[], id: string, before: string | null): readonly string[] {
  const [first = '', ...others] = ids
  if (id === first || id === before) return ids
  const rest = others.filter((each) => each !== id)
  const at = before === null ? rest.length : before === first ? 0 : rest.indexOf(before)
  return [first, ...rest.toSpliced(at < 0 ? rest.length : at, 0, id)]
}

/** The id before which a column goes when it moves by one; null for the end. */
function beside(ids: readonly string[], id: string, by: 1 | -1): string | null {
  const at = ids.indexOf(id)
  return (by === 1 ? ids[at + 2] : ids[Math.max(1, at - 1)]) ?? null
}

/** Changes the stored layout of a list: width or order of columns, or a reset. */
export function arrange(list: List, how: Arrangement): void {
  const layout = layoutOf(store.get, list.definition)
  const { drawn } = list
  const ids = store.get(list.columnsAtom).map((column) => column.id)
  switch (how.does) {
    case 'reset':
      chooseColumns(list, null)
      setLayout(list, null)
      showToast('Columns reset')
      return
    case 'size': {
      const now = drawn.find(([id]) => id === how.column)?.[1] ?? columnWidths.min
      const width = how.by ? now + how.by * step : (how.width ?? now)
      setLayout(list, { ...layout, widths: widthsWith(layout.widths, drawn, how.column, width) })
      return
    }
    case 'fit': {
      const fit = how.column === undefined ? ids : [how.column]
      const widths = fit.reduce((all, id) => {
        const width = widthOfTexts(list, id)
        return width === null ? all : widthsWith(all, fit.length > 1 ? [] : drawn, id, width)
      }, layout.widths)
      setLayout(list, { ...layout, widths })
      return
    }
    case 'move': {
      if (ids[0] === how.column) {
        showToast('The first column stays where it is.')
        return
      }
      const seen = drawn.map(([id]) => id)
      const order = moved(ids, how.column, 'by' in how ? beside(seen, how.column, how.by) : how.before)
      // The active cell moves with its column.
      const active = seen[store.get(list.cursorAtom).cell]
      const cell = active === undefined ? -1 : order.filter((id) => seen.includes(id)).indexOf(active)
      // The user's own order from now on, with the columns that the address named.
      if (store.get(list.searchAtom).has('columns')) chooseColumns(list, ids)
      setLayout(list, { ...layout, order })
      moveCell(list, () => cell, seen.length)
    }
  }
}
