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

type Mark = readonly [node: Text, start: number, end: number]
let marked: readonly Mark[] = []

const isSame = (one: Mark, other: Mark | undefined): boolean => one.every((part, at) => part === other?.[at])

/** Marks exactly the typed letters; styled by `::highlight(typed-letters)`. What is marked already is not painted again. */
export function markLetters(texts: readonly MarkedText[]): void {
  if (!letters) return
  const marks = texts.flatMap(({ node, text, typed }): Mark[] =>
    node instanceof Text && typed ? [...ranges(text, typed)].map(([start, end]) => [node, start, end]) : [],
  )
  if (marks.length === marked.length && marks.every((mark, at) => isSame(mark, marked[at]))) return
  marked = marks
  letters.clear()
  for (const [node, startOffset, endOffset] of marks)
    letters.add(new StaticRange({ startContainer: node, startOffset, endContainer: node, endOffset }))
}
