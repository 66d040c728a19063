import { atom } from 'jotai/vanilla'
import type { Focus, Here } from '#portal/keyboard/focus.ts'
import { store } from '#portal/platform/store.ts'

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

/** What Escape does first where the keyboard is, the last one said; nothing where it does what the bar says. */
export const escapeFirstAtom = atom<readonly string[]>([])

const line = (says: string, ...chords: string[]): KeyLine => ({ chords, says })

const anything = line('anything', 'Mod+K')
const anywhere: readonly KeyLine[] = [line('next region', 'Tab'), anything]
const filter = line('filter', '/')
const [open, select, actions] = [line('open', 'Enter'), line('select', 'x'), line('actions', 'a')]
const peek = line('peek', 'Space')
/** Keys of the row one is at. */
const ofRow: readonly KeyLine[] = [open, peek, select, actions]
const keys = line('keys', '?')
const tabs = line('tabs', '1–9')

/** The next useful keys, for the status bar: of what has the focus, or of the part of the screen that it is in. */
export const barKeys: Record<Focus | Exclude<Here, 'page'>, readonly KeyLine[]> = {
  grid: [open, peek, select, actions, filter, keys],
  detail: [line('next, previous', 'j', 'k'), tabs, actions, line('back', 'Escape'), keys, line('whole width', 'Enter')],
  tab: [open, select, actions, filter, line('back to the record', 'Escape'), keys],
  drawer: [line('add the note', 'Mod+Enter'), line('next part', 'F6'), line('close the notes', 'Escape')],
  text: [anything, line('back to the list', 'Escape')],
  dialog: [line('close', 'Escape')],
  shell: [line('choose', 'Enter'), ...anywhere],
  screen: anywhere,
  nothing: anywhere,
}

/**
 * The same where the open tab of a record has a list, which nothing else says how to get into; and of a list where no row is
 * `chosen`, which nothing can be done to: where it is `empty` there is none to choose.
 */
export function keysIn(inside: keyof typeof barKeys, listed: boolean, chosen: boolean, empty = false): readonly KeyLine[] {
  if (inside === 'detail' && listed)
    return barKeys.detail.map((each) => (each === tabs ? { ...tabs, says: 'tabs; again for the list' } : each))
  if (chosen || (inside !== 'grid' && inside !== 'tab')) return barKeys[inside]
  const others = barKeys[inside].filter((each) => !ofRow.includes(each))
  return empty ? others : [line('choose a row', 'ArrowUp', 'ArrowDown'), ...others]
}
