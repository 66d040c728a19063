/** A word that excludes what follows it, anywhere in a text. */
const exclusion = /(?<!\S)(?:not|no|without|except|neither|nor)(?!\S)/i

/** Whether a text excludes something. */
export const excludes = (text: string): boolean => exclusion.test(text)

/** Whether a word excludes what follows: `not paused`. */
export const isExclusion = (word: string): boolean => word === '!' || (!/\s/.test(word) && excludes(word))

/** The text with one word for each way to exclude something: `all but birch` and `other than birch` are `except birch`. */
export const withPlainExclusions = (text: string): string =>
  text.replace(
    /(?<!\S)(?:but not|except for|excluding|other than|apart from|aside from|with the exception of|but)(?!\S)/gi,
    'except',
  )

/** Words that ask, or say not to: with one of them, no sentence is an order to change something. */
const asking =
  /^(?:who|whom|whose|what|when|where|which|why|how|did|does|is|are|was|were|has|have|can|can['’]?t|cannot|could|would|should|do not|don['’]?t|doesn['’]?t|didn['’]?t|never|not)\s+\S/i

/** Whether a text is a question, or says not to do something: `who can resume 100467`, `pause sadia?`, `don't pause sadia`. */
export const isQuestion = (text: string): boolean => asking.test(text.trim()) || /\?\s*$/.test(text)

/** A greeting, `please`, and `can you` or `i need to` with what they ask for: an order, unlike `can you` alone. */
const politeness =
  /^(?:(?:hi|hello|hey)(?: there| all| team)?[,!.]? +|(?:please|pls|plz|kindly),? +|(?:can|could|would|will) (?:you|u) (?:please |pls |plz |kindly )?|(?:i(?: need|['’]d like| would like| want| have)|we (?:need|have)) to )+(?=\S)/i

/** Thanks behind a sentence that has ended. */
const thanks = /(?<=[\p{L}\d])[,.!?;]+\s*(?:please|pls|plz|thanks|thank you|thx|ty)(?:,? [\p{L}]+)?[\s.!]*$/iu

/** The text without the polite words around it, as in a message that was pasted: `can you please pause 100467. Thanks!`. */
export function withoutPoliteness(text: string): string {
  const said = text.replace(thanks, '')
  const plain = said.replace(politeness, '')
  // `could you pause sadia?` is an order, and `pls` at the end of one no text.
  return plain === said ? said : plain.replace(/\?$|,? (?:please|pls|plz)\??$/i, '')
}

/** The text without the marks at its end: `why can't tom approve write-offs?`. */
export const withoutEndMarks = (text: string): string => text.replace(/(?<=[\p{L}\d])\s*[?!]+$|(?<=\p{L})\s*[?!.]+$/u, '')

const possessive = /(?<=\p{L})['’]s(?=\s+\S)|(?<=s)['’](?=\s+\S)/u
/** The same in the name at the start of a text, or behind words that ask to show something, which then say no more. */
const possessiveFirst =
  /^(?:(?:display|export|find|get|give|list|open|see|show|view) (?:me )?(?:all )?)?(\S+(?: \S+)?(?:\p{L}(?=['’]s)|s(?=['’]\s)))['’]s?(?=\s+\S)/iu

/**
 * The text without the ending of a possessive, `sadia's invoices`, `what is sadia's balance`; null without one that a word follows.
 * Behind a name at the start it may be part of a note.
 */
export function withoutPossessive(text: string): string | null {
  const plain = isQuestion(text) ? text.replace(possessive, '') : text.replace(possessiveFirst, '$1')
  return plain === text ? null : plain
}

/** The text with the noun of a new record in front: `invite joe@x.com as admin` is `invite admin joe@x.com`. */
export const withNounInFront = (text: string): string =>
  text.replace(/^(\S+) (\S+@\S+) as (?:an? )?((?:[\p{L}-]+ ?)+)$/iu, '$1 $3 $2')
