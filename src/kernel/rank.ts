import { type Findable, wordsOf } from '#kernel/findable.ts'
import { type Match, match, tier, tierOf, wordAt } from '#kernel/match.ts'

/** At most one letter wrong, missing, extra, or two swapped; the end of the word may be untyped. */
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

/** Whether a word of a folded text has this prefix, with at most one typing error. */
export function nearlyIn(text: string, typed: string): boolean {
  for (let at = 0; ; at++) {
    if (text.startsWith(typed, at) || nearlyAt(text, at, typed)) return true
    at = text.indexOf(' ', at)
    if (at === -1) return false
  }
}

/** The word of a folded text that was typed with one error, or the beginning of one; the typed word itself if it occurs. */
function corrected(text: string, typed: string): { word: string; whole: boolean } | null {
  if (wordAt(text, typed) !== -1) return { word: typed, whole: true }
  const corrections = text.split(' ').filter((word) => nearlyAt(word, 0, typed))
  const whole = corrections.find((word) => isOneError(word, typed))
  if (whole !== undefined) return { word: whole, whole: true }
  return corrections[0] === undefined ? null : { word: corrections[0].slice(0, typed.length), whole: false }
}

/** Whether two words differ by one wrong, missing or extra letter, or by two swapped ones. */
export function isOneError(word: string, typed: string): boolean {
  let from = 0
  while (from < word.length && word[from] === typed[from]) from++
  const rest = (a: number, b: number) => word.slice(from + a) === typed.slice(from + b)
  return (
    rest(1, 1) || rest(1, 0) || rest(0, 1) || (word[from] === typed[from + 1] && word[from + 1] === typed[from] && rest(2, 2))
  )
}

/**
 * Rank of a match with a corrected typing error: whole words first, then the tier of the corrected words. Null if there are
 * more errors. In a command title of several words only one may be wrong: two wrong words are likely a person's name.
 */
function nearlyRank(item: Findable, words: readonly string[]): number | null {
  const { folded, titles } = item
  if (titles && words.length > 1 && words.filter((word) => !folded.includes(word)).length !== 1) return null
  if (!words.every((word) => nearlyIn(folded, word))) return null
  const right = words.map((word) => corrected(folded, word))
  if (!right.every((each) => each !== null)) return null
  const fixedWords = right.map(({ word }) => word)
  const found = tierOf(item, fixedWords.join(' '), fixedWords)
  return (right.every(({ whole }) => whole) ? 0 : tier.typingError) + (found === -1 ? tier.typingError : found)
}

/** Searches the same items repeatedly as the person types. */
export type Finder<T> = (typed: string, used: (key: string) => number, max?: number) => Match<T>[]

interface Step<T> {
  query: string
  hits: readonly Findable<T>[]
  /** For each tier, matches by title, then by other names. */
  buckets: readonly (readonly Findable<T>[])[]
  /** The best matches so far requested: a shorter answer is its start, and Backspace repeats the query. */
  answer: { used: unknown; max: number; found: Match<T>[] } | null
}

/** Maximum number of queries of which a finder keeps the matches: those on the way to the text, and the parts of it. */
const maxSteps = 24

/**
 * Finds matches, best first: by tier, then title before other names, then frecency, then the given order.
 * Tolerates typing errors only if fewer than five items match otherwise, and never in numbers.
 * A longer query tests only the matches of its beginning, and a repeated one, as after Backspace, tests nothing.
 */
export function finder<T>(items: readonly Findable<T>[]): Finder<T> {
  // Least recently used first.
  const steps = new Map<string, Step<T>>()
  const stepOf = (query: string, words: readonly string[]): Step<T> => {
    const known = steps.get(query)
    let among = items
    let length = 0
    for (const { query: start, hits } of known ? [] : steps.values()) {
      if (start.length <= length || !query.startsWith(start)) continue
      among = hits
      length = start.length
    }
    const step = known ?? { query, ...ranked(items, among, query, words), answer: null }
    steps.delete(query)
    steps.set(query, step)
    if (steps.size > maxSteps) steps.delete(steps.keys().next().value as string)
    return step
  }
  return (typed, used, max = 50) => {
    const { query, words } = wordsOf(typed)
    if (!query) return []
    const step = stepOf(query, words)
    const known = step.answer?.used === used ? step.answer : null
    if (known && known.max >= max) return known.max === max ? known.found : known.found.slice(0, max)
    const found = best(step.buckets, used, max).map(
      ({ item, tier: of }, at): Match<T> =>
        known?.found[at] ?? (of === tier.typingError ? { item, tier: of, by: null } : (match(item, query, words) as Match<T>)),
    )
    step.answer = { used, max, found }
    return found
  }
}

/** The items that match a query, among those that matched the beginning of it. */
function ranked<T>(
  items: readonly Findable<T>[],
  among: readonly Findable<T>[],
  query: string,
  words: readonly string[],
): Pick<Step<T>, 'hits' | 'buckets'> {
  const hits: Findable<T>[] = []
  const buckets: Findable<T>[][] = Object.values(tier).flatMap(() => [[], []])
  for (const item of among) {
    const found = tierOf(item, query, words)
    if (found === -1) continue
    hits.push(item)
    buckets[found * 2]?.push(item)
  }
  if (hits.length < 5 && !/\d/.test(query)) {
    const matched = new Set(hits)
    const corrections = items.flatMap((item) => {
      const rank = matched.has(item) ? null : nearlyRank(item, words)
      return rank === null ? [] : [{ item, rank }]
    })
    buckets[tier.typingError * 2]?.push(...corrections.sort((a, b) => a.rank - b.rank).map(({ item }) => item))
  }
  return { hits, buckets }
}

function best<T>(buckets: Step<T>['buckets'], used: (key: string) => number, max: number) {
  const result: { item: Findable<T>; tier: number }[] = []
  for (const [of, bucket] of buckets.entries()) {
    const rest = max - result.length
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
