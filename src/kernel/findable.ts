import { areLastDigits, digitsOfPhone } from '#domain/telephone.ts'
import { fold } from '#kernel/fold.ts'

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

/** The first letters of the words of a folded text. */
export function initialsOf(folded: string): string {
  let initials = ''
  for (let i = 0; i < folded.length; i++) if (folded[i] !== ' ' && (i === 0 || folded[i - 1] === ' ')) initials += folded[i]
  return initials
}

/**
 * The words of what was typed, folded. A telephone number counts as its digits, however it is written; a comma ends a word
 * (`Barnes, Sadia`) unless a digit follows, as in an amount.
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
