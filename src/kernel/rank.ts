import { fold } from '#kernel/fold.ts'

/** Strict tiers: a better one always comes first, whatever was used how often. */
export const tiers = ['exact-id', 'exact-title', 'prefix', 'word-start', 'initials', 'substring', 'typing-error'] as const
export const tier = { exactId: 0, exactTitle: 1, prefix: 2, wordStart: 3, initials: 4, substring: 5, typingError: 6 } as const

/** Something that can be found, prepared once so that a keystroke only compares. */
export interface Findable<T = unknown> {
  key: string
  title: string
  /** Ids and codes: only the whole of one counts as exact. */
  ids: readonly string[]
  aliases: readonly string[]
  of: T
  folded: string
  foldedIds: readonly string[]
  foldedAliases: readonly string[]
  initials: string
}

/** Prepares a thing for finding. */
export const findable = <T>(
  key: string,
  title: string,
  of: T,
  ids: readonly string[] = [],
  aliases: readonly string[] = [],
): Findable<T> => {
  const folded = fold(title)
  return {
    key,
    title,
    ids,
    aliases,
    of,
    folded,
    foldedIds: ids.map(fold),
    foldedAliases: aliases.map(fold),
    initials: folded
      .split(' ')
      .map((word) => word[0] ?? '')
      .join(''),
  }
}

export interface Found<T = unknown> {
  item: Findable<T>
  tier: number
  /** The alias or id by which it was found, where the title alone would not do. */
  by: string | null
}

const wordAt = (text: string, word: string): number => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) if (at === 0 || text[at - 1] === ' ') return at
  return -1
}

function tierIn(text: string, initials: string, query: string, words: readonly string[]): number {
  if (text === query) return tier.exactTitle
  if (text.startsWith(query)) return tier.prefix
  let worst = -1
  for (const word of words) {
    const at = text.indexOf(word)
    const found = at === -1 ? -1 : at === 0 || wordAt(text, word) !== -1 ? tier.wordStart : tier.substring
    if (found === -1) {
      worst = -1
      break
    }
    worst = Math.max(worst, found)
  }
  if (worst === tier.wordStart) return worst
  if (words.length === 1 && query.length > 1 && initials.startsWith(query)) return tier.initials
  return worst
}

/** How well one thing matches; null when some word of the query is nowhere in it. */
export function match<T>(item: Findable<T>, query: string, words: readonly string[]): Found<T> | null {
  const exact = item.foldedIds.indexOf(query)
  if (exact !== -1) return { item, tier: tier.exactId, by: item.ids[exact] ?? null }
  const own = tierIn(item.folded, item.initials, query, words)
  let best = own
  let by: string | null = null
  for (let i = 0; i < item.foldedAliases.length; i++) {
    const alias = item.foldedAliases[i] as string
    const found = alias === query ? tier.exactId : tierIn(alias, '', query, words)
    if (found !== -1 && (best === -1 || found < best)) {
      best = found
      by = item.aliases[i] ?? null
    }
  }
  for (let i = 0; i < item.foldedIds.length; i++) {
    const found = (item.foldedIds[i] as string).startsWith(query) ? tier.prefix : -1
    if (found !== -1 && (best === -1 || found < best)) {
      best = found
      by = item.ids[i] ?? null
    }
  }
  return best === -1 ? null : { item, tier: best, by }
}

/** At most one letter wrong, missing, extra, or two swapped; the end of the word may still be untyped. */
export function nearly(word: string, typed: string): boolean {
  const length = typed.length
  if (length < 4 || word[0] !== typed[0]) return false
  let i = 0
  while (i < length && word[i] === typed[i]) i++
  if (i >= length) return true
  const rest = (a: number, b: number) => word.startsWith(typed.slice(b), a)
  return (
    rest(i + 1, i + 1) ||
    rest(i + 1, i) ||
    rest(i, i + 1) ||
    (word[i] === typed[i + 1] && word[i + 1] === typed[i] && rest(i + 2, i + 2))
  )
}

const nearlyMatch = (text: string, words: readonly string[]): boolean => {
  const parts = text.split(' ')
  return words.every((typed) => parts.some((part) => part.startsWith(typed) || nearly(part, typed)))
}

/** The words of what was typed, folded. */
export const wordsOf = (typed: string): { query: string; words: readonly string[] } => {
  const query = fold(typed).trim().replace(/\s+/g, ' ')
  return { query, words: query ? query.split(' ') : [] }
}

/**
 * Finds what matches, best first: by tier, then by how often and how lately it was used, then in the order given.
 * Typing errors are forgiven only when fewer than five matched otherwise.
 */
export function find<T>(items: readonly Findable<T>[], typed: string, used: (key: string) => number, most = 50): Found<T>[] {
  const { query, words } = wordsOf(typed)
  if (!query) return []
  const found: Found<T>[] = []
  for (const item of items) {
    const hit = match(item, query, words)
    if (hit) found.push(hit)
  }
  if (found.length < 5) {
    const already = new Set(found.map((hit) => hit.item))
    for (const item of items)
      if (!already.has(item) && nearlyMatch(item.folded, words)) found.push({ item, tier: tier.typingError, by: null })
  }
  return best(found, used, most)
}

function best<T>(found: Found<T>[], used: (key: string) => number, most: number): Found<T>[] {
  const buckets: Found<T>[][] = tiers.map(() => [])
  for (const hit of found) buckets[hit.tier]?.push(hit)
  const result: Found<T>[] = []
  for (const bucket of buckets) {
    if (result.length >= most) break
    const scored = bucket.map((hit) => ({ hit, score: used(hit.item.key) }))
    if (scored.some((each) => each.score > 0)) scored.sort((a, b) => b.score - a.score)
    for (const each of scored.slice(0, most - result.length)) result.push(each.hit)
  }
  return result
}

/** Where the letters typed stand in a text, as ranges; empty when they do not. */
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
  const starts = [...folded.matchAll(/(?:^| )(\S)/g)].map((each) => each.index + each[0].length - 1)
  const initials = starts.map((at) => folded[at]).join('')
  return words.length === 1 && initials.startsWith(query) ? starts.slice(0, query.length).map((at) => [at, at + 1]) : []
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
