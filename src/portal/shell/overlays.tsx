import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { later, useLater } from '#portal/ui/later.tsx'
import { coreParts } from '#portal/shell/core-parts.ts'
import { WaitingPalette } from '#portal/shell/waiting-palette.tsx'
import { withEverything } from '#portal/platform/bundle.ts'
import { idleLeftAtom } from '#portal/api/session.ts'
import { chordAtom } from '#portal/hotkeys/keys.ts'
import { changedKeysAtom, keyMapAtom } from '#portal/keyboard/key-map.ts'
import { loadErrorAtom } from '#portal/records/load-error.ts'
import { outdatedAtom } from '#portal/session/outdated.ts'
import { tourAtom } from '#portal/commands/tour.ts'
import { closePalette, composingAtom, paletteOpenAtom } from '#portal/commands/palette-state.ts'

const palette = later(async () => (await coreParts()).Palette)
const tour = later(async () => (await withEverything(import('#portal/shell/tour/tour.tsx'))).Tour)
const dialogs = later(async () => (await withEverything(import('#portal/shell/dialogs.tsx'))).Dialogs)

/** Loads the overlays that the first list does not need: palette and forms, then dialogs. Rejects if a part fails. */
export async function loadOverlays(): Promise<void> {
  await palette.fetch()
  await dialogs.fetch()
}

/** The palette, and the dialogs of the shell. Keys typed before the palette has loaded are in its field already. */
export function Overlays({ more }: { more: boolean }) {
  const open = useAtomValue(paletteOpenAtom)
  const any = [
    useAtomValue(idleLeftAtom) !== null,
    useAtomValue(keyMapAtom),
    useAtomValue(changedKeysAtom) !== null,
    useAtomValue(chordAtom) !== null,
    useAtomValue(loadErrorAtom) !== null,
    useAtomValue(outdatedAtom),
  ].includes(true)
  const { Component: Palette, failed } = useLater(palette, open)
  const composing = useAtomValue(composingAtom)
  const shows = useRef(false)
  shows.current ||= Palette !== undefined && !composing
  // Stays mounted once opened: the palette restores the focus when it closes.
  const opened = useRef(false)
  opened.current ||= open
  const isTouring = useAtomValue(tourAtom) !== null
  const { Component: Tour } = useLater(tour, isTouring)
  const { Component: Dialogs } = useLater(dialogs, any)
  // A form belongs to the page behind it: Back leaves both, and its draft is kept.
  useEffect(() => {
    addEventListener('popstate', closePalette)
    return () => removeEventListener('popstate', closePalette)
  }, [])
  return (
    <>
      {Palette && shows.current ? (more || opened.current) && <Palette /> : open && <WaitingPalette failed={failed} />}
      {Dialogs && any && <Dialogs />}
      {Tour && isTouring && <Tour />}
    </>
  )
}
