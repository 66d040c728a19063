import { addDays, daysBetween } from '#domain/calendar.ts'
import { parseDollars } from '#domain/money.ts'
import { fold } from '#kernel/fold.ts'
import type { Field } from '#kernel/form.ts'
import type { SentenceField } from '#kernel/sentence/typed-fields.ts'

/** The day that words name, `yyyy-MM-dd`: `nov 20`, `-3d`, `friday`; null if it is none. `past` prefers a past one. */
export type ReadDay = (words: string, past: boolean) => string | null

const amount = /^([-−]?(?:\$ ?)?(?:(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d{1,2})?))(k)?(?: (?:dollars?|usd))?[.,;]?$/i
/** A word for the currency, behind an amount. */
export const currency = /^(?:dollars?|usd)$/i
const percent = /^\d{1,3}(\.\d{1,2})?%?$/
export const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Minimum number of letters of an unfinished label. */
const minLetters = 3

/** The option that words name: by value or label, or as the only one whose label begins with them or has several of them. */
function optionOf({ options }: Field, words: string, isNamed: boolean): string | undefined {
  const typed = fold(words)
  // A number alone is no value of a choice: `works 2` is not the second group.
  const isSaid = isNamed || /\D/.test(typed)
  const whole = options.find(({ value, label }) => fold(label) === typed || (isSaid && fold(value) === typed))
  if (whole) return whole.value
  // Two words may be any part of a label: `insufficient funds` of a code.
  const within = (label: string) => typed.includes(' ') && ` ${label} `.includes(` ${typed} `)
  const unfinished = options.filter(
    ({ label }) => typed.length >= minLetters && (`${fold(label)} `.startsWith(`${typed} `) || within(fold(label))),
  )
  return unfinished.length === 1 ? unfinished[0]?.value : undefined
}

/** The amount that words name in cents, `$1,250.50`, `1.5k`, `250 dollars`, `25 cents`; undefined if they name none. */
function centsOf(words: string): number | undefined {
  const [, few] = /^(\d{1,2}) ?(?:cents?|¢)$/i.exec(words) ?? []
  if (few) return parseDollars(`.${few.padStart(2, '0')}`) ?? undefined
  const [, dollars = '', thousands] = amount.exec(words) ?? []
  const cents = dollars ? parseDollars(dollars) : null
  return cents === null ? undefined : thousands ? cents * 1_000 : cents
}

/** The whole amount that the record has: `in full`, `all of it`, `the rest`. */
const inFull = /^(?:in full|(?:the )?full(?: amount)?|all(?: of it)?|everything|the rest)[.,;]?$/i

/** Words in the form of a day or an amount, which are a mistake where they are none: `2026-02-30`, `dec 33`, `250.555`, `half`. */
export const valueForms: Readonly<Partial<Record<Field['kind'], RegExp>>> = {
  date: /^(?:\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?|(?:\d+|an?|one|two|three|four|five|six|ten) (?:day|week|month)s?)$/i,
  money: /^(?:[-−+]? ?\$?[\d.,]*\d[\d.,]*k?%?|(?:in )?-?(?:half|full)|-?(?:all|everything)|(?:the )?-?rest)$/i,
}

/** A number of days or weeks after the day that a record has: `by 7 days`, `another week`, `two weeks later`. */
const later = /^(?:by (?:another )?|another )(?<by>(?:\S+ )?(?:day|week)s?)$|^(?<later>\S+ (?:day|week)s?) later$/i

/** The day that words count from the one that a record has; null if they count from none. */
function dayAfter({ base, past }: SentenceField, words: string, readDay: ReadDay): string | null {
  const { by, later: span = by } = later.exec(words)?.groups ?? {}
  const [today, day] = [readDay('today', false), span ? readDay(`in ${span.includes(' ') ? '' : 'a '}${span}`, false) : null]
  return typeof base === 'string' && !past && day && today ? addDays(base, daysBetween(today, day)) : null
}

/** Number of days beyond which a day without a year is more likely on the other side of today. */
const halfYear = 183

/**
 * The day of a field that words name. Without a year it is the nearest one: on 30 November `dec 1` is tomorrow, which a field for
 * past days refuses, rather than a day of last year.
 */
function dayFor({ past }: Field, words: string, readDay: ReadDay): string | null {
  const day = readDay(words, past ?? false)
  const today = readDay('today', false)
  const isFar = past && day !== null && today !== null && !/\d{4}|ago|last/.test(words) && day < addDays(today, -halfYear)
  return isFar ? readDay(words, false) : day
}

/** The value that words are for a field, in its own unit; undefined if they are none. */
export function valueFor(field: SentenceField, words: string, readDay: ReadDay, isNamed: boolean): unknown {
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return field.options.length ? optionOf(field, words, isNamed) : isNamed ? words : undefined
    case 'code':
      return isNamed ? words : undefined
    case 'e-mail':
      return address.test(words) ? words : undefined
    case 'money':
      return inFull.test(words) && typeof field.base === 'number' && field.base > 0 ? field.base : centsOf(words)
    case 'percentage':
      // Hundredths, as in cents.
      return percent.test(words) && (isNamed || words.endsWith('%'))
        ? (parseDollars(words.replace('%', '')) ?? undefined)
        : undefined
    case 'integer':
      return /^\d{1,9}$/.test(words) ? Number(words) : undefined
    case 'date':
      // A plain number is an amount or an id rather than a day of this month.
      return !isNamed && /^\d+$/.test(words)
        ? undefined
        : (dayAfter(field, words, readDay) ?? dayFor(field, words, readDay) ?? undefined)
    case 'choice':
      return optionOf(field, words, isNamed)
    case 'choices': {
      const option = optionOf(field, words, isNamed)
      return option === undefined ? undefined : { add: [option] }
    }
    case 'switch': {
      const typed = fold(words)
      if (isNamed) return /^(yes|on|true)$/.test(typed) ? true : /^(no|off|false)$/.test(typed) ? false : undefined
      const title = fold(field.title)
      return typed === title ? true : typed === `not ${title}` || typed === `no ${title}` ? false : undefined
    }
    default:
      return undefined
  }
}
