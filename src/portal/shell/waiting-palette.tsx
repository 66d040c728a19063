import { useAtomValue } from 'jotai'
import { useLayoutEffect } from 'react'
import { closePalette, enterPalette, focusOpener, paletteAtom, tellDrawn, typePalette } from '#portal/commands/palette-state.ts'

/** Takes the input while the palette itself is still loading; `failed` if it did not arrive. */
export function WaitingPalette({ failed }: { failed: boolean }) {
  const now = useAtomValue(paletteAtom)
  const { typed, pages } = now
  // Text typed for a form is queued until the form is rendered.
  useLayoutEffect(() => {
    if (pages.at(-1)?.kind === 'root') tellDrawn(now)
  }, [now, pages])
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
        className="sheet fixed top-[11vh] left-1/2 z-40 w-[660px] max-w-[calc(100vw-32px)] -translate-x-1/2 overflow-hidden"
      >
        <input
          aria-label="Type a command, a name or an id"
          className="block h-12 w-full bg-transparent px-3.5 text-[15px] outline-none"
          // biome-ignore lint/a11y/noAutofocus: the field is all of the dialog
          autoFocus
          value={typed}
          onChange={(event) => typePalette(event.target.value)}
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
