import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { Line } from '#portal/form/line.tsx'
import { popPage } from '#portal/commands/palette-state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** A page with only a message: why a command cannot be run, or that something is loading. Esc and Enter leave it. */
export function PageLines({ children, again }: { children: ReactNode; again?: () => void }) {
  const leave = useRef<HTMLButtonElement>(null)
  useEffect(() => leave.current?.focus(), [])
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    popPage()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape bubbles up from the focused element
    <div onKeyDown={keys}>
      <div className="px-[18px] pt-4">{children}</div>
      <div className="flex justify-end gap-2 px-[18px] pt-3 pb-3.5">
        {again && (
          <button type="button" className="btn" onClick={again}>
            Try again
          </button>
        )}
        <button ref={leave} type="button" className="btn" onClick={popPage}>
          Back <Kbd chord="Escape" />
        </button>
      </div>
    </div>
  )
}

/** Shown while data for a form is loading. */
export const Loading = ({ what }: { what: string }) => (
  <PageLines>
    <p role="status" data-waits className="h-[34px] animate-pulse content-center rounded-[7px] bg-sunken px-3 text-muted">
      {what}
    </p>
  </PageLines>
)

/** Shown if it failed to load. */
export const NotLoaded = ({ what, again }: { what: string; again: () => void }) => (
  <PageLines again={again}>
    <Line tone="bad" icon="alert" alert>
      {what}
    </Line>
  </PageLines>
)
