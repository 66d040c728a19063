import { type Findable, wordsOf } from '#kernel/findable.ts'
import { type Found, match, tier, tierOf } from '#kernel/match.ts'

/** At most one letter wrong, missing, extra, or two swapped; the end of the word may still be untyped. */
function nearlyAt(text: string, at: number, typed: string): boolean {
  const length = typed.length
  if (length < 4 || text[at] !== typed[0]) return false
  let i = 0
  while (i < length && text[at + i] === typed[i]) i++
  if (i >= length) return true
  const rest = (a: number, b: number) => text.startsWith(typed.slice(b), at + a)
  return (
    rest(i + 1, i + 1) ||
    rest(i + 1, i) ||
    rest(i, i + 1) ||
    (text[at + i] === typed[i + 1] && text[at + i + 1] === typed[i] && rest(i + 2, i + 2))
  )
}

/** Whether a word of a folded text begins so, with one letter wrong at most. */
export function nearlyIn(text: string, typed: string): boolean {
  for (let at = 0; ; at++) {
    if (text.startsWith(typed, at) || nearlyAt(text, at, typed)) return true
    at = text.indexOf(' ', at)
    if (at === -1) return false
  }
}

/** Whether all words are nearly in a title; of several in that of a command one only may be wrong: two wrong ones are somebody's name. */
const isNearly = ({ folded, titles }: Findable, words: readonly string[]): boolean =>
  words.every((word) => nearlyIn(folded, word)) &&
  (titles === null || words.length === 1 || words.filter((word) => !folded.includes(word)).length === 1)

/** Finds among the same things again and again, as somebody types. */
export type Finder<T> = (typed: string, used: (key: string) => number, most?: number) => Found<T>[]

interface Step<T> {
  query: string
  hits: readonly Findable<T>[]
  /** What was answered, and for what: Backspace asks for it again. */
  answer: { used: unknown; most: number; found: Found<T>[] } | null
}

/**
 * Finds what matches, best first: by tier, then by title before another name, then by how often and how lately it was
 * used, then in the order given.
 * Typing errors are forgiven only when fewer than five matched otherwise, and never in a number.
 * While the query only grows, what did not match before is not asked again.
 */
export function finder<T>(items: readonly Findable<T>[]): Finder<T> {
  // What matched each shorter query that was typed on the way to this one.
  const way: Step<T>[] = [{ query: '', hits: items, answer: null }]
  return (typed, used, most = 50) => {
    const { query, words } = wordsOf(typed)
    if (!query) return []
    while (way.length > 1 && !query.startsWith((way.at(-1) as Step<T>).query)) way.pop()
    const before = way.at(-1) as Step<T>
    if (before.query === query && before.answer?.used === used && before.answer.most === most) return before.answer.found
    const hits: Findable<T>[] = []
    // For each tier what its title matches, then what another name does.
    const buckets: Findable<T>[][] = Object.values(tier).flatMap(() => [[], []])
    for (const item of before.hits) {
      const found = tierOf(item, query, words)
      if (found === -1) continue
      hits.push(item)
      buckets[found * 2]?.push(item)
    }
    if (before.query === query) way.pop()
    if (hits.length < 5 && !/\d/.test(query)) {
      const already = new Set(hits)
      for (const item of items) if (!already.has(item) && isNearly(item, words)) buckets[tier.typingError * 2]?.push(item)
    }
    const found = best(buckets, used, most).map(({ item, tier: of }) =>
      of === tier.typingError ? { item, tier: of, by: null } : (match(item, query, words) as Found<T>),
    )
    way.push({ query, hits, answer: { used, most, found } })
    return found
  }
}

function best<T>(buckets: readonly Findable<T>[][], used: (key: string) => number, most: number) {
  const result: { item: Findable<T>; tier: number }[] = []
  for (const [of, bucket] of buckets.entries()) {
    const rest = most - result.length
    if (rest <= 0) break
    const favourites: { item: Findable<T>; score: number }[] = []
    const others: Findable<T>[] = []
    for (const item of bucket) {
      const score = used(item.key)
      if (score > 0) favourites.push({ item, score })
      else if (others.length < rest) others.push(item)
    }
    favourites.sort((a, b) => b.score - a.score)
    for (const item of [...favourites.map((each) => each.item), ...others].slice(0, rest))
      result.push({ item, tier: Math.floor(of / 2) })
  }
  return result
}
