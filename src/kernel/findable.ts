import { areLastDigits, digitsOfPhone } from '#domain/telephone.ts'
import { fold } from '#kernel/fold.ts'

/** A searchable item, prepared once so that a keystroke only compares. */
export interface Findable<T = unknown> {
  key: string
  title: string
  /** Ids and codes: only a complete one is an exact match. */
  ids: readonly string[]
  aliases: readonly string[]
  of: T
  folded: string
  foldedIds: readonly string[]
  foldedAliases: readonly string[]
  initials: string
  /** All of the above in one text: a word that is not in it has no match. */
  hay: string
  /** For a command, its title and equivalents, whose word prefixes may be typed as one word. Null for a record. */
  titles: readonly string[] | null
}

/** Prepares a record for search. */
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

/** Prepares a command for search. Commands are few, so they support more ways of typing. `also` counts as its title. */
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

/** Initials of a folded text. */
export function initialsOf(folded: string): string {
  let initials = ''
  for (let i = 0; i < folded.length; i++) if (folded[i] !== ' ' && (i === 0 || folded[i - 1] === ' ')) initials += folded[i]
  return initials
}

/**
 * The words of the input, folded. A telephone number is reduced to its digits; a comma ends a word (`Barnes, Sadia`) unless a
 * digit follows, as in an amount.
 */
export const wordsOf = (typed: string): { query: string; words: readonly string[] } => {
  const digits = digitsOfPhone(typed)
  const query = areLastDigits(digits)
    ? digits
    : fold(typed)
        .replace(/,(?!\d)|\s+/g, ' ')
        .trim()
        .replace(/ {2,}/g, ' ')
  return { query, words: query ? query.split(' ') : [] }
}
