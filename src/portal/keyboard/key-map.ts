import { atom } from 'jotai/vanilla'
import type { Focus, Here } from '#portal/keyboard/focus.ts'
import { store } from '#portal/platform/store.ts'

/** Whether the key map is open. */
export const keyMapAtom = atom(false)
/** Opens or closes the key map. */
export const showKeyMap = (shown: boolean): void => store.set(keyMapAtom, shown)

/** The id of the command whose shortcut is being changed; null while none is. */
export const changedKeysAtom = atom<string | null>(null)
/** Asks for the new shortcut of a command; null closes the dialog. */
export const changeKeysOf = (command: string | null): void => store.set(changedKeysAtom, command)

/** One line of the key map: equivalent keys and their action. */
export interface KeyLine {
  chords: readonly string[]
  says: string
}

/** The next useful keys of a page that defines its own; null elsewhere. */
export const pageKeysAtom = atom<readonly KeyLine[] | null>(null)

/** The next useful keys of a form in a dialog that defines its own; null elsewhere. */
export const formKeysAtom = atom<readonly KeyLine[] | null>(null)

/** What Escape does first at the focus, the last entry counts; empty if it does what the status bar says. */
export const escapeFirstAtom = atom<readonly string[]>([])

const line = (says: string, ...chords: string[]): KeyLine => ({ chords, says })

const anything = line('anything', 'Mod+K')
const anywhere: readonly KeyLine[] = [line('next region', 'Tab'), anything]
const filter = line('filter', '/')
const [open, select, actions] = [line('open', 'Enter'), line('select', 'x'), line('actions', 'a')]
const peek = line('peek', 'Space')
/** Keys of the active row. */
const ofRow: readonly KeyLine[] = [open, peek, select, actions]
const keys = line('keys', '?')
const tabs = line('tabs', '1–9')

/** The next useful keys for the status bar, by kind of focus or part of the screen. */
export const barKeys: Record<Focus | Exclude<Here, 'page'> | 'beside', readonly KeyLine[]> = {
  grid: [open, peek, select, actions, filter, keys],
  detail: [line('next, previous', 'j', 'k'), tabs, actions, line('back', 'Escape'), keys, line('whole width', 'Enter')],
  beside: [line('next part', 'F6'), tabs, actions, line('close', 'Escape'), keys],
  tab: [open, select, actions, filter, line('back to the record', 'Escape'), keys],
  drawer: [line('add the note', 'Mod+Enter'), line('next part', 'F6'), line('close the notes', 'Escape')],
  text: [anything, line('back to the list', 'Escape')],
  dialog: [line('close', 'Escape')],
  shell: [line('choose', 'Enter'), ...anywhere],
  screen: anywhere,
  nothing: anywhere,
}

/**
 * The same with the context: an open tab with a list has a hint how to enter it; a list without a `chosen` row has no row keys,
 * and no hint to choose one if it is `empty`.
 */
export function keysIn(inside: keyof typeof barKeys, listed: boolean, chosen: boolean, empty = false): readonly KeyLine[] {
  if ((inside === 'detail' || inside === 'beside') && listed)
    return barKeys[inside].map((each) => (each === tabs ? { ...tabs, says: 'tabs; again for the list' } : each))
  if (chosen || (inside !== 'grid' && inside !== 'tab')) return barKeys[inside]
  const others = barKeys[inside].filter((each) => !ofRow.includes(each))
  return empty ? others : [line('choose a row', 'ArrowUp', 'ArrowDown'), ...others]
}
