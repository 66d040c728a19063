import { type KeyInput, type Press, parseChord, pressed } from '#kernel/keys.ts'
import { mac } from '#portal/platform/operating-system.ts'

// All keys that do not belong to a command. Key handlers read them here, and so does the test that checks them against the keys
// of commands.

/** Opens the palette from anywhere. */
export const paletteKey = 'Mod+K'
/** Actions for the active record: in a list and on its page. */
export const actionKeys = ['a', 'Shift+F10', 'ContextMenu']

/** Cycles through the parts of the page: list, record, the record beside it, notes. */
export const partKeys: Readonly<Record<string, 1 | -1>> = { F6: 1, 'Shift+F6': -1 }

/** Action of a key in a grid. */
export type GridAction =
  | { does: 'move'; rows?: number; pages?: number; extend?: boolean }
  | { does: 'cell'; to: 'left' | 'right' | 'first' | 'last' }
  | { does: 'start' | 'end' | 'open' | 'beside' | 'peek' | 'mark' | 'mark-all' | 'copy' | 'escape' | 'search' }

/** Keys of a list. In a record's tab it handles them before the record. */
export const gridKeys: Readonly<Record<string, GridAction>> = {
  ArrowDown: { does: 'move', rows: 1 },
  ArrowUp: { does: 'move', rows: -1 },
  j: { does: 'move', rows: 1 },
  k: { does: 'move', rows: -1 },
  'Shift+ArrowDown': { does: 'move', rows: 1, extend: true },
  'Shift+ArrowUp': { does: 'move', rows: -1, extend: true },
  PageDown: { does: 'move', pages: 1 },
  PageUp: { does: 'move', pages: -1 },
  ArrowLeft: { does: 'cell', to: 'left' },
  ArrowRight: { does: 'cell', to: 'right' },
  Home: { does: 'cell', to: 'first' },
  End: { does: 'cell', to: 'last' },
  'Mod+Home': { does: 'start' },
  'Mod+End': { does: 'end' },
  Enter: { does: 'open' },
  'Mod+Enter': { does: 'beside' },
  Space: { does: 'peek' },
  x: { does: 'mark' },
  'Shift+Space': { does: 'mark' },
  'Mod+A': { does: 'mark-all' },
  'Mod+C': { does: 'copy' },
  Escape: { does: 'escape' },
  '/': { does: 'search' },
}

/** Action of a key in a record. */
export type DetailAction =
  | 'back'
  | 'wide'
  | 'down'
  | 'up'
  | 'page-down'
  | 'page-up'
  | 'next'
  | 'previous'
  | 'search'
  | 'tab'
  | 'next-tab'
  | 'previous-tab'

/** Keys of a record; a digit opens the tab of that number. */
export const detailKeys: Readonly<Record<string, DetailAction>> = {
  Escape: 'back',
  Enter: 'wide',
  ArrowDown: 'down',
  ArrowUp: 'up',
  PageDown: 'page-down',
  PageUp: 'page-up',
  j: 'next',
  k: 'previous',
  ArrowRight: 'next-tab',
  ArrowLeft: 'previous-tab',
  '/': 'search',
  ...Object.fromEntries([...'123456789'].map((digit) => [digit, 'tab' as const])),
}

/** Looks up the action of a key event, or null if it has none. Letters count only while `letters` is on. */
export function reader<Action>(keys: Readonly<Record<string, Action>>) {
  const bindings = Object.entries(keys).map(([chord, action]) => ({ press: parseChord(chord)[0] as Press, action }))
  return (event: KeyInput & Pick<KeyboardEvent, 'isComposing' | 'keyCode'>, letters: boolean): Action | null => {
    if (event.isComposing || event.keyCode === 229) return null
    const found = bindings.find(({ press }) => pressed(press, event, mac))
    if (!found) return null
    const { key, mod } = found.press
    return key.length === 1 && key !== ' ' && !mod && !letters ? null : found.action
  }
}
