import { useAtomValue } from 'jotai'
import { lazy, Suspense } from 'react'
import { WaitingPalette } from '#portal/shell/waiting-palette.tsx'
import { everything } from '#portal/state/everything.ts'
import { idleLeftAtom } from '#portal/state/idle.ts'
import { keyMapAtom } from '#portal/state/key-map.ts'
import { loadErrorAtom } from '#portal/state/load-error.ts'
import { outdatedAtom } from '#portal/state/outdated.ts'
import { paletteAtom } from '#portal/state/palette.ts'

/** What floats draws commands and nouns: it comes with all of them. */
const withEverything = async <T,>(part: Promise<T>): Promise<T> => (await Promise.all([part, everything()]))[0]
const palette = () => withEverything(import('#portal/palette/palette.tsx'))
const dialogs = () => withEverything(import('#portal/shell/dialogs.tsx'))

/** Fetches what floats: palette, forms, dialogs and menus, which the first list does without. */
export const loadOverlays = (): Promise<unknown> => Promise.all([palette(), dialogs(), import('#portal/shell/account-menu.tsx')])

const Palette = lazy(palette)
const Dialogs = lazy(dialogs)

/** The palette, and the dialogs of the shell. Keys typed before the palette is there stand in its field already. */
export function Overlays({ more }: { more: boolean }) {
  const { open } = useAtomValue(paletteAtom)
  const any = [
    useAtomValue(idleLeftAtom) !== null,
    useAtomValue(keyMapAtom),
    useAtomValue(loadErrorAtom) !== null,
    useAtomValue(outdatedAtom),
  ]
  return (
    <>
      {(more || open) && (
        <Suspense fallback={open ? <WaitingPalette /> : null}>
          <Palette />
        </Suspense>
      )}
      {any.includes(true) && (
        <Suspense fallback={null}>
          <Dialogs />
        </Suspense>
      )}
    </>
  )
}
