import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { placeAfter, moveTo, whenSettling } from '#portal/list/cursor.ts'
import type { GridAction } from '#portal/keyboard/fixed-keys.ts'
import type { List } from '#portal/list/list.ts'
import { extendTo } from '#portal/list/marks.ts'

type Move = Extract<GridAction, { does: 'move' }>

/** Grid operations for the moves of one frame. */
interface GridOperations {
  /** Number of rows that PgUp and PgDn move by. */
  screen: () => number
  /** Scrolls by a number of screens. */
  scrollBy: (screens: number) => void
  /** Scrolls the cursor into view. */
  reveal: () => void
}

const none = { rows: [] as number[], screens: 0, extend: false, frame: 0 }

/** Collects cursor moves: a held key is handled once per frame, with all its events since the last one. */
export function useMoves(list: List, { screen, scrollBy, reveal }: GridOperations): (move: Move) => true {
  const waiting = useRef(none)
  const flush = () => {
    const { rows, screens, extend, frame } = waiting.current
    cancelAnimationFrame(frame)
    waiting.current = none
    if (!rows.length) return
    flushSync(() => {
      const to = placeAfter(list, rows)
      if (extend) extendTo(list, to)
      else moveTo(list, to)
      if (screens) scrollBy(screens)
      reveal()
    })
  }
  // Queued moves are performed before anything else uses the cursor.
  useEffect(() => whenSettling(flush))

  return ({ rows = 0, pages = 0, extend = false }) => {
    if (waiting.current.frame && waiting.current.extend !== extend) flush()
    const before = waiting.current
    waiting.current = {
      rows: [...before.rows, pages ? pages * screen() : rows],
      screens: before.screens + pages,
      extend,
      frame: before.frame || requestAnimationFrame(flush),
    }
    return true
  }
}
