import type { Command, Key, KeyScope } from '#kernel/command.ts'
import { clash, isPlain, parseChord } from '#kernel/keys.ts'
import { type Focus, scopesOf } from '#portal/keyboard/focus.ts'

export interface KeyBinding {
  id: string
  key: Key
  entity: string | null
}

/** The keys of commands, one by one. */
export const bindingsOf = (commands: readonly Pick<Command, 'id' | 'keys' | 'on'>[]): KeyBinding[] =>
  commands.flatMap(({ id, keys = [], on }) => keys.map((key): KeyBinding => ({ id, key, entity: on?.name ?? null })))

const focuses: readonly Focus[] = ['grid', 'detail', 'screen', 'text', 'shell', 'nothing', 'dialog']

/** Whether two keys can be active at the same time: some focus enables both scopes, and keys of a row belong to the same noun. */
const activeTogether = (a: KeyBinding, b: KeyBinding): boolean => {
  const together = focuses.some((focus) => [a, b].every((each) => scopesOf(focus).includes(each.key.scope)))
  const nouns = a.key.scope === 'row' && b.key.scope === 'row' && a.entity !== null && b.entity !== null
  return together && (!nouns || a.entity === b.entity)
}

/** Whether two keys would run two commands, unless both say that they toggle on one key. */
export const areClashing = (a: KeyBinding, b: KeyBinding): boolean =>
  a.id !== b.id &&
  activeTogether(a, b) &&
  clash(a.key.chord, b.key.chord) &&
  (a.key.toggles === undefined || a.key.toggles !== b.key.toggles)

/** Chords that browsers keep for themselves. */
const browserChords = [
  ...['Mod+N', 'Mod+T', 'Mod+W', 'Mod+Shift+N', 'Mod+Shift+T', 'Mod+Shift+W'],
  ...['Mod+Shift+P', 'Mod+Shift+K', 'Mod+Shift+A'],
]

/** Chords that edit text wherever a field has the focus. */
const editingChords = ['Mod+A', 'Mod+C', 'Mod+V', 'Mod+X', 'Mod+Y', 'Mod+Backspace', 'Mod+Delete']

/** Why a chord is never bound in a scope, as a sentence; null if it may be. */
export function whyNeverBound(chord: string, scope: KeyScope): string | null {
  const has = (all: readonly string[]) => all.some((each) => clash(each, chord))
  if (/\bAltGraph\b/.test(chord)) return 'AltGr types characters on many keyboards.'
  if (/\bAlt\b/.test(chord)) return 'Alt with another key opens a menu of the browser or types a character.'
  if (/\b(CapsLock|Insert|NumLock|ScrollLock)\b/.test(chord)) return 'Screen readers use this key.'
  if (has(browserChords)) return 'The browser keeps these keys for itself.'
  if (/\bF\d+\b/.test(chord)) return 'The function keys belong to the browser and to moving between parts of the page.'
  if (/\b(Tab|Escape)\b/.test(chord)) return 'Tab and Escape always move and close.'
  if (scope === 'everywhere' && has(editingChords)) return 'These keys edit text.'
  if (scope === 'everywhere' && (isPlain(chord) || parseChord(chord).some(({ mod }) => !mod)))
    return 'This shortcut works where people type, too: hold Ctrl, or Cmd on a Mac.'
  return null
}
