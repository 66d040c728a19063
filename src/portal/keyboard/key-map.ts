import { atom } from 'jotai/vanilla'
import type { Focus } from '#portal/keyboard/focus.ts'
import { store } from '#portal/app/store.ts'

/** Whether the key map is on screen. */
export const keyMapAtom = atom(false)
/** Opens or closes the key map. */
export const showKeyMap = (shown: boolean): void => store.set(keyMapAtom, shown)

/** One line of the key map: the keys that do the same, and what they do. */
export interface KeyLine {
  chords: readonly string[]
  says: string
}

/** The next useful keys of a page that has its own; null elsewhere. */
export const pageKeysAtom = atom<readonly KeyLine[] | null>(null)

/** The next useful keys of a form in a dialog that has its own; null elsewhere. */
export const formKeysAtom = atom<readonly KeyLine[] | null>(null)

/** The next useful keys, for the status bar. */
export const barKeys: Record<Focus, readonly KeyLine[]> = {
  grid: [
    { chords: ['Enter'], says: 'open' },
    { chords: ['Space'], says: 'peek' },
    { chords: ['x'], says: 'select' },
    { chords: ['a'], says: 'actions' },
    { chords: ['/'], says: 'filter' },
    { chords: ['?'], says: 'keys' },
  ],
  detail: [
    { chords: ['j', 'k'], says: 'next, previous' },
    { chords: ['a'], says: 'actions' },
    { chords: ['Escape'], says: 'back' },
    { chords: ['?'], says: 'keys' },
  ],
  text: [
    { chords: ['Mod+K'], says: 'anything' },
    { chords: ['Escape'], says: 'back to the list' },
  ],
  dialog: [{ chords: ['Escape'], says: 'close' }],
  shell: [
    { chords: ['Enter'], says: 'choose' },
    { chords: ['Tab'], says: 'next region' },
    { chords: ['Mod+K'], says: 'anything' },
  ],
  nothing: [
    { chords: ['Tab'], says: 'next region' },
    { chords: ['Mod+K'], says: 'anything' },
  ],
}
