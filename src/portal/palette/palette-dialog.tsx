import { type KeyboardEvent, type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { focusRecord, focusWork } from '#portal/keyboard/focus.ts'
import { placeAtom } from '#portal/platform/location.ts'
import { closePalette, focusOpener, popPage } from '#portal/commands/palette-state.ts'
import { tabStops } from '#portal/hotkeys/replay-key.ts'
import { store } from '#portal/platform/store.ts'

/**
 * The floating sheet: takes the focus, keeps it inside, and gives it back to where it was. While it is closed what it has
 * stays laid out, but is neither seen nor reached nor read out.
 */
export function PaletteDialog({ open, label, children }: { open: boolean; label: string; children: ReactNode }) {
  const sheet = useRef<HTMLDivElement>(null)

  // Undefined while it is closed; the record that was open when it opened.
  const before = useRef<string | null>(undefined)

  // Not what takes the effect back: React would give the focus to the field again that is out of sight by then.
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
    // Whatever ran may have put the focus where it belongs already.
    if (now && now !== document.body && !sheet.current?.contains(now)) return
    // Who jumped to a record goes on there; until it is drawn the list has the keyboard, so that no key is lost.
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is a dialog whenever a key can reach it */}
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
 * A press beside the sheet closes it. What the browser does by itself for a press comes after this: it would take the
 * focus from where closing has put it, and Chromium 156 crashes, since what was pressed is not laid out any more.
 */
function closedBy(event: MouseEvent): void {
  event.preventDefault()
  closePalette()
}

/** Tab at the last part goes to the first, and back. */
function keepInside(event: KeyboardEvent, sheet: HTMLElement): void {
  const parts = tabStops(sheet)
  const first = parts[0]
  const last = parts.at(-1)
  const now = document.activeElement
  if (first && last && !(event.shiftKey ? now === first || now === sheet : now === last)) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next?.focus()
}
