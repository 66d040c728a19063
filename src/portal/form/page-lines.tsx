import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { StandInField } from '#portal/form/stand-in-field.tsx'
import { Line } from '#portal/form/line.tsx'
import { popPage } from '#portal/commands/palette-state.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

/** Header of a page in the palette: its subject, title, and what it needs. */
export function PageHead({ chip, title, aside, id }: { chip: string | null; title: string; aside?: string; id?: string }) {
  return (
    <div className="flex h-12 flex-none items-center gap-2 border-b border-line px-3.5 text-title">
      {chip && (
        <span className="inline-flex h-6 min-w-20 items-center rounded-md bg-accent-wash px-2 text-[12.5px] font-[550] text-accent">
          <span className="truncate">{chip}</span>
        </span>
      )}
      <h2 id={id} className="max-w-[60%] shrink-0 truncate font-[550]">
        {title}
      </h2>
      {aside && <span className="ml-auto shrink-0 text-small text-muted">{aside}</span>}
    </div>
  )
}

/** A page with only a message: why a command cannot be run, or that something is loading. Esc and Enter leave it. */
export function PageLines({ children, again }: { children: ReactNode; again?: () => void }) {
  const leave = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!document.activeElement?.matches('[data-ahead]')) leave.current?.focus()
  }, [])
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

/** A page with one sentence: why there is nothing else on it. */
export const OneLine = (line: Pick<ComponentProps<typeof Line>, 'icon' | 'alert' | 'children'>) => (
  <PageLines>
    <Line tone="plain" {...line} />
  </PageLines>
)

/** Shown while what a form needs is loading: text typed now is for its first field. */
export const LoadingForm = ({ what }: { what: string }) => (
  <PageLines>
    <StandInField
      aria-label="Text for the form"
      data-ahead
      placeholder={what}
      className="h-[34px] w-full animate-pulse rounded-[7px] bg-sunken px-3 outline-none placeholder:text-muted not-placeholder-shown:animate-none"
    />
    <p role="status" data-waits className="sr-only">
      {what}
    </p>
  </PageLines>
)

/** Shown while a page without fields is loading. */
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
