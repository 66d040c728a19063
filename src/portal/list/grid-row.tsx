import { memo, useEffect, useReducer } from 'react'
import { isCut } from '#portal/list/grid-cut.ts'
import type { FittedColumn } from '#portal/list/grid-fit.ts'
import type { AnyColumn } from '#portal/list/pane.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'
import { recordAtom } from '#portal/records/entity-store.ts'

interface RowProps {
  /** The DOM id of the row, and prefix of those of its cells. */
  domId: string
  entity: string
  id: string
  /** Pixels from the top of the scroll space. */
  top: number
  /** Row number in the list, from 1; null while unknown. */
  number: number | null
  cells: readonly FittedColumn[]
  active: boolean
  marked: boolean
  noted: boolean
  /** True while scrolling too fast to read: only the first cell is rendered. */
  passing: boolean
  /** Index of the active cell in the active row; -1 without one. */
  now: number
}

/** The DOM id of a row, for aria-activedescendant; prefixed, since two lists on one page may have the same row. */
export const rowId = (list: List, id: string): string => `${list.scope.prefix}row-${id}`
/** The DOM id of a cell of the active row. */
export const cellId = (row: string, cell: number): string => `${row}-${cell}`

/** The class of a cell: alignment, and whether it is pinned. */
export const cellClass = (column: AnyColumn, pinned: boolean): string =>
  `cell${column.align === 'right' ? ' cell-right' : ''}${pinned ? ' cell-pinned' : ''}`

/** The current record of a slot. A slot that gets another record renders once for it, where `useAtomValue` would render twice. */
function useRecord(entity: string, id: string): unknown {
  const [, draw] = useReducer((times: number) => times + 1, 0)
  const at = recordAtom(entity, id)
  const now = store.get(at)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rendered record is compared once, on subscribe
  useEffect(() => {
    if (store.get(at) !== now) draw()
    return store.sub(at, draw)
  }, [at])
  return now
}

/** One row, memoized: renders only when its record, its place, or its active, marked or noted state changes. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { domId, entity, id, top, number, cells, active, marked, noted, passing, now } = props
  const row = useRecord(entity, id)
  if (row === undefined) return <SkeletonRow top={top} />
  return (
    <div
      role="row"
      id={domId}
      aria-rowindex={number === null ? undefined : number + 1}
      aria-selected={marked}
      className={`grid-row${active ? ' grid-now' : ''}${marked ? ' grid-marked' : ''}${noted ? ' grid-noted' : ''}`}
      style={{ top }}
    >
      <div className="pick" aria-hidden="true" />
      {(passing ? cells.slice(0, 1) : cells).map(({ column, width, style, pinned, clipped }, index) => {
        const drawn = column.draw ? column.draw(row) : column.text(row)
        const here = active && index === now
        const cut = clipped || isCut(column.long ? column.text(row) : drawn, width)
        return (
          <div
            key={column.id}
            role={index === 0 ? 'rowheader' : 'gridcell'}
            id={here ? cellId(domId, index) : undefined}
            className={`${cellClass(column, pinned)}${cut ? ' cell-cut' : ''}${here ? ' cell-now' : ''}`}
            style={style}
            title={cut ? column.text(row) : undefined}
          >
            {drawn}
          </div>
        )
      })}
    </div>
  )
})

/** Placeholder for a row that is loading: same height, no content. */
export const SkeletonRow = memo(function SkeletonRow({ top }: { top: number }) {
  return <div className="grid-row grid-skeleton" aria-hidden="true" style={{ top }} />
})
