import type { Field } from '#kernel/form.ts'
import type { ReadDay } from '#kernel/sentence/field-value.ts'
import { numeric } from '#kernel/sentence/typed-fields.ts'
import { isPlain, type Word, written } from '#kernel/sentence/words.ts'

/** The form of a record's id. */
export const anId = /^(?:[a-z]{2,4}-\d+|\d{5,15}(?:[-–]\d{5,15})?)$/i
/** A number that may be the id of another record, and is no telephone number or account. */
const another = /^(?:[a-z]{2,4}-\d+|\d{5,7})$/i
/** Words by which a text refers to a record: `duplicate of INV-40058`. */
const referring = /^(?:about|as|by|for|from|is|like|of|on|see|with)$/i

const span =
  /^(?:for |the next |another )*(?:an?|\d+|one|two|three|four|five|six|ten|few|some|several) (?:hour|day|week|month|year)s?$/i
const manner = /^(?:temporarily|permanently|immediately|for now|right now|now|asap|briefly)$/i
const until = /^(?:until|untill?|till?|through|thru|starting|effective|as of|from|on|by) (?:further notice$|(?=\S))/i

/** Whether words only say when or for how long: `tomorrow`, `starting monday`, `for 3 days`, `until friday`. */
function saysWhen(words: string, readDay: ReadDay): boolean {
  const end = until.exec(words)?.[0].length ?? 0
  return span.test(words) || manner.test(words) || (end > 0 && end === words.length) || readDay(words.slice(end), false) !== null
}

const correction =
  /^(?:(?:no|wait|stop|cancel|undo|test)(?:[,.!]|$)|not (?:now|yet)(?!\S)|no,? (?:no|wait|stop|not)(?!\S)|(?:please,? )?(?:wait|hold on)(?: for)?(?!\S)|wrong (?:one|person|id|number|employee|user|invoice|company)(?!\S)|(?:don['’]?t|do not|sorry|actually|oops|rather|instead|nope|maybe|perhaps|never ?mind|i mean|just kidding)(?![\p{L}\d]))/iu
const condition = /^(?:but |only )*(?:if|unless|when|once|as soon as|after|before|half)(?!\S)/i

const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand'
/** What may be an amount or a day, behind words that lead to one: `about 250`, `until 15.12.2026`, `fifty`. */
const unclearValue = RegExp(
  `^(?:(?:about|around|between|twice|up to|at (?:most|least)|less than|more than|over|under|until|back to|to|from|on|by|not|but|except|the) )*(?:[€£(]?\\$?\\d|(?:${numberWords})(?!\\p{L})|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day \\d)`,
  'iu',
)

/**
 * Whether the words at the end of a sentence are no text for its form, where what they say would be lost: a correction (`sorry
 * 100468`), a condition (`if it is paid`), another record, a time (a pause ends by nobody's reason), or beside fields for numbers an
 * amount or a day that was read as none. A note may say anything.
 */
export function isNoText(words: readonly Word[], main: Field | undefined, fields: readonly Field[], readDay: ReadDay): boolean {
  if (main?.title === 'Note' || !words.every(isPlain)) return false
  const text = words
    .map(written)
    .join(' ')
    .replace(/^[(–-]+ */, '')
  const isAnother = words.some(
    (word, at) =>
      another.test(word.text.replace(/^\(|[).,;!]+$/g, '')) &&
      (!referring.test(words[at - 1]?.text ?? '') || (at === 1 && /^(?:for|of)$/i.test(words[0]?.text ?? ''))),
  )
  const isNumeric = fields.some(({ kind }) => numeric.has(kind))
  return (
    isAnother ||
    correction.test(text) ||
    condition.test(text) ||
    saysWhen(text, readDay) ||
    (isNumeric && unclearValue.test(text))
  )
}
