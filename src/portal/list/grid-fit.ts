import { createElement, type CSSProperties, Fragment } from 'react'
import type { AnyColumn } from '#portal/list/pane.ts'

const pickWidth = 30
const gap = 16
/** Minimum width of a text column in the narrowest list: it ends in an ellipsis, while an amount is never cut. */
const narrowText = 110

/** One rendered column. */
export interface FittedColumn {
  column: AnyColumn
  /** In pixels. */
  width: number
  /** The same object for every row, so that rendering a row again sets no style. */
  style: CSSProperties
  /** Sticky while the list scrolls sideways. */
  pinned: boolean
  /** Always clipped: in the narrowest list the text may have less room than it needs. */
  clipped: boolean
}

/** Minimum `keep` of a column in a list of this width, in pixels. */
const kept = (width: number): number => (width <= 460 ? 3 : width <= 560 ? 2 : width <= 720 ? 1 : 0)

/** A column in the narrowest list: `under` is shown below a figure, with at least the width of 'Overdue 217 d'. */
function narrowed(column: AnyColumn): AnyColumn {
  const { draw, narrow, text, under } = column
  if (narrow) return { ...column, draw: narrow }
  if (!under) return column
  const figure = draw ?? text
  return {
    ...column,
    width: [104, 0.6],
    draw: (row) => createElement(Fragment, null, figure(row), createElement('small', null, under(row))),
  }
}

/**
 * The columns that fit a list of this width, in whole pixels: at least the minimum width of each, and its share of the rest;
 * `sizes` are widths set by the user, which shrink before a column is hidden. If there is too little room even for the minimum
 * widths, the list scrolls sideways, and as many amount columns as possible stay visible beside whole columns. Known
 * widths lay out a row at once, where grid tracks would be resolved for every row.
 */
export function fitColumns(
  columns: readonly AnyColumn[],
  width: number,
  sizes: Readonly<Record<string, number>> = {},
): { cells: readonly FittedColumn[]; minWidth: number } {
  let matters = kept(width)
  const floorOf = ({ id, align, width: [minWidth] }: AnyColumn): number =>
    align === 'right' ? minWidth : Math.min(minWidth, sizes[id] ?? minWidth, matters === 3 ? narrowText : minWidth)
  const staying = () => columns.filter((column) => (column.keep ?? 0) >= matters)
  const minWidthOf = (of: readonly AnyColumn[]): number =>
    of.reduce((sum, column) => sum + floorOf(column) + gap, pickWidth + gap)
  // In a narrow list, columns are hidden before it scrolls sideways.
  while (matters > 0 && matters < 3 && minWidthOf(staying()) > width) matters += 1
  const stay = matters === 3 ? staying().map(narrowed) : staying()
  const minWidth = minWidthOf(stay)
  const around = pickWidth + gap * (stay.length + 1)
  const floors = minWidth - around
  const widths = new Map<string, number>()
  let free = Math.max(width, minWidth) - around

  const sized = stay.filter(({ id }) => sizes[id] !== undefined)
  const more = (column: AnyColumn): number => Math.max(0, (sizes[column.id] ?? 0) - floorOf(column))
  const wanted = sized.reduce((sum, column) => sum + more(column), 0)
  const given = Math.min(1, (free - floors) / (wanted || 1))
  for (const column of sized) widths.set(column.id, floorOf(column) + Math.floor(more(column) * given))
  for (const each of widths.values()) free -= each

  let open = stay.filter(({ id }) => sizes[id] === undefined)
  // A column whose share is below its minimum width gets the minimum, and the others share the rest.
  for (;;) {
    const shares = open.reduce((sum, column) => sum + column.width[1], 0)
    const short = open.filter((column) => (free * column.width[1]) / shares < floorOf(column))
    for (const column of short) {
      widths.set(column.id, floorOf(column))
      free -= floorOf(column)
    }
    if (short.length === 0) {
      const whole = open.map((column) => Math.floor((free * column.width[1]) / shares))
      const rest = free - whole.reduce((sum, each) => sum + each, 0)
      for (const [index, column] of open.entries()) widths.set(column.id, (whole[index] ?? 0) + (index === 0 ? rest : 0))
      break
    }
    open = open.filter((column) => !short.includes(column))
  }
  const widthOf = (column: AnyColumn): number => widths.get(column.id) ?? floorOf(column)
  const pinned = minWidth > width ? pinnedOf(stay, widthOf, width) : []
  const beside = (of: readonly AnyColumn[]): number => of.reduce((sum, each) => sum + widthOf(each) + gap, gap)
  // A partly visible column beside the pinned amounts would be read as complete: the first column takes its room instead, so that
  // it is reached only by scrolling.
  let over = width - pickWidth - beside(pinned)
  for (const column of stay) {
    if (pinned.includes(column)) continue
    if (widthOf(column) + gap > over) break
    over -= widthOf(column) + gap
  }
  const [first] = stay
  if (!pinned.length || !first || sizes[first.id] !== undefined) over = 0
  else widths.set(first.id, widthOf(first) + over)
  const cells = stay.map((column) => {
    const at = pinned.indexOf(column)
    const edges = at < 0 ? {} : { left: beside(pinned.slice(0, at)), right: beside(pinned.slice(at + 1)) }
    return {
      column,
      width: widthOf(column),
      style: { width: widthOf(column), ...edges },
      pinned: at >= 0,
      clipped: matters === 3,
    }
  })
  return { cells, minWidth: minWidth + over }
}

/** The amounts that stay pinned beside the first column, starting from the last. */
function pinnedOf(stay: readonly AnyColumn[], widthOf: (column: AnyColumn) => number, width: number): AnyColumn[] {
  const [first, ...others] = stay
  let room = width - pickWidth - 2 * gap - (first ? widthOf(first) : 0)
  const amounts = others.filter(({ align }) => align === 'right')
  const pinned: AnyColumn[] = []
  for (const column of amounts.reverse()) {
    room -= widthOf(column) + gap
    if (room < 0) break
    pinned.unshift(column)
  }
  return pinned
}
