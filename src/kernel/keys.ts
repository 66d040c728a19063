/** Milliseconds without a key after which the next one begins something new. */
export const maxSequenceGap = 700

/** One press of a chord: the character produced or the name of the key, and its modifiers. */
export interface Press {
  key: string
  mod: boolean
  shift: boolean
}

/** What the dispatcher reads of a keyboard event. */
export interface KeyInput {
  key: string
  /** Position of the key, `KeyK`: read only where the keyboard writes another script. */
  code?: string
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
    return {
      key: key === 'Space' ? ' ' : key.length === 1 ? key.toLowerCase() : key,
      mod: names.includes('Mod'),
      shift: names.includes('Shift'),
    }
  })

/** True for a key that a text field would take as text when it is pressed: a letter, a digit, a sign, without Mod. */
export const isPlain = (chord: string): boolean => parseChord(chord).some((press) => !press.mod && press.key.length === 1)

/** Keys beside the letters that are commands, and the question marks of other scripts. */
const otherScript: Readonly<Record<string, string>> = { BracketLeft: '[', BracketRight: ']', '؟': '?', '՞': '?', '？': '?' }

/**
 * The character of an event, lower case. Where the keyboard writes letters or digits of another script (Cyrillic, Greek, Arabic), the
 * Latin letter, bracket or digit at the position of the key, so that `p` and `Mod+K` are where they are printed.
 */
export function characterOf({ key, code = '' }: Pick<KeyInput, 'key' | 'code'>): string {
  const character = key.toLowerCase()
  if (character.charCodeAt(0) <= 127) return character
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? []
  if (/\p{Nd}/u.test(character)) return digit ?? character
  const bracket = /\p{Script=Latin}/u.test(character) ? undefined : otherScript[code]
  return letter?.toLowerCase() ?? otherScript[character] ?? bracket ?? character
}

/** Whether Shift tells a press from another: of a sign it does not, since some layouts need it there. */
const shiftCounts = ({ key }: Press): boolean => key.length > 1 || /^[a-z ]$/.test(key)

/**
 * Whether a keyboard event is this press. The character produced counts, not the key's position: `?` and `/` are
 * what they are on every layout, whichever of them needs Shift there.
 */
export function pressed(press: Press, input: KeyInput, mac: boolean): boolean {
  const mod = mac ? input.metaKey : input.ctrlKey
  const other = mac ? input.ctrlKey : input.metaKey
  if (input.altKey || other || mod !== press.mod) return false
  if (press.key.length > 1 ? input.key !== press.key : input.key.length !== 1 || characterOf(input) !== press.key) return false
  return !shiftCounts(press) || input.shiftKey === press.shift
}

/** How far events have come in a chord: all of it, the beginning of it, or not at all. */
export function progress(chord: string, inputs: readonly KeyInput[], mac: boolean): 'whole' | 'begun' | 'none' {
  const presses = parseChord(chord)
  if (inputs.length > presses.length) return 'none'
  for (const [index, input] of inputs.entries()) if (!pressed(presses[index] as Press, input, mac)) return 'none'
  return inputs.length === presses.length ? 'whole' : 'begun'
}

/** True for the press of a modifier alone: it neither continues nor breaks a sequence. */
export const isModifier = (input: Pick<KeyInput, 'key'>): boolean =>
  ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'Dead', 'Process'].includes(input.key)

/** True when two chords would answer the same keys in one scope, or one would swallow the other's beginning. */
export function clash(a: string, b: string): boolean {
  const [first, second] = [parseChord(a), parseChord(b)]
  const common = Math.min(first.length, second.length)
  for (let i = 0; i < common; i++) {
    const [x, y] = [first[i] as Press, second[i] as Press]
    if (x.key !== y.key || x.mod !== y.mod || (shiftCounts(x) && x.shift !== y.shift)) return false
  }
  return true
}

const drawn: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
  Backspace: '⌫',
  Delete: 'Del',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ContextMenu: 'Menu',
}

/** A chord as it is drawn, a press each: `Ctrl K` or `⌘ K`, and `g`, `e`. */
export const drawChord = (chord: string, mac: boolean): string[] =>
  chord.split(' ').map((part) =>
    part
      .split(/\+(?=.)/)
      .map((name) => (name === 'Mod' ? (mac ? '⌘' : 'Ctrl') : name === 'Shift' && mac ? '⇧' : (drawn[name] ?? name)))
      .join(' '),
  )

/** The value for `aria-keyshortcuts`; a sequence has none there, so its name says it instead. */
export const ariaChord = (chord: string, mac: boolean): string => chord.replace('Mod', mac ? 'Meta' : 'Control')
