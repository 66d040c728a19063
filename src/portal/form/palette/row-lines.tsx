import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'

const rowHeight = 28

interface Props<Row> {
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  children: (row: Row) => ReactNode
}

/** A virtualized list with one line per row; renders nothing if it is empty. */
export function RowLines<Row>({ label, rows, keyOf, children }: Props<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    initialRect: { width: 600, height: 280 },
  })
  if (!rows.length) return null
  return (
    <section
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className="max-h-[40vh] overflow-auto rounded-lg border border-line"
    >
      <ul className="relative" style={{ height: drawn.getTotalSize() }}>
        {drawn.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] as Row
          return (
            <li
              key={keyOf(row)}
              aria-posinset={index + 1}
              aria-setsize={rows.length}
              className="absolute inset-x-0 flex h-7 items-center gap-3 px-3"
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
