import { type KeyboardEvent, useRef, useState } from 'react'

/** Milliseconds after which a letter begins a new text, as in the browser's own lists. */
const textEnds = 1_000

/** Puts letters that are typed one after the other together: `textOf` answers the text so far, null for a key that is none of it. */
export function useTypedText() {
  const typed = useRef({ text: '', at: 0 })
  return {
    textOf: (event: KeyboardEvent<HTMLElement>): string | null => {
      const { key, timeStamp } = event
      const before = timeStamp - typed.current.at < textEnds ? typed.current.text : ''
      if (key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || (key === ' ' && before === '')) return null
      typed.current = { text: before + key.toLowerCase(), at: timeStamp }
      return typed.current.text
    },
    end: () => {
      typed.current.text = ''
    },
  }
}

/**
 * The index of the choice that matches the typed text: its label starts with it, else one of its words does, else it contains it.
 * The search starts at the active choice, or behind it if one letter is typed, once or repeatedly; null if nothing matches.
 */
export function placeOf(labels: readonly string[], text: string, active = -1): number | null {
  const [letter = ''] = text
  const isOne = [...text].every((each) => each === letter)
  const from = Math.max(0, isOne ? active + 1 : active)
  const places = labels.map((_, at) => (from + at) % labels.length)
  const has = (part: string) => places.find((at) => ` ${labels[at]?.toLowerCase()}`.includes(part))
  const begins = (wanted: string) => places.find((at) => labels[at]?.toLowerCase().startsWith(wanted)) ?? has(` ${wanted}`)
  return begins(text) ?? (isOne ? begins(letter) : undefined) ?? has(text) ?? null
}

/**
 * Letters that lead to a choice in what is open. `missed` is the text that no choice has, until the highlight is moved: Space chooses
 * nothing so long, since what is highlighted is not what was looked for.
 */
export function useTypeAhead(labels: readonly string[], active: number) {
  const { textOf, end } = useTypedText()
  const [missed, setMissed] = useState<string | null>(null)
  return {
    missed,
    forget: () => setMissed(null),
    /** Whether Space chooses what is highlighted; the text ends with it. */
    chooses: (): boolean => {
      end()
      return missed === null
    },
    /** The place that a key leads to; null where nothing has the text, undefined where the key is none of a text. */
    find: (event: KeyboardEvent<HTMLElement>): number | null | undefined => {
      const text = textOf(event)
      if (text === null) return undefined
      const to = placeOf(labels, text, active)
      setMissed(to === null ? text : null)
      return to
    },
  }
}
