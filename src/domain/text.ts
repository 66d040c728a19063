/** What shows nothing by itself: control, format and ignorable characters, spaces, marks without a letter, blanks. */
const unseen = /[\p{C}\p{Z}\p{M}\p{DI}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/gu

/** Whether a text has anything to be seen; one of Hangul fillers, braille blanks or lone marks has not. */
export const isWritten = (text: string): boolean => text.replace(unseen, '') !== ''

/** Signs that set the direction of what follows, up to one that ends it: a name may leave that end out. */
const steering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** Those signs, and every letter that is written from right to left. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A text without signs that turn the direction of writing: for paper, which shows them as boxes. */
export const undirected = (text: string): string => text.replace(steering, '')

/**
 * A name as a part of a sentence: whatever direction it is written in, what stands before and after it stays where it
 * is (Unicode's isolates, UAX 9). Most names need nothing, and come back as they are.
 */
export const isolated = (name: string): string => (turning.test(name) ? `\u2068${undirected(name)}\u2069` : name)

/** 'Yes' or 'No', for a cell. */
export const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** A noun with its article, as it is spoken: 'an employee', 'a user', 'an SFTP user'. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|u(?!s)|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`

/** A text as a sentence quotes it. */
export const shortened = (text: string): string => (text.length > 40 ? `“${text.slice(0, 39)}…”` : `“${text}”`)

/** A count as it is written: '1,234'. */
export const wholeNumber = (count: number): string => count.toLocaleString('en-US')

/** The first of several sentences, and how many more there are. */
export function fewOf(sentences: readonly string[], max = 5): string {
  const more = sentences.length - max
  return [...sentences.slice(0, max), ...(more > 0 ? [`And ${wholeNumber(more)} more.`] : [])].join(' ')
}

/** Names in a row, the first few of them: `Ann Lee, Bo Yu and 3 more`. */
export const firstNames = (names: readonly string[], max = 5): string =>
  names.slice(0, max).join(', ') + (names.length > max ? ` and ${wholeNumber(names.length - max)} more` : '')

/** The same text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
