import type { HTMLAttributes, MouseEvent } from 'react'
import { moveTo } from '#portal/list/cursor.ts'
import type { List } from '#portal/list/list.ts'
import { clearMarks, extendTo, toggleMark } from '#portal/list/marks.ts'
import { openActions } from '#portal/platform/commands.ts'
import { store } from '#portal/platform/store.ts'

type Pointer = MouseEvent<HTMLDivElement>

/**
 * Mouse handlers for the rows of a list: a click moves the cursor, on the checkbox it marks the row, with Shift it marks the
 * range, and the secondary button opens the row's commands. `placeAt` returns the place under the pointer.
 */
export function pointerOf(
  list: List,
  placeAt: (event: Pointer) => number | null,
  onPick: (clicks: 1 | 2) => void,
): Pick<HTMLAttributes<HTMLDivElement>, 'onMouseDown' | 'onClick' | 'onContextMenu'> {
  const rowAt = (event: Pointer) => {
    const place = placeAt(event)
    const id = place === null ? undefined : list.pages.idAt(place)
    return place === null || id === undefined ? null : { place, id }
  }
  const isPick = ({ target }: Pointer): boolean => (target as Element).closest('.pick') !== null
  return {
    onMouseDown: (event) => {
      if (!event.shiftKey || !rowAt(event)) return
      // The browser would select the text in between.
      event.preventDefault()
      event.currentTarget.focus({ preventScroll: true })
    },
    onClick: (event) => {
      const row = rowAt(event)
      if (!row) return
      if (event.shiftKey && !isPick(event)) {
        extendTo(list, row.place)
        return
      }
      if (getSelection()?.toString()) return
      moveTo(list, row.place)
      if (isPick(event)) toggleMark(list, row.id)
      else onPick(event.detail > 1 ? 2 : 1)
    },
    onContextMenu: (event) => {
      const row = rowAt(event)
      // With selected text the browser's own menu opens; the menu key is handled elsewhere.
      if (!row || event.button !== 2 || getSelection()?.toString()) return
      event.preventDefault()
      const { all, ids } = store.get(list.marksAtom)
      if (!all && !ids.has(row.id)) clearMarks(list)
      moveTo(list, row.place)
      openActions()
    },
  }
}
