import { type RawBuilder, sql } from 'kysely'
import { areLastDigits, digitsOfPhone, lastDigits } from '#domain/telephone.ts'
import type { Segment } from '#server/paging/keyset.ts'

const combining = /[\u0300-\u036f]/g
const replacements: Record<string, string> = {
  Ø: 'O',
  ø: 'o',
  Ł: 'L',
  ł: 'l',
  ß: 's',
  Đ: 'D',
  đ: 'd',
  '-': ' ',
  "'": '',
  '’': '',
}

/** Normalizes text for search; equals the database function `fold`. */
export const fold = (text: string): string =>
  text
    .replace(/[ØøŁłßĐđ'’-]/g, (letter) => replacements[letter] ?? letter)
    .normalize('NFD')
    .replace(combining, '')
    .toLowerCase()

/** Separators between search words: a blank, or a comma (`Barnes, Sadia`) unless a digit follows, as in a code. */
const betweenWords = /\s+|,(?!\d)/

/** Maximum number of words of a search: each one more is another comparison for every row, and six find anything. */
export const maxWords = 6

/** The first folded words of a search, in the order in which they were typed. */
export const searchWords = (text: string): string[] => fold(text).split(betweenWords).filter(Boolean).slice(0, maxWords)

/** Escapes the special characters of a LIKE pattern. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

const prefix = (text: string) => `${literally(text)}%`
const ending = (text: string) => `%${literally(text)}`
const within = (text: string) => `%${literally(text)}%`
/** Minimum length of a word to search inside words: a trigram index needs three letters. */
const inside = 3

/** The LIKE pattern of a folded word, for a text with a leading space: a short word matches only at the start of words. */
export const patternOf = (word: string): string => `%${word.length < inside ? ' ' : ''}${literally(word)}%`

interface ParsedQuery {
  whole: string
  words: string[]
  /** The digits, if the text could be a phone number. */
  digits: string | null
}

function read(q: string): ParsedQuery {
  const whole = fold(q).replace(/\s+/g, ' ').trim()
  const typed = q.trim()
  const digits = typed.length >= inside ? digitsOfPhone(typed) : ''
  return { whole, words: searchWords(q), digits: digits || null }
}

/** For each word of a search, the employers that it names (`employersNamed`). */
export type NamedBy = readonly (readonly number[])[]

/**
 * The words of a search that may name an employer. None where there is no longer word with a letter, as in an id, or where a word
 * is short: it starts too many names to stand for a company.
 */
export function companyWords(q: string): string[] {
  const { words } = read(q)
  const isNumber = (word: string) => /^\d+$/.test(word)
  const named = words.every((word) => word.length >= inside || isNumber(word)) && !words.every(isNumber)
  return named ? words : []
}

/** Whether every word of `q` is in a person's name, e-mail, codes or phone number, or names the person's employer (`named`). */
export function matches(q: string, named: NamedBy = []): RawBuilder<boolean> {
  const { words, digits } = read(q)
  if (words.length === 0) return sql<boolean>`true`
  const everyWord = sql<boolean>`(${sql.join(
    words.map((word, at) => {
      // Only the bare column has an index.
      const own = sql`${word.length < inside ? sql`(' ' || e.search_text)` : sql`e.search_text`} like ${patternOf(word)}`
      return named[at]?.length ? sql`(${own} or e.employer_id = any(${named[at]}::bigint[]))` : own
    }),
    sql` and `,
  )})`
  const anyOther: RawBuilder<unknown>[] = [everyWord]
  // The search text ends with the digits of the phone number.
  if (digits && digits.length >= inside && digits !== words[0]) anyOther.push(sql`e.search_text like ${within(digits)}`)
  const id = idOf(q)
  if (id !== null) anyOther.push(sql`e.id = ${id}`)
  return sql<boolean>`(${sql.join(anyOther, sql` or `)})`
}

/**
 * Whether the phone number ends with these digits. The last four have an index in the order of ids, so that a page of the many people
 * who share them is read from its start; of more digits the search text has one, too, and PostgreSQL chooses.
 */
function endOfPhone(digits: string): RawBuilder<boolean> {
  const lastFour = sql`right(e.phone_digits, ${sql.lit(lastDigits)}) = ${digits.slice(-lastDigits)}`
  if (digits.length === lastDigits) return sql<boolean>`${lastFour}`
  return sql<boolean>`(${lastFour} and e.search_text like ${ending(digits)} and e.phone_digits like ${ending(digits)})`
}

/** The id that a text consists of, with or without `#`; else null. */
export const idOf = (q: string): number | null => {
  const id = /^#?\d{1,16}$/.test(q.trim()) ? Number(q.trim().replace('#', '')) : null
  return id !== null && Number.isSafeInteger(id) && id > 0 ? id : null
}

/**
 * The matches of `q`, best first: the id, exact codes, e-mail and phone, endings of phone numbers, prefixes of last names and
 * first names, prefixes of codes and e-mails, then rows that contain every word, and last the people of an employer that a word
 * names. Each tier is one short index scan, run only when the earlier ones do not fill the page. `keys` are the columns of codes
 * and e-mails; the other search columns have the same names in every table of people.
 */
export function ranked(
  q: string,
  { keys = ['code_key', 'tk_key', 'email_key'], named = [] }: { keys?: readonly string[]; named?: NamedBy } = {},
): Segment[] {
  const { whole, words, digits } = read(q)
  const [first] = words
  if (first === undefined) return [{}]
  const id = idOf(q)
  const tiers: { where: RawBuilder<boolean>; key?: RawBuilder<unknown> }[] = []
  if (id !== null) tiers.push({ where: sql<boolean>`e.id = ${id}` })
  tiers.push({
    where: sql<boolean>`(${sql.join(
      keys.map((key) => sql`${sql.ref(`e.${key}`)} = ${whole}`),
      sql` or `,
    )}${digits ? sql` or e.phone_digits = ${digits}` : sql``})`,
  })
  if (digits && areLastDigits(digits)) tiers.push({ where: endOfPhone(digits) })
  const names = words.some((word) => /\d/.test(word)) ? [] : words
  for (const [at, word] of names.entries()) {
    // A single letter starts too many last names to scan them for the other words.
    if (names.length > 1 && word.length === 1) continue
    const others = words
      .filter((_, index) => index !== at)
      .map((other) => sql`and (' ' || e.name_key) like ${`% ${prefix(other)}`}`)
    tiers.push({ where: sql<boolean>`(e.name_key like ${prefix(word)} ${sql.join(others, sql` `)})`, key: sql.ref('e.name_key') })
  }
  if (words.length === 1) {
    tiers.push({ where: sql<boolean>`e.first_key like ${prefix(first)}`, key: sql.ref('e.first_key') })
    for (const key of keys.map((each) => sql.ref(`e.${each}`)))
      tiers.push({ where: sql<boolean>`${key} like ${prefix(first)}`, key })
  }
  if (digits) tiers.push({ where: sql<boolean>`e.phone_digits like ${prefix(digits)}`, key: sql.ref('e.phone_digits') })
  if (words.some((word) => word.length >= inside) || (digits?.length ?? 0) >= inside) tiers.push({ where: matches(q) })
  if (named.some((employers) => employers.length > 0)) tiers.push({ where: matches(q, named) })
  return tiers.map(({ where, key }, at) => ({
    // Parts of a tier may be null (no e-mail): `is not true` keeps such a row for the later tiers.
    where: sql<boolean>`${where} ${sql.join(
      tiers.slice(0, at).map((earlier) => sql`and (${earlier.where}) is not true`),
      sql` `,
    )}`,
    key,
  }))
}
