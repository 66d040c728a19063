import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { placeToasts } from '#portal/shell/toast-place.ts'
import { startCommand } from '#portal/commands/start.ts'
import { dismiss, type Toast, toastsAtom, undoKeyAtom } from '#portal/platform/toasts.ts'
import { chordById } from '#portal/platform/registry.ts'
import { Icon } from '#portal/ui/icon.tsx'
import { Kbd } from '#portal/ui/kbd.tsx'

const seconds = { plain: 5, good: 8, bad: 14 }

function One({ toast }: { toast: Toast }) {
  const keyed = useAtomValue(undoKeyAtom)
  const undoKey = chordById('session.undo')
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismiss(toast.id), seconds[toast.tone] * 1000)
    return () => clearTimeout(timer)
  }, [held, toast])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a toast stays while it is hovered or focused
    <div
      className="sheet flex max-w-full items-center gap-3 rounded-[9px] py-2.5 pr-2.5 pl-3.5"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast.tone !== 'plain' && (
        <Icon name={toast.tone === 'good' ? 'check' : 'warning'} className={toast.tone === 'good' ? '' : 'text-bad'} />
      )}
      <div className="min-w-0">
        <p className="wrap-anywhere">{toast.sentence}</p>
        {toast.chord && (
          <p className="flex items-center gap-1.5 text-small text-muted">
            Shortcut <Kbd chord={toast.chord} hidden={false} />
          </p>
        )}
        {toast.detail && <p className="text-small wrap-anywhere text-muted">{toast.detail}</p>}
      </div>
      {toast.undo !== null && (
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => {
            dismiss(toast.id)
            startCommand('session.undo', { params: { entry: toast.undo }, stays: true })
          }}
        >
          Undo {keyed === toast.undo && undoKey && <Kbd chord={undoKey} />}
        </button>
      )}
      <button
        type="button"
        className="rounded p-1 text-muted hover:bg-sunken"
        aria-label="Dismiss"
        onClick={() => dismiss(toast.id)}
      >
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

/** Milliseconds between two checks of the position while toasts are shown: a record may open below them. */
const placeInterval = 100

/** The current toasts, at the bottom right of the list; the live regions announce them. */
export function Toasts() {
  const toasts = useAtomValue(toastsAtom)
  const box = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const place = () => box.current && placeToasts(box.current)
    place()
    if (!toasts.length) return
    const timer = setInterval(place, placeInterval)
    return () => clearInterval(timer)
  }, [toasts])
  if (!toasts.length) return null
  return (
    <section ref={box} aria-label="Messages" className="fixed z-50 grid justify-items-end gap-2">
      {toasts.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </section>
  )
}
