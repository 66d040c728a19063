import { useAtomValue } from 'jotai'
import { memo } from 'react'
import { isCut } from '#portal/list/grid-cut.ts'
import type { FittedColumn } from '#portal/list/grid-fit.ts'
import { cellClass } from '#portal/list/grid-row.tsx'
import { startCommand } from '#portal/platform/commands.ts'
import { clearMarks, markAll } from '#portal/list/marks.ts'
import type { List } from '#portal/list/list.ts'
import { store } from '#portal/platform/store.ts'
import { sayMissing } from '#portal/platform/toasts.ts'

/** Height of the header row, in pixels. */
export const headHeight = 32

/** The header row; a click sorts, a second one reverses the order. */
export const GridHead = memo(function GridHead({
  list,
  cells,
  minWidth,
}: {
  list: List
  cells: readonly FittedColumn[]
  minWidth: number
}) {
  const sort = useAtomValue(list.askedAtom, { store })?.sort
  const { all } = useAtomValue(list.marksAtom, { store })
  const sorts = new Set(list.definition.sorts.map(({ id }) => id))
  return (
    <div role="row" aria-rowindex={1} className="grid-head" style={{ minWidth: minWidth }}>
      {/* By keyboard it is Mod+A. */}
      <div className="grid-pick" aria-hidden="true" onClick={() => (all ? clearMarks(list) : markAll(list))}>
        <div className="pick" data-on={all || undefined} />
      </div>
      {cells.map(({ column, width, style, pinned }) => {
        const sorted = column.sort !== undefined && sort?.id === column.sort
        // Amounts sort by largest first.
        const first = column.align === 'right' ? 'desc' : 'asc'
        const order = !sorted ? first : sort?.order === 'asc' ? 'desc' : 'asc'
        const cut = isCut(column.title, width)
        return (
          <div
            key={column.id}
            role="columnheader"
            title={cut ? column.title : undefined}
            aria-sort={sorted ? (sort?.order === 'asc' ? 'ascending' : 'descending') : undefined}
            className={`${cellClass(column, pinned)}${column.sort && sorts.has(column.sort) ? ' cell-sorts' : ''}${cut ? ' cell-cut' : ''}`}
            style={style}
            data-column={column.id}
            onPointerDown={({ button, clientX, target, currentTarget }) => {
              const head = currentTarget.parentElement
              if (button !== 0 || !head) return
              const edge = (target as Element).classList.contains('cell-edge')
              if (edge || column !== cells[0]?.column)
                void import('#portal/list/column-drag.ts')
                  .then((drag) => (edge ? drag.dragEdge(list, column.id, clientX) : drag.dragHead(column.id, head, clientX)))
                  .catch(sayMissing)
            }}
            onClick={(event) => {
              event.stopPropagation()
              if (column.sort && sorts.has(column.sort))
                startCommand('list.sort', { params: { sort: column.sort, order }, complete: true })
            }}
          >
            {column.title}
            {sorted && (
              <span aria-hidden="true" className="cell-order">
                {sort?.order === 'asc' ? '↑' : '↓'}
              </span>
            )}
            {/* By keyboard it is `<` and `>`. */}
            <span
              aria-hidden="true"
              className="cell-edge"
              onClick={(event) => event.stopPropagation()}
              onDoubleClick={() => startCommand('list.columns.fit', { params: { column: column.id } })}
            />
          </div>
        )
      })}
    </div>
  )
})
