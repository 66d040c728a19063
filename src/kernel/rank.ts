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
  /** Of a command: its title, and what counts as one; the beginnings of its words may be typed as one. Null for a thing. */
  titles: readonly string[] | null
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
  return { key, title, ids, aliases, of, folded, foldedIds, foldedAliases, initials, hay, titles: null }
}

/** Prepares a command for finding: there are few, and they are typed in more ways. `also` counts as its title. */
export const findableCommand = <T>(
  key: string,
  title: string,
  of: T,
  aliases: readonly string[],
  also: readonly string[] = [],
): Findable<T> => {
  const made = findable(key, title, of, [], aliases)
  return { ...made, titles: [made.folded, ...also.map(fold)] }
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

/** What is matched by another name comes after what is matched as well by its title. */
const byAlias = 0.5

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

/** The tier of words written as one, or of one written as several: `writeoff`, `log out`; -1 where they are not. */
function tierJoined(text: string, words: readonly string[]): number {
  const query = words.join('')
  for (let start = 0; ; start++) {
    let at = start
    let reached = 0
    while (reached < query.length && at < text.length && (text[at] === ' ' || text[at] === query[reached])) {
      if (text[at] !== ' ') reached++
      else if (at === start) break
      at++
    }
    if (reached === query.length) return start > 0 ? tier.wordStart : at === text.length ? tier.exactTitle : tier.prefix
    start = text.indexOf(' ', start)
    if (start === -1) return -1
  }
}

/** Where the beginnings of words that follow each other make up what was typed, `wo` of `write off`, as ranges; else null. */
function beginnings(text: string, typed: string, from = 0): [number, number][] | null {
  for (let start = from; start !== -1; start = text.indexOf(' ', start) + 1 || -1) {
    const found = beginningsAt(text, typed, start)
    if (found) return found
  }
  return null
}

function beginningsAt(text: string, typed: string, start: number): [number, number][] | null {
  let same = 0
  while (same < typed.length && text[start + same] === typed[same] && text[start + same] !== ' ') same++
  if (same === typed.length) return [[start, start + same]]
  const next = text.indexOf(' ', start) + 1
  for (let length = next ? same : 0; length > 0; length--) {
    const rest = beginningsAt(text, typed.slice(length), next)
    if (rest) return [[start, start + length], ...rest]
  }
  return null
}

/** How well what was typed matches one text of a command. */
function tierOfText(text: string, query: string, words: readonly string[]): number {
  const plain = tierIn(text, '', query, words)
  if (plain !== -1 && plain <= tier.prefix) return plain
  const joined = better(plain, tierJoined(text, words))
  if (joined !== -1 && joined < tier.initials) return joined
  return words.every((word) => beginnings(text, word)) ? tier.initials : joined
}

function tierOfCommand({ titles, foldedAliases }: Findable, query: string, words: readonly string[]): number {
  let best = -1
  for (const title of titles as readonly string[]) best = better(best, tierOfText(title, query, words))
  for (const alias of foldedAliases) best = better(best, tierOfAlias(alias, query, words))
  return best
}

/** Another name that is typed in full counts as much as an id. */
function tierOfAlias(alias: string, query: string, words: readonly string[]): number {
  const found = tierOfText(alias, query, words)
  return found === -1 ? -1 : found === tier.exactTitle ? tier.exactId + byAlias : found + byAlias
}

/**
 * The tier in which a thing matches, and half a tier more where another name does; -1 when some word of the query is
 * nowhere in it. Asked of every thing at every key.
 */
function tierOf(item: Findable, query: string, words: readonly string[]): number {
  if (item.titles) {
    const best = tierOfCommand(item, query, words)
    return best === -1 && words.length > 1 ? rankOf(acrossTexts(item, words)) : best
  }
  const best = words.length === 1 ? tierOfWord(item, query) : tierOfWords(item, query, words)
  return best === -1 ? tierJoined(item.folded, words) : best
}

const rankOf = (found: Found | null): number => (found ? found.tier + (found.by === null ? 0 : byAlias) : -1)

function tierOfWords(item: Findable, query: string, words: readonly string[]): number {
  for (const word of words) if (!item.hay.includes(word)) return -1
  let best = tierIn(item.folded, item.initials, query, words)
  // Nothing but the title has the word: the rest need not be looked at.
  const beside = item.hay.indexOf(words[0] as string, item.folded.length) !== -1
  if (beside) {
    if (item.foldedIds.includes(query)) return tier.exactId
    if (item.foldedAliases.includes(query)) return tier.exactId + byAlias
    if (best === -1 || best > tier.prefix) {
      for (const alias of item.foldedAliases) best = better(best, plainAlias(alias, query, words))
      for (const id of item.foldedIds) if (id.startsWith(query)) best = better(best, tier.prefix)
    }
  }
  return best === -1 ? rankOf(acrossTexts(item, words)) : best
}

const plainAlias = (alias: string, query: string, words: readonly string[]): number => {
  const found = tierIn(alias, '', query, words)
  return found === -1 ? -1 : found + byAlias
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
  if (foldedIds.includes(word)) return tier.exactId
  if (foldedAliases.includes(word)) return tier.exactId + byAlias
  if (best === tier.exactTitle || best === tier.prefix) return best
  for (const alias of foldedAliases) best = better(best, plainAlias(alias, word, [word]))
  for (const id of foldedIds) if (id.startsWith(word)) best = better(best, tier.prefix)
  return word.length > 1 && initials.startsWith(word) ? better(best, tier.initials) : best
}

const better = (one: number, other: number): number => (one === -1 || (other !== -1 && other < one) ? other : one)

/** How well one thing matches, and by what; null when some word of the query is nowhere in it. */
export function match<T>(item: Findable<T>, query: string, words: readonly string[]): Found<T> | null {
  const rank = tierOf(item, query, words)
  if (rank === -1) return null
  const found = Math.floor(rank)
  const id = item.foldedIds.indexOf(query)
  if (id !== -1) return { item, tier: found, by: item.ids[id] ?? null }
  if (rank === found) {
    const begun = item.foldedIds.findIndex((text) => text.startsWith(query))
    const title = item.titles ?? [item.folded]
    const ofTitle = title.some((text) =>
      [tierIn(text, item.initials, query, words), tierOfText(text, query, words)].includes(found),
    )
    return { item, tier: found, by: ofTitle || begun === -1 ? null : (item.ids[begun] ?? null) }
  }
  const exact = item.foldedAliases.indexOf(query)
  const alias =
    exact !== -1
      ? exact
      : item.foldedAliases.findIndex((text) =>
          [plainAlias(text, query, words), item.titles ? tierOfAlias(text, query, words) : -1].includes(rank),
        )
  return alias === -1 ? acrossTexts(item, words) : { item, tier: found, by: item.aliases[alias] ?? null }
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
    const buckets: Findable<T>[][] = tiers.flatMap(() => [[], []])
    for (const item of before.hits) {
      const found = tierOf(item, query, words)
      if (found === -1) continue
      hits.push(item)
      buckets[found * 2]?.push(item)
    }
    if (before.query === query) way.pop()
    if (hits.length < 5 && !/\d/.test(query)) {
      const already = new Set(hits)
      for (const item of items)
        if (!already.has(item) && words.every((word) => nearlyIn(item.folded, word))) buckets[tier.typingError * 2]?.push(item)
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
    for (const item of [...favourites.map((each) => each.item), ...others].slice(0, rest))
      result.push({ item, tier: Math.floor(of / 2) })
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
