import { ranges } from '#kernel/ranges.ts'

/** A text on screen, and what was typed to find it. */
export interface Marked {
  node: Node | null | undefined
  text: string
  typed: string
}

// The browser paints the marks over the text: a letter typed changes no element of the rows that stay.
const letters = typeof Highlight === 'undefined' ? null : new Highlight()
if (letters) CSS.highlights.set('typed-letters', letters)

/** Marks the letters that were typed, and no others; `::highlight(typed-letters)` says how that looks. */
export function markLetters(texts: readonly Marked[]): void {
  if (!letters) return
  letters.clear()
  for (const { node, text, typed } of texts) {
    if (!(node instanceof Text) || !typed) continue
    for (const [startOffset, endOffset] of ranges(text, typed))
      letters.add(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }))
  }
}
