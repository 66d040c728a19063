import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { goTo } from '#portal/form/fields/go-to.ts'
import { focusRecord, focusWork } from '#portal/keyboard/focus.ts'
import { tabStops } from '#portal/keyboard/tab-stops.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { closePalette, focusOpener, popPage } from '#portal/commands/palette-state.ts'
import { store } from '#portal/platform/store.ts'

/**
 * The floating sheet: traps the focus while open, and restores it after. While closed it stays laid out, but is hidden from view,
 * tab order and screen readers.
 */
export function PaletteDialog({ open, label, children }: { open: boolean; label: string; children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null)

  // Undefined while closed; otherwise the record that was open at that time.
  const before = useRef<string | null>(undefined)

  // Not in the cleanup of the effect: React would restore the focus to the field, which is hidden by then.
  useLayoutEffect(() => {
    const record = store.get(placeAtom)?.id ?? null
    if (open) {
      before.current = record
      return
    }
    if (before.current === undefined) return
    const jumped = record !== null && record !== before.current
    before.current = undefined
    const now = document.activeElement
    // The command may already have moved the focus.
    if (now && now !== document.body && !sheet.current?.contains(now)) return
    // After a jump to a record the focus goes there; until it renders the list has the focus, so that no key is lost.
    if (jumped) {
      focusWork()
      focusRecord()
    } else focusOpener()
  }, [open])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.nativeEvent.isComposing || event.keyCode === 229) return
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      popPage()
    } else if (event.key === 'Tab' && sheet.current) keepInside(event, sheet.current)
  }

  return createPortal(
    <div className={open ? 'fixed inset-0 z-40' : 'fixed inset-0 -z-10 [content-visibility:hidden]'}>
      <div className="veil" aria-hidden="true" onMouseDown={closedBy} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has the role dialog whenever a key can reach it */}
      <div
        ref={sheet}
        {...(open ? { role: 'dialog', 'aria-modal': true, 'aria-label': label } : {})}
        tabIndex={-1}
        className="sheet absolute top-[min(11dvh,110px)] left-1/2 max-h-[calc(100dvh-min(11dvh,110px)-16px)] w-[660px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden outline-none"
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </div>,
    document.body,
  )
}

/**
 * A press beside the sheet closes it. The default action of the press is prevented: it would move the focus from where closing
 * has put it, and Chromium 156 crashes, since the pressed element is no longer laid out.
 */
function closedBy(event: MouseEvent): void {
  event.preventDefault()
  closePalette()
}

/** Tab wraps from the last element to the first, and back. Between them the browser moves the focus, but not for a queued key. */
function keepInside(event: KeyboardEvent, sheet: HTMLElement): void {
  const parts = tabStops(sheet)
  const now = document.activeElement ?? sheet
  const [side, at, wrapped] = event.shiftKey
    ? [Node.DOCUMENT_POSITION_PRECEDING, -1, parts.at(-1)]
    : [Node.DOCUMENT_POSITION_FOLLOWING, 0, parts[0]]
  const next = parts.filter((part) => now.compareDocumentPosition(part) & side).at(at)
  if (next && event.nativeEvent.isTrusted) return
  event.preventDefault()
  goTo(next ?? wrapped)
}
