import { atom } from 'jotai/vanilla'
import type { AnyPane } from '#portal/panes/pane.ts'
import { placeAtom } from '#portal/state/location.ts'
import { store } from '#portal/state/store.ts'

const panesAtom = atom<readonly AnyPane[]>([])

/** Called by `main.tsx` with the default exports of `src/portal/panes`. */
export const registerPanes = (found: readonly unknown[]): void =>
  store.set(
    panesAtom,
    found.filter((each): each is AnyPane => (each as { kind?: unknown } | null | undefined)?.kind === 'pane'),
  )

/** All lists. */
export const panes = (): readonly AnyPane[] => store.get(panesAtom)

/** The list that the address names; null where it names none. */
export const paneAtom = atom<AnyPane | null>((get) => {
  const place = get(placeAtom)
  return get(panesAtom).find((pane) => pane.entity.name === place?.entity) ?? null
})
