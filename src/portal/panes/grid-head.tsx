import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { cellClass } from '#portal/panes/grid-row.tsx'
import type { AnyColumn } from '#portal/panes/pane.ts'
import { setSort } from '#portal/state/filters.ts'
import { listAtom } from '#portal/state/list.ts'
import { store } from '#portal/state/store.ts'

/** Height of the heads, in pixels. */
export const headHeight = 32

const pickWidth = 30
const gap = 16

/** The tracks of the rows for each width of the list, as custom properties; grid.css chooses among them. */
export function tracks(columns: readonly AnyColumn[]): Record<string, string> {
  const made: Record<string, string> = {}
  for (const keep of [0, 1, 2, 3]) {
    const kept = columns.filter((column) => (column.keep ?? 0) >= keep)
    made[`--tracks-${keep}`] =
      `${pickWidth}px ${kept.map(({ width: [least, share] }) => `minmax(${least}px,${share}fr)`).join(' ')}`
    made[`--least-${keep}`] = `${pickWidth + gap * (kept.length + 1) + kept.reduce((sum, { width }) => sum + width[0], 0)}px`
  }
  return made
}

/** The heads; a click sorts, a second one the other way round. */
export const GridHead = memo(function GridHead({ columns }: { columns: readonly AnyColumn[] }) {
  const sort = useAtomValue(listAtom, { store })?.sort
  return (
    <div role="row" aria-rowindex={1} className="grid-head">
      <div aria-hidden="true" />
      {columns.map((column) => {
        const sorted = column.sort !== undefined && sort?.id === column.sort
        const order = sorted && sort?.order === 'asc' ? 'desc' : 'asc'
        return (
          <div
            key={column.id}
            role="columnheader"
            aria-sort={sorted ? (sort?.order === 'asc' ? 'ascending' : 'descending') : undefined}
            className={`${cellClass(column)}${column.sort ? ' cell-sorts' : ''}`}
            onClick={(event) => {
              event.stopPropagation()
              if (column.sort) setSort(column.sort, order)
            }}
          >
            {column.title}
            {sorted && (
              <span aria-hidden="true" className="cell-order">
                {sort?.order === 'asc' ? '↑' : '↓'}
              </span>
            )}
          </div>
        )
      })}
    </div>
  )
})
