import { ranges } from '#kernel/ranges.ts'

/** A text on screen, and the typed text that found it. */
export interface MarkedText {
  node: Node | null | undefined
  text: string
  typed: string
}

// CSS highlights paint over the text, so that a keystroke changes no element of the rows that stay.
const letters = typeof Highlight === 'undefined' ? null : new Highlight()
if (letters) CSS.highlights.set('typed-letters', letters)

/** Marks exactly the typed letters; styled by `::highlight(typed-letters)`. */
export function markLetters(texts: readonly MarkedText[]): void {
  if (!letters) return
  letters.clear()
  for (const { node, text, typed } of texts) {
    if (!(node instanceof Text) || !typed) continue
    for (const [startOffset, endOffset] of ranges(text, typed))
      letters.add(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }))
  }
}
