import type { CSSProperties } from 'react'
import type { AnyColumn } from '#portal/list/pane.ts'

const pickWidth = 30
const gap = 16

/** One column as it is drawn now. */
export interface Fitted {
  column: AnyColumn
  /** In pixels. */
  width: number
  /** The same object for every row, so that a row drawn again sets no style. */
  style: CSSProperties
}

/** How much a column has to matter to stay in a list of that width, in pixels. */
const kept = (width: number): number => (width <= 460 ? 3 : width <= 560 ? 2 : width <= 720 ? 1 : 0)

/**
 * The columns that stay in a list of that width, with whole pixels for each: at least its least width, and its share of
 * what is left. Widths that are known lay a row out at once, where tracks would be found anew for every row.
 */
export function fitColumns(columns: readonly AnyColumn[], width: number): { cells: readonly Fitted[]; least: number } {
  const stay = columns.filter((column) => (column.keep ?? 0) >= kept(width))
  const around = pickWidth + gap * (stay.length + 1)
  const least = around + stay.reduce((sum, column) => sum + column.width[0], 0)
  const widths = new Map<AnyColumn, number>()
  let free = Math.max(width, least) - around
  let open = stay
  // A column whose share is less than its least width takes that, and the others share what then is left.
  for (;;) {
    const shares = open.reduce((sum, column) => sum + column.width[1], 0)
    const short = open.filter((column) => (free * column.width[1]) / shares < column.width[0])
    for (const column of short) {
      widths.set(column, column.width[0])
      free -= column.width[0]
    }
    if (short.length === 0) {
      const whole = open.map((column) => Math.floor((free * column.width[1]) / shares))
      const rest = free - whole.reduce((sum, each) => sum + each, 0)
      for (const [index, column] of open.entries()) widths.set(column, (whole[index] ?? 0) + (index === 0 ? rest : 0))
      break
    }
    open = open.filter((column) => !short.includes(column))
  }
  const cells = stay.map((column) => {
    const fitted = widths.get(column) ?? column.width[0]
    return { column, width: fitted, style: { width: fitted } }
  })
  return { cells, least }
}
