/** Milliseconds without a key after which a new sequence starts. */
export const maxSequenceGap = 700

/** One press of a chord: the produced character or the key name, and its modifiers. */
export interface Press {
  key: string
  mod: boolean
  shift: boolean
}

/** The properties of a keyboard event that the dispatcher reads. */
export interface KeyInput {
  key: string
  /** Position of the key, `KeyK`: only used if the keyboard writes another script. */
  code?: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** Parses `g e`, `Mod+K`, `Shift+F10` into presses in order. */
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

/** True for a key that types text in a field: a letter, a digit, a sign, without Mod. */
export const isPlain = (chord: string): boolean => parseChord(chord).some((press) => !press.mod && press.key.length === 1)

/** Command keys other than letters, and the question marks of other scripts. */
const otherScript: Readonly<Record<string, string>> = { BracketLeft: '[', BracketRight: ']', '؟': '?', '՞': '?', '？': '?' }

/**
 * The character of an event, lower case. If the keyboard writes letters or digits of another script (Cyrillic, Greek, Arabic),
 * the Latin letter, bracket or digit at the position of the key, so that `p` and `Mod+K` are where they are printed.
 */
export function characterOf({ key, code = '' }: Pick<KeyInput, 'key' | 'code'>): string {
  const character = key.toLowerCase()
  if (character.charCodeAt(0) <= 127) return character
  const [, letter, digit] = /^(?:Key([A-Z])|Digit(\d))$/.exec(code) ?? []
  if (/\p{Nd}/u.test(character)) return digit ?? character
  const bracket = /\p{Script=Latin}/u.test(character) ? undefined : otherScript[code]
  return letter?.toLowerCase() ?? otherScript[character] ?? bracket ?? character
}

/** Whether Shift distinguishes presses of this key. Not for signs, since some layouts need Shift to type them. */
const shiftCounts = ({ key }: Press): boolean => key.length > 1 || /^[a-z ]$/.test(key)

/**
 * Whether a keyboard event matches a press. Compares the produced character, not the position of the key: `?` and `/` work on
 * every layout, with or without Shift.
 */
export function pressed(press: Press, input: KeyInput, mac: boolean): boolean {
  const mod = mac ? input.metaKey : input.ctrlKey
  const other = mac ? input.ctrlKey : input.metaKey
  if (input.altKey || other || mod !== press.mod) return false
  if (press.key.length > 1 ? input.key !== press.key : input.key.length !== 1 || characterOf(input) !== press.key) return false
  return !shiftCounts(press) || input.shiftKey === press.shift
}

/** The chord of one key press, as a command declares it; null for a modifier alone. */
export function chordOf(input: KeyInput, mac: boolean): string | null {
  if (isModifier(input)) return null
  const character = characterOf(input)
  const mod = mac ? input.metaKey : input.ctrlKey
  const key = input.key === ' ' ? 'Space' : input.key.length > 1 ? input.key : mod ? character.toUpperCase() : character
  const [press] = parseChord(key)
  const shift = input.shiftKey && press && shiftCounts(press)
  return [mod && 'Mod', shift && 'Shift', key].filter(Boolean).join('+')
}

/** How much of a chord the events match: all of it, a prefix, or none. */
export function progress(chord: string, inputs: readonly KeyInput[], mac: boolean): 'whole' | 'partial' | 'none' {
  const presses = parseChord(chord)
  if (inputs.length > presses.length) return 'none'
  for (const [index, input] of inputs.entries()) if (!pressed(presses[index] as Press, input, mac)) return 'none'
  return inputs.length === presses.length ? 'whole' : 'partial'
}

/** True for a modifier alone: it neither continues nor breaks a sequence. */
export const isModifier = (input: Pick<KeyInput, 'key'>): boolean =>
  ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Fn', 'Dead', 'Process'].includes(input.key)

/** True if two chords in the same scope are equal, or one is a prefix of the other. */
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

/** A chord as displayed, one item per press: `Ctrl K` or `⌘ K`, and `g`, `e`. */
export const drawChord = (chord: string, mac: boolean): string[] =>
  chord.split(' ').map((part) =>
    part
      .split(/\+(?=.)/)
      .map((name) => (name === 'Mod' ? (mac ? '⌘' : 'Ctrl') : name === 'Shift' && mac ? '⇧' : (drawn[name] ?? name)))
      .join(' '),
  )

/** Value of `aria-keyshortcuts`. It does not support sequences; these are part of the accessible name. */
export const ariaChord = (chord: string, mac: boolean): string => chord.replace('Mod', mac ? 'Meta' : 'Control')
