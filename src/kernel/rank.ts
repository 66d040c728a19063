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
  /** All of the above in one text: a word that is not in it matches nowhere. */
  hay: string
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
  const foldedIds = ids.map(fold)
  const foldedAliases = aliases.map(fold)
  const initials = initialsOf(folded)
  const hay = [folded, ...foldedAliases, ...foldedIds, initials].join('\n')
  return { key, title, ids, aliases, of, folded, foldedIds, foldedAliases, initials, hay }
}

function initialsOf(folded: string): string {
  let initials = ''
  for (let i = 0; i < folded.length; i++) if (folded[i] !== ' ' && (i === 0 || folded[i - 1] === ' ')) initials += folded[i]
  return initials
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
  for (const word of words) if (!item.hay.includes(word)) return null
  const exact = item.foldedIds.indexOf(query)
  if (exact !== -1) return { item, tier: tier.exactId, by: item.ids[exact] ?? null }
  let best = tierIn(item.folded, item.initials, query, words)
  let by: string | null = null
  for (let i = 0; i < item.foldedAliases.length; i++) {
    const alias = item.foldedAliases[i] as string
    const found = alias === query ? tier.exactId : best === -1 || best > tier.prefix ? tierIn(alias, '', query, words) : -1
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
  if (best === -1) return words.length > 1 ? acrossTexts(item, words) : null
  return { item, tier: best, by }
}

/** Words that stand in different texts of a thing: its title, another name, a code. */
function acrossTexts<T>(item: Findable<T>, words: readonly string[]): Found<T> | null {
  let worst: number = tier.wordStart
  let by: string | null = null
  for (const word of words) {
    if (item.folded.includes(word)) {
      if (wordAt(item.folded, word) === -1) worst = tier.substring
      continue
    }
    const alias = item.foldedAliases.findIndex((text) => text.includes(word))
    const id = alias === -1 ? item.foldedIds.findIndex((text) => text.startsWith(word)) : -1
    if (alias === -1 && id === -1) return null
    if (alias !== -1 && wordAt(item.foldedAliases[alias] as string, word) === -1) worst = tier.substring
    by ??= (alias === -1 ? item.ids[id] : item.aliases[alias]) ?? null
  }
  return { item, tier: worst, by }
}

/** At most one letter wrong, missing, extra, or two swapped; the end of the word may still be untyped. */
export const nearly = (word: string, typed: string): boolean => nearlyAt(word, 0, typed)

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

function nearlyIn(text: string, typed: string): boolean {
  for (let at = 0; ; at++) {
    if (text.startsWith(typed, at) || nearlyAt(text, at, typed)) return true
    at = text.indexOf(' ', at)
    if (at === -1) return false
  }
}

/** Only punctuation of a telephone number beside its digits. */
const telephone = /^[\d\s().+-]+$/

/** The words of what was typed, folded. A telephone number counts as its digits, however it is written. */
export const wordsOf = (typed: string): { query: string; words: readonly string[] } => {
  const digits = telephone.test(typed) ? typed.replace(/\D/g, '') : ''
  const query = digits.length >= 4 ? digits : fold(typed).trim().replace(/\s+/g, ' ')
  return { query, words: query ? query.split(' ') : [] }
}

/** Finds among the same things again and again, as somebody types. */
export type Finder<T> = (typed: string, used: (key: string) => number, most?: number) => Found<T>[]

/**
 * Finds what matches, best first: by tier, then by how often and how lately it was used, then in the order given.
 * Typing errors are forgiven only when fewer than five matched otherwise, and never in a number.
 * While the query only grows, what did not match before is not asked again.
 */
export function finder<T>(items: readonly Findable<T>[]): Finder<T> {
  let last = { query: '', hits: items }
  return (typed, used, most = 50) => {
    const { query, words } = wordsOf(typed)
    if (!query) return []
    const found: Found<T>[] = []
    for (const item of query.startsWith(last.query) ? last.hits : items) {
      const hit = match(item, query, words)
      if (hit) found.push(hit)
    }
    last = { query, hits: found.map((hit) => hit.item) }
    if (found.length < 5 && !/\d/.test(query)) {
      const already = new Set(last.hits)
      for (const item of items)
        if (!already.has(item) && words.every((word) => nearlyIn(item.folded, word)))
          found.push({ item, tier: tier.typingError, by: null })
    }
    return best(found, used, most)
  }
}

/** Finds once; see `finder`. */
export const find = <T>(items: readonly Findable<T>[], typed: string, used: (key: string) => number, most = 50): Found<T>[] =>
  finder(items)(typed, used, most)

function best<T>(found: Found<T>[], used: (key: string) => number, most: number): Found<T>[] {
  const buckets: Found<T>[][] = tiers.map(() => [])
  for (const hit of found) buckets[hit.tier]?.push(hit)
  const result: Found<T>[] = []
  for (const bucket of buckets) {
    if (result.length >= most) break
    const rest = most - result.length
    const favourites: { hit: Found<T>; score: number }[] = []
    const others: Found<T>[] = []
    for (const hit of bucket) {
      const score = used(hit.item.key)
      if (score > 0) favourites.push({ hit, score })
      else if (others.length < rest) others.push(hit)
    }
    favourites.sort((a, b) => b.score - a.score)
    result.push(...[...favourites.map((each) => each.hit), ...others].slice(0, rest))
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
