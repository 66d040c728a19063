import { useVirtualizer } from '@tanstack/react-virtual'
import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fitColumns } from '#portal/list/grid-fit.ts'
import { GridHead, headHeight } from '#portal/list/grid-head.tsx'
import { cellId, GridRow, rowId, SkeletonRow } from '#portal/list/grid-row.tsx'
import { useMoves } from '#portal/list/grid-moves.ts'
import { pointerOf } from '#portal/list/grid-pointer.ts'
import { observeInside, observeOffset, type Scroller } from '#portal/list/grid-scroll.ts'
import { Slots } from '#portal/list/grid-slots.ts'
import type { AnyColumn } from '#portal/list/pane.ts'
import { type GridAction, gridKeys, reader } from '#portal/keyboard/fixed-keys.ts'
import type { List } from '#portal/list/list.ts'
import { until } from '#portal/keyboard/hold.ts'
import { lettersAtom } from '#portal/keyboard/letters.ts'
import { moveCell, moveToEnd, settleMoves } from '#portal/list/cursor.ts'
import { tabListAtoms } from '#portal/list/lists.ts'
import { toggleMark } from '#portal/list/marks.ts'
import { overscan, rowHeight, type Space, spaceFor, staysAtTop } from '#portal/list/space.ts'
import { store } from '#portal/platform/store.ts'
import { notedAtom } from '#portal/list/noted.ts'
import { comingAtom } from '#portal/list/target.ts'

interface GridProps {
  list: List
  label: string
  /** Handles actions other than moves; called on the surrounding screen. */
  onAction: (action: GridAction['does']) => boolean
  /** Called when a row was clicked, once or twice. */
  onPick: (clicks: 1 | 2) => void
}

/** The virtualizer counts in steps, so that it does not remeasure with every page that arrives. */
const countStep = 10_000

const gridKey = reader(gridKeys)
const rowActions: readonly GridAction['does'][] = ['open', 'peek', 'mark']

/** Milliseconds without a far scroll after which everything is rendered. */
const calmAfter = 100

/** The virtualized grid: rows are reused slots, rendered only around the visible range. */
export function Grid({ list, label, onAction, onPick }: GridProps) {
  const { pages } = list
  const columns = useAtomValue(list.columnsAtom, { store }) as readonly AnyColumn[]
  const sizes = useAtomValue(list.widthsAtom, { store })
  const asked = useAtomValue(list.askedAtom, { store })
  const cursor = useAtomValue(list.cursorAtom, { store })
  const marks = useAtomValue(list.marksAtom, { store })
  const count = useAtomValue(list.tally.countAtom, { store })
  const shift = useAtomValue(list.shiftAtom, { store })
  const noted = useAtomValue(notedAtom, { store })
  useAtomValue(list.rowsAtom, { store })

  const box = useRef<HTMLDivElement>(null)
  const space = useRef<Space>({ origin: 0, rows: 0 })
  const seen = useRef({ shift, origin: 0, from: pages.from, asked, place: cursor.place, shown: false })
  const notifyOffset = useRef<((offset: number) => void) | null>(null)
  const before = space.current
  const range = useRef({ first: list.seen.first })
  if (seen.current.asked !== asked || seen.current.from !== pages.from) range.current.first = pages.from === 'start' ? 0 : -1
  space.current = spaceFor(before, pages.low, pages.high, range.current.first)
  const { origin, rows } = space.current

  const [width, setWidth] = useState(0)
  const virtual: Scroller = useVirtualizer<HTMLDivElement, Element>({
    count: Math.ceil(rows / countStep) * countStep,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: headHeight,
    useFlushSync: false,
    observeElementRect: useMemo(() => observeInside(setWidth), []),
    observeElementOffset: useMemo(() => observeOffset((notify) => (notifyOffset.current = notify)), []),
  })

  const visible = () => {
    const offset = virtual.scrollOffset ?? 0
    const height = (virtual.scrollRect?.height ?? 0) - headHeight
    const first = Math.max(0, Math.floor(offset / rowHeight))
    return { first, last: Math.max(first, Math.min(rows - 1, Math.floor((offset + height - 1) / rowHeight))), offset, height }
  }

  const { cells, minWidth } = useMemo(() => fitColumns(columns, width, sizes), [columns, width, sizes])
  list.drawn = useMemo(() => cells.map(({ column, width }) => [column.id, width] as const), [cells])
  const cell = Math.min(cursor.cell, cells.length - 1)

  const slots = useRef(new Slots())
  const calm = useRef({ now: false, screens: 0, offset: 0, timer: 0 })
  const [, drawAll] = useReducer((times: number) => times + 1, 0)
  if (seen.current.asked !== asked || seen.current.origin !== origin) slots.current.clear()
  const { first, last, offset, height } = visible()
  const wanted = virtual.getVirtualIndexes().filter((index) => index < rows)
  const waiting = slots.current.put(wanted, first, last, calm.current.now)
  // At the second screen in a row the list is passing: only the first cells render, until it is calm. While hidden it has no
  // height, and counts no screens.
  const far = height > 0 && Math.abs(offset - calm.current.offset) * 2 > height
  const screens = calm.current.screens + (far ? 1 : 0)
  const passing = screens > 1
  const { drawn } = slots.current
  const now = cursor.place - origin
  const away = now >= 0 && now < rows && !drawn.some(({ index }) => index === now)

  useLayoutEffect(() => {
    const state = calm.current
    Object.assign(state, { now: false, offset, screens })
    if (!waiting && !far) return
    clearTimeout(state.timer)
    state.timer = window.setTimeout(() => {
      Object.assign(state, { now: true, screens: 0 })
      drawAll()
    }, calmAfter)
  })
  useEffect(() => () => clearTimeout(calm.current.timer), [])

  const scrollTo = (offset: number) => {
    const element = box.current
    if (!element) return
    const height = (virtual.scrollRect?.height ?? 0) - headHeight
    const top = Math.max(0, Math.min(offset, space.current.rows * rowHeight - height))
    if (top === virtual.scrollOffset) return
    element.scrollTop = top
    notifyOffset.current?.(top)
  }

  /** Scrolls the cursor into view. */
  const reveal = () => {
    const { offset, height } = visible()
    const top = (store.get(list.cursorAtom).place - space.current.origin) * rowHeight
    if (top < offset) scrollTo(top)
    else if (top + rowHeight > offset + height) scrollTo(top + rowHeight - height)
  }

  // The places shifted, so the scroll offset shifts as well, before the next paint.
  useLayoutEffect(() => {
    const last = seen.current
    const began = last.asked !== asked || last.from !== pages.from
    const shown = (virtual.scrollRect?.height ?? 0) > 0
    seen.current = { shift, origin, from: pages.from, asked, place: cursor.place, shown }
    const element = box.current
    if (!element) return
    if (began) {
      const top = pages.from === 'start' ? 0 : rows * rowHeight
      element.scrollTop = top
      notifyOffset.current?.(element.scrollTop)
    } else if (last.origin !== origin || last.shift !== shift) {
      if (
        list === store.get(tabListAtoms[list.side]) &&
        last.origin === origin &&
        staysAtTop(offset, last.place - origin, now, height)
      )
        return
      const moved = (last.origin - origin + (shift - last.shift)) * rowHeight
      const top = Math.max(0, (virtual.scrollOffset ?? 0) + moved)
      element.scrollTop = top
      notifyOffset.current?.(top)
    } else if (shown && (last.place !== cursor.place || !last.shown)) {
      // The cursor was moved from the record; or the list is visible again, with its previous offset.
      if (!last.shown) scrollTo((list.seen.first - origin) * rowHeight + list.seen.past)
      reveal()
    }
  })

  useLayoutEffect(() => {
    // While hidden it has no height, so the visible range is not updated.
    const shown = (virtual.scrollRect?.height ?? 0) > 0
    if (!shown && !pages.empty) return
    const { first, last, offset } = visible()
    range.current.first = first + origin
    if (shown) list.seen = { first: first + origin, past: offset - first * rowHeight }
    if (rows > 0) pages.look(first + origin, last + origin)
  })

  /** Number of rows that PgUp and PgDn move by. */
  const screen = () => Math.max(1, Math.floor(visible().height / rowHeight) - 1)
  const scrollBy = (screens: number) => scrollTo(visible().offset + screens * screen() * rowHeight)
  const move = useMoves(list, { screen, scrollBy, reveal })

  /** Scrolls the active cell into view if the columns are wider than the list. */
  const showCell = () => {
    box.current?.querySelector('.cell-now')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }

  const act = (action: GridAction): boolean => {
    if (action.does === 'move') return move(action)
    settleMoves()
    // Row actions wait until the cursor has its row.
    if (rowActions.includes(action.does) && store.get(comingAtom)) {
      void until(() => !store.get(comingAtom)).then((there) => there && act(action))
      return true
    }
    switch (action.does) {
      case 'cell': {
        const to = (cell: number) => ({ left: cell - 1, right: cell + 1, first: 0, last: cells.length - 1 })[action.to]
        flushSync(() => moveCell(list, to, cells.length))
        showCell()
        return true
      }
      case 'start':
      case 'end':
        flushSync(() => moveToEnd(list, action.does as 'start' | 'end'))
        flushSync(reveal)
        return true
      case 'mark': {
        const { id } = store.get(list.cursorAtom)
        if (id !== null) toggleMark(list, id)
        return true
      }
      default:
        return onAction(action.does)
    }
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented || event.target !== box.current) return
    const action = gridKey(event.nativeEvent, store.get(lettersAtom))
    if (action && act(action)) event.preventDefault()
  }

  const placeAt = (event: MouseEvent<HTMLDivElement>): number | null => {
    const element = box.current
    if (!element) return null
    const y = event.clientY - element.getBoundingClientRect().top - headHeight
    const index = Math.floor((y + element.scrollTop) / rowHeight)
    return y < 0 || index >= rows ? null : index + origin
  }

  const activeId = now >= 0 && now < rows ? cursor.id : null
  const total = pages.total ?? (count?.exact ? count.count : null)
  const row = (index: number, key: number | string) => {
    const active = index === now && cursor.id !== null
    // The active row stays rendered after its page was evicted, since aria-activedescendant references it.
    const id = pages.idAt(index + origin) ?? (active ? (cursor.id ?? undefined) : undefined)
    const top = index * rowHeight
    if (id === undefined || !asked) return <SkeletonRow key={key} top={top} />
    return (
      <GridRow
        key={key}
        domId={rowId(list, id)}
        entity={list.rows}
        id={id}
        top={top}
        number={list.numberOf(index + origin, total)}
        cells={cells}
        active={active}
        marked={marks.all || marks.ids.has(id)}
        noted={noted.has(`${list.rows} ${id}`)}
        passing={passing && !active}
        now={active ? cell : -1}
      />
    )
  }

  return (
    <div
      ref={box}
      role="grid"
      tabIndex={0}
      data-scope="grid"
      data-list={list.definition.name}
      aria-label={label}
      aria-rowcount={total === null ? -1 : total + 1}
      aria-colcount={cells.length}
      aria-multiselectable="true"
      aria-busy={pages.empty}
      aria-activedescendant={
        activeId === null ? undefined : cell < 0 ? rowId(list, activeId) : cellId(rowId(list, activeId), cell)
      }
      className="grid-box"
      onKeyDown={onKeyDown}
      {...pointerOf(list, placeAt, onPick)}
    >
      <GridHead list={list} cells={cells} minWidth={minWidth} />
      <div role="presentation" className="grid-space" style={{ height: rows * rowHeight, minWidth: minWidth }}>
        {drawn.map(({ slot, index }) => row(index, slot))}
        {away && row(now, 'away')}
      </div>
    </div>
  )
}
