import { useLayoutEffect } from 'react'
import { closePalette, enterPalette, focusOpener, tellDrawn } from '#portal/commands/palette-state.ts'
import { usePalette } from '#portal/commands/use-palette.ts'
import { StandInField } from '#portal/form/stand-in-field.tsx'

/** The palette, or one of its forms, while its code is loading; `failed` if it did not arrive. Takes text for it at once. */
export function WaitingPalette({ failed }: { failed: boolean }) {
  const now = usePalette()
  const isRoot = now.pages.at(-1)?.kind === 'root'
  useLayoutEffect(() => tellDrawn(now), [now])
  return (
    <>
      <div
        className="veil z-40"
        aria-hidden="true"
        onMouseDown={(event) => {
          event.preventDefault()
          leave()
        }}
      />
      <div
        role="dialog"
        aria-modal="true"
        aria-label="Command palette"
        data-waits={isRoot ? undefined : ''}
        className="sheet fixed top-[11vh] left-1/2 z-40 w-[660px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden"
      >
        <StandInField
          aria-label={isRoot ? 'Type a command, a name or an id' : 'Text for the form'}
          className="block h-12 w-full bg-transparent px-3.5 text-[15px] outline-none"
          data-ahead={isRoot ? undefined : ''}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || event.keyCode === 229) return
            if (event.key === 'Enter' && !event.repeat) enterPalette()
            if (event.key === 'Escape') leave()
          }}
        />
        {failed && (
          <p className="border-t border-line px-3.5 py-2 text-muted" role="status">
            Commands could not be loaded. Trying again until the network is back; what you type stays.
          </p>
        )}
      </div>
    </>
  )
}

function leave(): void {
  closePalette()
  focusOpener()
}
