import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { OneLine, PageHead } from '#portal/form/page-lines.tsx'
import { open } from '#portal/commands/command-host.ts'
import { closePalette, popPage } from '#portal/commands/palette-state.ts'
import { otherPlaces } from '#portal/commands/places.ts'
import { characterOf } from '#kernel/keys.ts'
import { focusRecord, focusWorkSoon } from '#portal/keyboard/focus.ts'
import { Kbd } from '#portal/ui/kbd.tsx'

const title = 'Recent places'

/** The screens of this tab that were left, last one first: Enter returns to one. */
export function PlacesPage() {
  const [places] = useState(otherPlaces)
  const list = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  useEffect(() => list.current?.focus(), [])
  if (places.length === 0)
    return (
      <>
        <PageHead chip={null} title={title} />
        <OneLine icon="history">You have been nowhere else in this tab yet.</OneLine>
      </>
    )
  const goTo = (index: number, newTab: boolean) => {
    const { address } = places[index] as (typeof places)[number]
    closePalette()
    open(address, { newTab })
    if (newTab) return
    if (/^\/[^/]+\/[^/]+$/.test(address.split('?')[0] ?? '')) focusRecord()
    else focusWorkSoon()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.altKey) return
    const { key } = event
    const letter = characterOf(event)
    if (key === 'Escape' || key === 'Backspace') popPage()
    else if (key === 'ArrowDown' || letter === 'j') setAt((at + 1) % places.length)
    else if (key === 'ArrowUp' || letter === 'k') setAt((at - 1 + places.length) % places.length)
    else if (key === 'Home') setAt(0)
    else if (key === 'End') setAt(places.length - 1)
    else if (key === 'Enter' && !event.repeat) goTo(at, event.ctrlKey || event.metaKey)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <PageHead chip={null} title={title} />
      <div
        ref={list}
        role="listbox"
        aria-label={`${title}, last one first`}
        aria-activedescendant={`place-${at}`}
        tabIndex={0}
        onKeyDown={keys}
        className="max-h-[52vh] overflow-auto py-1.5 outline-none"
      >
        {places.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox handles the keys
          <div
            key={place.address}
            id={`place-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onClick={() => goTo(index, false)}
            ref={(row) => {
              if (index === at) row?.scrollIntoView?.({ block: 'nearest' })
            }}
            className={`mx-1.5 flex h-9 items-center rounded-[7px] px-2.5 ${index === at ? 'bg-accent-wash' : ''}`}
          >
            <span className="truncate">{place.title}</span>
          </div>
        ))}
      </div>
      <div className="flex h-9 items-center gap-4 border-t border-line bg-canvas px-4 text-small text-muted">
        <span className="inline-flex items-center gap-1.5">
          <Kbd chord="Enter" /> open
        </span>
        <span className="inline-flex items-center gap-1.5">
          <Kbd chord="Mod+Enter" /> new tab
        </span>
      </div>
    </>
  )
}
