import { wordsOf } from '#kernel/findable.ts'
import { fold } from '#kernel/fold.ts'
import { beginnings, wordAt } from '#kernel/match.ts'

/** Ranges of the typed letters in a text; empty if they do not match. */
export function ranges(text: string, typed: string): [number, number][] {
  const { query, words } = wordsOf(typed)
  if (!query) return []
  const folded = fold(text)
  const whole = folded.indexOf(query)
  if (whole !== -1) return [[whole, whole + query.length]]
  const found: [number, number][] = []
  for (const word of words) {
    const at = wordAt(folded, word) === -1 ? folded.indexOf(word) : wordAt(folded, word)
    if (at !== -1) found.push([at, at + word.length])
  }
  if (found.length) return merge(found)
  return merge(words.flatMap((word) => beginnings(folded, word) ?? []))
}

function merge(spans: [number, number][]): [number, number][] {
  const sorted = [...spans].sort((a, b) => a[0] - b[0])
  const merged: [number, number][] = []
  for (const [from, to] of sorted) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}
