/** Invisible characters: control, format and ignorable characters, spaces, marks without a letter, blanks. */
const unseen = /[\p{C}\p{Z}\p{M}\p{DI}\u2800\ufffc\u{1d159}\u{13441}\u{13442}]/gu

/** Whether a text has a visible character; Hangul fillers, braille blanks and lone marks are not visible. */
export const isWritten = (text: string): boolean => text.replace(unseen, '') !== ''

/** Directional formatting characters; their terminator may be missing in a name. */
const steering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
/** These, and every right-to-left letter. */
const turning =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** A text without directional formatting characters: for print, where they would be boxes. */
export const undirected = (text: string): string => text.replace(steering, '')

/**
 * A name as part of a sentence: isolates its direction, so that the text around it stays in place (Unicode isolates, UAX 9).
 * Most names need no isolation and are returned as is.
 */
export const isolated = (name: string): string => (turning.test(name) ? `\u2068${undirected(name)}\u2069` : name)

/** 'Yes' or 'No', for a cell. */
export const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** A noun with its article, by pronunciation: 'an employee', 'a user', 'an SFTP user'. */
export const withArticle = (noun: string): string => `${/^(?:[aeio]|u(?!s)|[AEFHILMNORSX][A-Z])/.test(noun) ? 'an' : 'a'} ${noun}`

/** A text shortened for quotation in a sentence. */
export const shortened = (text: string): string => (text.length > 40 ? `“${text.slice(0, 39)}…”` : `“${text}”`)

// Made once: a formatter costs milliseconds, and the palette formats several counts at each key.
const whole = new Intl.NumberFormat('en-US')

/** A formatted count: '1,234'. */
export const wholeNumber = (count: number): string => whole.format(count)

/** The first of several sentences, and the number of the rest. */
export function fewOf(sentences: readonly string[], max = 5): string {
  const more = sentences.length - max
  return [...sentences.slice(0, max), ...(more > 0 ? [`And ${wholeNumber(more)} more.`] : [])].join(' ')
}

/** A list of names, shortened: `Ann Lee, Bo Yu and 3 more`. */
export const firstNames = (names: readonly string[], max = 5): string =>
  names.slice(0, max).join(', ') + (names.length > max ? ` and ${wholeNumber(names.length - max)} more` : '')

/** The same text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
