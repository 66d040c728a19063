import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { later, useLater } from '#portal/ui/later.tsx'
import { WaitingPalette } from '#portal/shell/waiting-palette.tsx'
import { commandsLostAtom, haveEverything, withEverything } from '#portal/platform/bundle.ts'
import { registeredAtom } from '#portal/platform/registry.ts'
import { idleLeftAtom } from '#portal/api/session.ts'
import { chordAtom } from '#portal/hotkeys/keys.ts'
import { keyMapAtom } from '#portal/keyboard/key-map.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { outdatedAtom } from '#portal/session/outdated.ts'
import { closePalette, paletteAtom } from '#portal/commands/palette-state.ts'

// What floats draws commands and nouns: it comes with all of them.
const palette = later(async () => (await withEverything(import('#portal/palette/palette.tsx'))).default)
const dialogs = later(async () => (await withEverything(import('#portal/shell/dialogs.tsx'))).default)

/** Fetches what floats and the first list does without: palette and forms, then dialogs. Rejects when a part does not arrive. */
export async function loadOverlays(): Promise<void> {
  await palette.fetch()
  await dialogs.fetch()
}

/** The palette, and the dialogs of the shell. Keys typed before the palette is there stand in its field already. */
export function Overlays({ more }: { more: boolean }) {
  const { open } = useAtomValue(paletteAtom)
  const any = [
    useAtomValue(idleLeftAtom) !== null,
    useAtomValue(keyMapAtom),
    useAtomValue(chordAtom) !== null,
    useAtomValue(loadErrorAtom) !== null,
    useAtomValue(outdatedAtom),
  ].includes(true)
  const { Component: Palette, failed } = useLater(palette, open)
  useAtomValue(registeredAtom)
  const lost = useAtomValue(commandsLostAtom)
  // What can be done here may be on its way.
  const ready = !open || haveEverything()
  // Once opened it stays: it is the palette that gives the keyboard back when it closes.
  const opened = useRef(false)
  opened.current ||= open
  const { Component: Dialogs } = useLater(dialogs, any)
  // A form is about what it was opened over: Back leaves both, and its draft is kept.
  useEffect(() => {
    addEventListener('popstate', closePalette)
    return () => removeEventListener('popstate', closePalette)
  }, [])
  return (
    <>
      {Palette && ready ? (more || opened.current) && <Palette /> : open && <WaitingPalette failed={failed || lost} />}
      {Dialogs && any && <Dialogs />}
    </>
  )
}
