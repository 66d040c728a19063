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

/** The tier in which a thing matches; -1 when some word of the query is nowhere in it. Asked of every thing at every key. */
function tierOf(item: Findable, query: string, words: readonly string[]): number {
  if (words.length === 1) return tierOfWord(item, query)
  for (const word of words) if (!item.hay.includes(word)) return -1
  let best = tierIn(item.folded, item.initials, query, words)
  // Nothing but the title has the word: the rest need not be looked at.
  const beside = item.hay.indexOf(words[0] as string, item.folded.length) !== -1
  if (beside) {
    if (item.foldedIds.includes(query) || item.foldedAliases.includes(query)) return tier.exactId
    if (best === -1 || best > tier.prefix) {
      for (const alias of item.foldedAliases) best = better(best, tierIn(alias, '', query, words))
      for (const id of item.foldedIds) if (id.startsWith(query)) best = better(best, tier.prefix)
    }
  }
  return best === -1 && words.length > 1 ? (acrossTexts(item, words)?.tier ?? -1) : best
}

/** The same for a single word, by far the most asked: where it stands first says nearly everything. */
function tierOfWord({ hay, folded, initials, foldedIds, foldedAliases }: Findable, word: string): number {
  const at = hay.indexOf(word)
  if (at === -1) return -1
  const end = folded.length
  let best = -1
  if (at + word.length <= end) {
    if (at === 0) best = end === word.length ? tier.exactTitle : tier.prefix
    else best = folded[at - 1] === ' ' || wordAt(folded, word) !== -1 ? tier.wordStart : tier.substring
  }
  if (hay.indexOf(word, end) === -1) return best
  if (foldedIds.includes(word) || foldedAliases.includes(word)) return tier.exactId
  if (best === tier.exactTitle || best === tier.prefix) return best
  for (const alias of foldedAliases) best = better(best, tierIn(alias, '', word, [word]))
  for (const id of foldedIds) if (id.startsWith(word)) best = better(best, tier.prefix)
  return word.length > 1 && initials.startsWith(word) ? better(best, tier.initials) : best
}

const better = (one: number, other: number): number => (one === -1 || (other !== -1 && other < one) ? other : one)

/** How well one thing matches, and by what; null when some word of the query is nowhere in it. */
export function match<T>(item: Findable<T>, query: string, words: readonly string[]): Found<T> | null {
  const found = tierOf(item, query, words)
  if (found === -1) return null
  const id = item.foldedIds.indexOf(query)
  if (id !== -1) return { item, tier: found, by: item.ids[id] ?? null }
  const alias = item.foldedAliases.indexOf(query)
  if (alias !== -1) return { item, tier: found, by: item.aliases[alias] ?? null }
  if (tierIn(item.folded, item.initials, query, words) === found) return { item, tier: found, by: null }
  const other = item.foldedAliases.findIndex((text) => tierIn(text, '', query, words) === found)
  if (other !== -1) return { item, tier: found, by: item.aliases[other] ?? null }
  const begun = item.foldedIds.findIndex((text) => text.startsWith(query))
  return begun === -1 ? acrossTexts(item, words) : { item, tier: found, by: item.ids[begun] ?? null }
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

interface Step<T> {
  query: string
  hits: readonly Findable<T>[]
  /** What was answered, and for what: Backspace asks for it again. */
  answer: { used: unknown; most: number; found: Found<T>[] } | null
}

/**
 * Finds what matches, best first: by tier, then by how often and how lately it was used, then in the order given.
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
    const buckets: Findable<T>[][] = tiers.map(() => [])
    for (const item of before.hits) {
      const found = tierOf(item, query, words)
      if (found === -1) continue
      hits.push(item)
      buckets[found]?.push(item)
    }
    if (before.query === query) way.pop()
    if (hits.length < 5 && !/\d/.test(query)) {
      const already = new Set(hits)
      for (const item of items)
        if (!already.has(item) && words.every((word) => nearlyIn(item.folded, word))) buckets[tier.typingError]?.push(item)
    }
    const found = best(buckets, used, most).map(({ item, tier: of }) =>
      of === tier.typingError ? { item, tier: of, by: null } : (match(item, query, words) as Found<T>),
    )
    way.push({ query, hits, answer: { used, most, found } })
    return found
  }
}

/** Finds once; see `finder`. */
export const find = <T>(items: readonly Findable<T>[], typed: string, used: (key: string) => number, most = 50): Found<T>[] =>
  finder(items)(typed, used, most)

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
    for (const item of [...favourites.map((each) => each.item), ...others].slice(0, rest)) result.push({ item, tier: of })
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
