import { type KeyboardEvent, useRef, useState } from 'react'

/** Milliseconds after which a letter starts a new text, as in native lists. */
const textEnds = 1_000

/** Accumulates letters typed in a row: `textOf` returns the text so far, null for a key that is not part of it. */
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
 * Type-ahead in an open list. `missed` is a text that matches no option, until the highlight is moved: Space chooses nothing
 * until then, since the highlighted option was not the one looked for.
 */
export function useTypeAhead(labels: readonly string[], active: number) {
  const { textOf, end } = useTypedText()
  const [missed, setMissed] = useState<string | null>(null)
  return {
    missed,
    forget: () => setMissed(null),
    /** Whether Space chooses the highlighted option; ends the text. */
    chooses: (): boolean => {
      end()
      return missed === null
    },
    /** The index that a key moves to; null if nothing matches, undefined if the key is not text. */
    find: (event: KeyboardEvent<HTMLElement>): number | null | undefined => {
      const text = textOf(event)
      if (text === null) return undefined
      const to = placeOf(labels, text, active)
      setMissed(to === null ? text : null)
      return to
    },
  }
}
