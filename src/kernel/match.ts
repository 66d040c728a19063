import { areLastDigits, isTelephone } from '#domain/telephone.ts'
import { type Findable, initialsOf } from '#kernel/findable.ts'

/** Strict tiers: a better tier always ranks first, regardless of usage. */
export const tier = { exactId: 0, exactTitle: 1, prefix: 2, wordStart: 3, initials: 4, substring: 5, typingError: 6 } as const

export interface Match<T = unknown> {
  item: Findable<T>
  /** Plus 0.5 if another name matches better than the title and the title alone does not show the match. */
  tier: number
  /** The alias or id that matched, unless the title alone matches. */
  by: string | null
}

/** A match by another name ranks after an equal match by title. */
const byAlias = 0.5

/** Position where a word begins with the text; -1 if there is none. */
export const wordAt = (text: string, word: string): number => {
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

/** Tier of words typed as one, or of one word typed as several: `writeoff`, `log out`; -1 if they do not match. */
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

/** Ranges of consecutive word prefixes that make up the text, `wo` of `write off`; else null. */
export function beginnings(text: string, typed: string, from = 0): [number, number][] | null {
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

/** Position of the first word that contains the letters in order and starts with the first one: `dnl` and `dl` of download; else -1. */
export const abbreviatedAt = (text: string, typed: string): number =>
  text.split(' ').findIndex((word) => {
    if (word[0] !== typed[0] || word.length <= typed.length) return false
    let at = 0
    for (const letter of word) if (letter === typed[at]) at++
    return at === typed.length
  })

/** How well the input matches one text of a command. */
function tierOfText(text: string, query: string, words: readonly string[]): number {
  const plain = tierIn(text, '', query, words)
  if (plain !== -1 && plain <= tier.prefix) return plain
  const joined = better(plain, tierJoined(text, words))
  // A single letter that starts no word is no initial either.
  if ((joined !== -1 && joined < tier.initials) || query.length === 1) return joined
  return words.every((word) => beginnings(text, word)) ? tier.initials : joined
}

function tierOfCommand({ titles, foldedAliases }: Findable, query: string, words: readonly string[]): number {
  let best = -1
  for (const title of titles as readonly string[]) best = better(best, tierOfText(title, query, words))
  for (const alias of foldedAliases) best = better(best, tierOfAlias(alias, query, words))
  return best
}

/**
 * A complete alias of a command counts like an id. For a record it does not, since it is often the title of another record. A
 * partial alias counts no more than a word in a title, because the title is what people read.
 */
function tierOfAlias(alias: string, query: string, words: readonly string[]): number {
  const found = tierOfText(alias, query, words)
  if (found === tier.exactTitle) return tier.exactId + byAlias
  // `nsf` does not mean `new sftp user`: for aliases only initials count, not longer word prefixes.
  if (found === tier.initials && words.length === 1 && !initialsOf(alias).includes(query)) return -1
  return found === -1 ? -1 : Math.max(found, tier.wordStart) + byAlias
}

/**
 * Tier of a match, plus 0.5 if it is by another name; -1 if some word of the query is missing. Hot path: runs for every item on
 * every keystroke.
 */
export function tierOf(item: Findable, query: string, words: readonly string[]): number {
  if (item.titles) {
    const best = tierOfCommand(item, query, words)
    return best === -1 && words.length > 1 ? rankOf(acrossTexts(item, words)) : best
  }
  const best = words.length === 1 ? tierOfWord(item, query) : tierOfWords(item, query, words)
  return best === -1 ? tierJoined(item.folded, words) : best
}

const rankOf = (found: Match | null): number => (found ? found.tier + (found.by === null ? 0 : byAlias) : -1)

function tierOfWords(item: Findable, query: string, words: readonly string[]): number {
  for (const word of words) if (!item.hay.includes(word)) return -1
  let best = tierIn(item.folded, item.initials, query, words)
  // If the first word occurs only in the title, the rest is skipped.
  const isElsewhere = item.hay.indexOf(words[0] as string, item.folded.length) !== -1
  if (isElsewhere) {
    if (item.foldedIds.includes(query)) return tier.exactId
    if (item.foldedAliases.includes(query)) return better(best, tier.exactTitle + byAlias)
    if (best === -1 || best > tier.prefix) {
      for (const alias of item.foldedAliases) best = better(best, plainAlias(alias, query, words))
      for (const id of item.foldedIds) if (id.startsWith(query)) best = better(best, tier.prefix)
    }
  }
  return best === -1 ? rankOf(acrossTexts(item, words)) : best
}

const plainAlias = (alias: string, query: string, words: readonly string[]): number => {
  const found = tierIn(alias, '', query, words)
  if (found > tier.exactTitle && alias.endsWith(query) && areLastDigits(query) && isTelephone(alias))
    return tier.exactTitle + byAlias
  return found === -1 ? -1 : found + byAlias
}

/** The same for a single word, the most common query: the position of its first occurrence decides nearly everything. */
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
  if (foldedAliases.includes(word)) return better(best, tier.exactTitle + byAlias)
  if (best === tier.exactTitle || best === tier.prefix) return best
  for (const alias of foldedAliases) best = better(best, plainAlias(alias, word, [word]))
  for (const id of foldedIds) if (id.startsWith(word)) best = better(best, tier.prefix)
  return word.length > 1 && initials.startsWith(word) ? better(best, tier.initials) : best
}

const better = (one: number, other: number): number => (one === -1 || (other !== -1 && other < one) ? other : one)

/** How well an item matches, and by which name; null if some word of the query is missing. */
export function match<T>(item: Findable<T>, query: string, words: readonly string[]): Match<T> | null {
  const rank = tierOf(item, query, words)
  if (rank === -1) return null
  const found = Math.floor(rank)
  const id = item.foldedIds.indexOf(query)
  if (id !== -1) return { item, tier: found, by: item.ids[id] ?? null }
  if (rank === found) {
    const startsAt = item.foldedIds.findIndex((text) => text.startsWith(query))
    const title = item.titles ?? [item.folded]
    const ofTitle = title.some((text) =>
      [tierIn(text, item.initials, query, words), tierOfText(text, query, words)].includes(found),
    )
    return { item, tier: found, by: ofTitle || startsAt === -1 ? null : (item.ids[startsAt] ?? null) }
  }
  // If a word of the title starts with the query, the title shows the match and no other name is displayed.
  const ofTitle = (item.titles ?? []).map((text) => tierOfText(text, query, words))
  const isRead = ofTitle.some((of) => of !== -1 && of <= tier.wordStart)
  if (isRead) return { item, tier: found === tier.exactId ? found : rank, by: null }
  const exact = item.foldedAliases.indexOf(query)
  const alias =
    exact !== -1
      ? exact
      : item.foldedAliases.findIndex((text) =>
          [plainAlias(text, query, words), item.titles ? tierOfAlias(text, query, words) : -1].includes(rank),
        )
  return alias === -1 ? acrossTexts(item, words) : { item, tier: found, by: item.aliases[alias] ?? null }
}

/**
 * Words that occur in different texts: for a record in its title, other names and codes; for a command in its title and one
 * alias, since words of two aliases, `new mapping` and `employee file`, have no common meaning.
 */
function acrossTexts<T>(item: Findable<T>, words: readonly string[]): Match<T> | null {
  let worst: number = tier.wordStart
  let by: string | null = null
  const holds = (text: string, word: string) => text.includes(word)
  const missing = item.titles ? words.filter((word) => !holds(item.folded, word)) : []
  const together = missing.length ? item.foldedAliases.findIndex((text) => missing.every((word) => holds(text, word))) : -1
  for (const word of words) {
    if (holds(item.folded, word)) {
      if (wordAt(item.folded, word) === -1) worst = tier.substring
      continue
    }
    const alias = item.titles ? together : item.foldedAliases.findIndex((text) => holds(text, word))
    const id = alias === -1 ? item.foldedIds.findIndex((text) => text.startsWith(word)) : -1
    if (alias === -1 && id === -1) return null
    if (alias !== -1 && wordAt(item.foldedAliases[alias] as string, word) === -1) worst = tier.substring
    by ??= (alias === -1 ? item.ids[id] : item.aliases[alias]) ?? null
  }
  return { item, tier: worst, by }
}
