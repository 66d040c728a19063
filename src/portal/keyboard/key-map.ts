import { atom } from 'jotai/vanilla'
import type { Focus, Here } from '#portal/keyboard/focus.ts'
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

const anywhere: readonly KeyLine[] = [
  { chords: ['Tab'], says: 'next region' },
  { chords: ['Mod+K'], says: 'anything' },
]

const tabs: KeyLine = { chords: ['1–9'], says: 'tabs' }

/** The next useful keys, for the status bar: of what has the focus, or of the part of the screen that it is in. */
export const barKeys: Record<Focus | Exclude<Here, 'page'>, readonly KeyLine[]> = {
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
    tabs,
    { chords: ['a'], says: 'actions' },
    { chords: ['Escape'], says: 'back' },
    { chords: ['?'], says: 'keys' },
    { chords: ['Enter'], says: 'whole width' },
  ],
  tab: [
    { chords: ['Enter'], says: 'open' },
    { chords: ['x'], says: 'select' },
    { chords: ['a'], says: 'actions' },
    { chords: ['/'], says: 'filter' },
    { chords: ['Escape'], says: 'back to the record' },
    { chords: ['?'], says: 'keys' },
  ],
  drawer: [
    { chords: ['Mod+Enter'], says: 'add the note' },
    { chords: ['F6'], says: 'next part' },
    { chords: ['Escape'], says: 'close the notes' },
  ],
  text: [
    { chords: ['Mod+K'], says: 'anything' },
    { chords: ['Escape'], says: 'back to the list' },
  ],
  dialog: [{ chords: ['Escape'], says: 'close' }],
  shell: [{ chords: ['Enter'], says: 'choose' }, ...anywhere],
  screen: anywhere,
  nothing: anywhere,
}

/** The same where the open tab of a record has a list, which nothing else says how to get into. */
export const keysIn = (inside: keyof typeof barKeys, listed: boolean): readonly KeyLine[] =>
  inside === 'detail' && listed
    ? barKeys.detail.map((line) => (line === tabs ? { ...tabs, says: 'tabs; again for the list' } : line))
    : barKeys[inside]
