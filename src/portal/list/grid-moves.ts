import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { placeAfter, moveTo, whenSettling } from '#portal/list/cursor.ts'
import type { GridAction } from '#portal/keyboard/fixed-keys.ts'
import type { List } from '#portal/list/list.ts'
import { extendTo } from '#portal/list/marks.ts'

type Move = Extract<GridAction, { does: 'move' }>

/** What the grid does for the moves of one frame. */
interface Moving {
  /** Rows that PgUp and PgDn move by. */
  screen: () => number
  /** Scrolls by a number of screens. */
  scrollBy: (screens: number) => void
  /** Brings the cursor into sight. */
  reveal: () => void
}

const none = { rows: [] as number[], screens: 0, extend: false, frame: 0 }

/** Takes moves of the cursor: a key held down is answered once a frame, with all that came since the last one. */
export function useMoves(list: List, { screen, scrollBy, reveal }: Moving): (move: Move) => true {
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
  // What waits for its frame has happened before anything else is asked of the cursor.
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
