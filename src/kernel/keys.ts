/** One press of a chord: the character produced or the name of the key, and its modifiers. */
export interface Press {
  key: string
  mod: boolean
  shift: boolean
}

/** What the dispatcher reads of a keyboard event. */
export interface KeyInput {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** `g e`, `Mod+K`, `Shift+F10` as presses in order. */
export const parseChord = (chord: string): Press[] =>
  chord.split(' ').map((part) => {
    const names = part.split(/\+(?=.)/)
    const key = names.at(-1) as string
    return { key: key.length === 1 ? key.toLowerCase() : key, mod: names.includes('Mod'), shift: names.includes('Shift') }
  })

/**
 * Whether a keyboard event is this press. The character produced counts, not the key's position: `?` and `/` are
 * what they are on every layout, whichever of them needs Shift there.
 */
export function pressed(press: Press, input: KeyInput, mac: boolean): boolean {
  const mod = mac ? input.metaKey : input.ctrlKey
  const other = mac ? input.ctrlKey : input.metaKey
  if (input.altKey || other || mod !== press.mod) return false
  if (press.key.length > 1) return input.key === press.key && input.shiftKey === press.shift
  const letter = /^[a-z]$/.test(press.key)
  if (input.key.length !== 1 || input.key.toLowerCase() !== press.key) return false
  return letter ? input.shiftKey === press.shift : true
}

/** True when two chords would answer the same keys in one scope, or one would swallow the other's beginning. */
export function clash(a: string, b: string): boolean {
  const [first, second] = [parseChord(a), parseChord(b)]
  const common = Math.min(first.length, second.length)
  for (let i = 0; i < common; i++) {
    const [x, y] = [first[i] as Press, second[i] as Press]
    if (x.key !== y.key || x.mod !== y.mod || x.shift !== y.shift) return false
  }
  return true
}

/** A chord as it is drawn: `Ctrl K`, `⌘ K`, `g e`. */
export const drawChord = (chord: string, mac: boolean): string[] =>
  chord.split(' ').map((part) =>
    part
      .replace('Mod', mac ? '⌘' : 'Ctrl')
      .replace('ArrowDown', '↓')
      .replace('ArrowUp', '↑')
      .replace('Enter', '↵')
      .replace('Escape', 'Esc')
      .replaceAll('+', ' '),
  )

/** The value for `aria-keyshortcuts`. */
export const ariaChord = (chord: string, mac: boolean): string => chord.replace('Mod', mac ? 'Meta' : 'Control')
