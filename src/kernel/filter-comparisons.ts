import type { Filter, FilterSetting } from '#contract/filter.ts'
import { addDays } from '#domain/calendar.ts'
import { parseDollars } from '#domain/money.ts'
import { fold } from '#kernel/fold.ts'

/** What can be compared in a list, and how dates are parsed. */
export interface Comparable {
  filters: readonly Filter[]
  /** Titles of its columns and sort orders: a name among these that has no filter cannot be compared. */
  titles: readonly string[]
  /** First and last day of a date as people write it, `nov 30`, `last month`; null if it is not a date. `past` prefers a past one. */
  spanOf: (text: string, past: boolean) => Span | null
}

/** From one day to another, both inclusive (`yyyy-MM-dd`). */
export type Span = readonly [from: string, to: string]

/** The parsed comparison and the remaining words; null if the named value cannot be compared. */
export type Compared = { set: FilterSetting[]; rest: string } | null

/** Maximum number of words in a column name. */
export const maxNameWords = 4
/** Maximum number of words in a date: `in 2 weeks`, `sat nov 21`. */
const maxDateWords = 3
/** Minimum number of letters of an incomplete name. */
const minLetters = 3

/** The text with a space for the sign between the name of a filter and its value: `status:paused`, `employer=acme`. */
export const withoutColons = (typed: string): string => typed.replace(/(?<=\p{L})(?::\s*(?=[^\s/])|\s*=\s*(?=\p{L}))/gu, ' ')

/** Names of a filter: its title, and its parameter in the address. */
export const namesOf = ({ title, id }: Filter): string[] => [fold(title), fold(id)]

/** Whether the words are the name, or a prefix of it or of one of its words. */
const begins = (name: string, typed: string): boolean =>
  name === typed || (typed.length >= minLetters && ` ${name}`.includes(` ${typed}`))

/** The filter of a kind that the words name; an exact name comes before a partial one. */
export function filterNamed(typed: string, filters: readonly Filter[]): Filter | undefined {
  const whole = filters.find((filter) => namesOf(filter).includes(typed))
  return whole ?? filters.find((filter) => namesOf(filter).some((name) => begins(name, typed)))
}

const comparison =
  /(?:^|\s|(?<=[a-z])(?=[<>]))(?:is\s+)?(>=?|<=?|over\b|above\b|under\b|below\b|more than\b|less than\b)\s*(\(?[-−]?\$?[\d.,]+\)?)(k?)(?=\s|$)(?!\s+(?:day|week|month|year)s?(?:\s|$))/i
const range =
  /(?<!\S)(?:is\s+)?(?:between\s+(\$?[\d.,]*\dk?)\s+and|(?:from\s+)?(\$?[\d.,]*\dk?)\s*(?:\.\.+|to\b)|(\$[\d.,]*\dk?|[\d.,]*\dk?(?=\s+[-–]\s+))\s*[-–])\s*(\$?[\d.,]*\dk?)(?!\S)/i

/** Two amounts after a word, separated by a hyphen. Without the word or a dollar sign they may be a telephone number. */
const hyphened = /(?<=[a-z] +)(\$?[\d.,]*\dk?) ?[-–] ?(\$?[\d.,]*\dk?)(?!\S)/i

/** The first comparison of amounts in a text, `> 500`, `100..500`, `over 100 and under 500`. */
interface Amounts {
  /** Both bounds, inclusive, in cents; undefined for an open one. */
  ends: [from?: number, to?: number]
  before: string
  behind: string
}

function amountsIn(typed: string): Amounts | null {
  const text = typed
    .replace(range, '>= $1$2$3 <= $4')
    .replace(/(?<!\S)(?:(?:at )?least|no less than)(?= \$?[\d.])/gi, '>=')
    .replace(/(?<!\S)(?:(?:at )?most|up to|no more than)(?= \$?[\d.])/gi, '<=')
    .replace(
      /(?<!\S)(\$?[\d.,]*\dk?) or (less|under|below|more|over|above)(?!\S| \$?\d)/gi,
      (_, amount: string, which: string) => `${/^[mo]|^a/i.test(which) ? '>=' : '<='} ${amount}`,
    )
  const ends: Amounts['ends'] = []
  let before: string | undefined
  let behind = text
  for (;;) {
    const found = comparison.exec(behind)
    const dollars = found && parseDollars(found[2] as string)
    const sign = found?.[1]?.toLowerCase() ?? ''
    const end = /^(>|over|above|more)/.test(sign) ? 0 : 1
    // The other bound follows directly after the first one.
    if (!found || dollars === null || (before !== undefined && (found.index > 0 || ends[end] !== undefined))) break
    const cents = found[3] ? 1_000 * (dollars as number) : (dollars as number)
    ends[end] = sign.endsWith('=') ? cents : cents + (end ? -1 : 1)
    before ??= text.slice(0, found.index)
    behind = behind.slice(found.index + found[0].length).replace(/^\s+and(?=\s)/i, '')
  }
  return before === undefined ? null : { ends, before, behind: behind.trim() }
}

/**
 * The words before a comparison as a name of an amount: their number and the filter, which is null if they name a value without
 * one. Zero words if they name nothing or are a filter value by `isSaid`; then `own` is compared.
 */
function amountNamed(
  words: readonly string[],
  own: Filter,
  { filters, titles }: Comparable,
  isSaid: (words: string) => boolean,
): { length: number; filter: Filter | null } {
  // Choices and flags are used without a comparison: `flagged > 500` has two conditions.
  const others = filters.filter(({ field }) => field.kind !== 'choices' && field.kind !== 'money')
  // The amount of a row as a whole is its `amount`, not a part of it.
  const columns = [...titles.map(fold), ...others.flatMap(namesOf), 'total amount']
  const amounts = filters.filter(({ field }) => field.kind === 'money')
  for (let length = Math.min(maxNameWords, words.length); length > 0; length--) {
    const typed = words.slice(-length).join(' ')
    const name = typed.replace(/^total( amount)?$/, 'amount').replace(/^total | amounts?$/g, '')
    const filter = filterNamed(name, amounts)
    if (filter) return { length, filter }
    if (columns.includes(typed) || columns.includes(name)) return { length, filter: null }
    if (isSaid(typed)) break
    if (columns.some((name) => typed.length >= minLetters && name.startsWith(typed))) return { length, filter: null }
  }
  const amount = /^amounts?$/.test(words.at(-1) ?? '')
  return { length: amount ? 1 : 0, filter: own }
}

/**
 * Extracts `outstanding > 500` or `outstanding 100..500` from the input: the setting, in cents, and the rest. Compares the
 * amount named before the operator, else the list's first one; null if the named value has no amount filter.
 */
export function amountIn(typed: string, about: Comparable, isSaid: (words: string) => boolean): Compared {
  const own = about.filters.find(({ field }) => field.kind === 'money')
  const text = typed.replace(hyphened, '$1 to $2')
  const found = own && amountsIn(text)
  if (!own || !found) return { set: [], rest: typed }
  const { behind, ends } = found
  const before = found.before.split(/\s+/).filter(Boolean)
  const { filter, length } = amountNamed(before.map(fold), own, about, isSaid)
  // A number without a name or operator is not an amount: `laurel 555-1063`.
  if (text !== typed && (length === 0 || !filter)) return { set: [], rest: typed }
  const set = filter && amountSet(filter, ends)
  if (!set) return null
  // The name may also follow the amount: `> 500 outstanding`.
  const named = fold(filter.title)
  const after = length === 0 && `${fold(behind)} `.startsWith(`${named} `) ? behind.slice(named.length) : behind
  return { set: [set], rest: `${before.slice(0, before.length - length).join(' ')} ${after}`.trim() }
}

/** Whether the second amount of a range is below the first one, `500..100`. */
export function isReversed(typed: string): boolean {
  const [from, to] = amountsIn(typed)?.ends ?? []
  return from !== undefined && to !== undefined && to < from
}

/** The setting of an amount range; null if it is impossible. `over` and `under` exclude the bound, so it moves by one cent. */
function amountSet({ id, types }: Filter, [from, to]: Amounts['ends']): FilterSetting | null {
  if (to === undefined) return { id, type: 'over', value: `${(from ?? 0) - 1}` }
  if (from === undefined) return { id, type: 'under', value: `${to + 1}` }
  return to > from && types.includes('between') ? { id, type: 'between', value: `${from}..${to}` } : null
}

/** From one day to another, both inclusive; a word such as `since` gives only one of them. */
type OpenSpan = readonly [from: string | undefined, to: string | undefined]

/** Range of days for each word or operator before a date. */
const rangesBy: readonly [signs: RegExp, range: (date: Span) => OpenSpan][] = [
  [/^(before|<)$/, ([from]) => [undefined, addDays(from, -1)]],
  [/^(by|until|till|<=)$/, ([, to]) => [undefined, to]],
  [/^(after|>)$/, ([, to]) => [addDays(to, 1), undefined]],
  [/^(since|from|>=)$/, ([from]) => [from, undefined]],
  [/^(on|in|is|=|)$/, (date) => date],
]

/** Earlier than any date of a record, such as a hire date. `until` and `before` start here. */
const firstDay = '1900-01-01'

/**
 * Closes a range (VAL-002): `until` starts at the first day, `since` ends today, or a year later if it starts after today. The
 * filled bound is shown in the row, the chip and the form.
 */
const withBothEnds = ([from = firstDay, to]: OpenSpan, today: string): Span => [
  from,
  to ?? (from > today ? addDays(from, 365) : today),
]

/** The intersection of two ranges. */
const overlap = ([from, to]: OpenSpan, [otherFrom, otherTo]: OpenSpan): OpenSpan => [
  from && otherFrom ? (from > otherFrom ? from : otherFrom) : (from ?? otherFrom),
  to && otherTo ? (to < otherTo ? to : otherTo) : (to ?? otherTo),
]

/** The setting of a date range. A single day is not a range (VAL-003): an API that only takes ranges is also asked for the next day. */
function daysSet({ id, types }: Filter, [from, to]: Span): FilterSetting {
  if (from === to && types.includes('is')) return { id, type: 'is', value: from }
  return { id, type: 'between', value: `${from}..${from === to ? addDays(to, 1) : to}` }
}

/** Dates that may be in the future; for all others a weekday is the last one. */
const ahead = new Set(['due', 'live'])

/** Words that refer to the only date of a list without its name; with `>`, 15 is an amount. */
const saysDate = /^(on|before|after|since|until|till)$/
/** An amount: `between` before it does not start a date. */
const isAmount = /^\$?[\d.,]+k?$/i
/** Words that refer to the only date if no words precede them: `paused this week` is not about the hire date. */
export const saysDateFirst = /^(this|last|past|next)$/
/** Words that refer to a date on which an event happened: `failed today`. */
const saysWhen = /^(this|last|past|next|today|yesterday|tomorrow)$/
const happened = /^(date|worked|received|requested|queued|effective|paid|suggested|reported)$/

/** Dates that describe a record, not the start of its current state. */
const ofRecord = /^(hired|joined|live|signed_in)$/

/** Whether a list has a date of an event: `terminated last week` is not about the hire date. */
export const tellsWhen = (filters: readonly Filter[]): boolean =>
  filters.some(({ id, field }) => field.kind === 'date-range' && !ofRecord.test(id))

/** Whether the word is a month with a day before or after it that does not exist in that month. */
function isNoDay(words: readonly string[], at: number, spanOf: Comparable['spanOf']): boolean {
  const isMonth = (word = '') => {
    const span = /^[a-z]{3,9}$/.test(word) && spanOf(word, true)
    return span && span[0] !== span[1]
  }
  const isDay = (word = '') => /^\d{1,2}(st|nd|rd|th)?,?$/.test(word)
  const [month = '', before = '', behind = ''] = [words[at], words[at - 1], words[at + 1]]
  const isNone = (day: string) => !spanOf(day.replace(/,$/, ''), true)
  if (!isMonth(month)) return false
  if (isDay(behind)) return isNone(`${month} ${behind}`)
  return isDay(before) && !isMonth(words[at - 2]) && isNone(`${before} ${month}`)
}

/** Days late: `overdue 30 days`, `more than 30 days past due`, `30+ days`, `days past due > 30`. */
const lateness =
  /(?<!\S)(?<!(?:last|next|in|within|for|(?<!over|past )due) )(?:by )?(older than|later than|more than|over|>)?(?:at least|>=)?\s*(\d{1,3})\+? ?days?(?! ago)(?: old| or more)?(?!\S)/i
const daysFirst = /(?<!\S)days? ((?:over|past )due|late)\s*(>=?|over|more than|)\s*(\d{1,3})(?: days?)?(?!\S)/i

/** `overdue 90+` with the unit of its number. */
export const withDaysLate = (typed: string): string =>
  typed
    .replace(/(?<!\S)((?:over|past )due|late) (\d{1,3}\+)(?! days?(?!\S))/i, '$1 $2 days')
    .replace(/(?<!\S)(\d{1,3}\+) ((?:over|past )due|late)(?!\S)/i, '$1 days $2')

/** Rewrites lateness as a due date, if there is one. More than 30 days late means due before the day 30 days ago. */
function lateAsDue(typed: string, dates: readonly Filter[]): string {
  if (!dates.some(({ id }) => id === 'due')) return typed
  const text = typed.replace(daysFirst, '$2 $3 days $1')
  if (!lateness.test(text)) return typed
  return text
    .replace(/(?<!\S)(past due|late)(?!\S)/i, 'overdue')
    .replace(lateness, (_, more: string | undefined, days: string) => `due ${more ? 'before' : 'until'} ${days} days ago`)
}

/** `older than 3 days` as a date before which something happened. */
const age = /(?<!\S)(?:older|longer|more) than (\d{1,3}) (day|week|month)s?(?: ago| old)?(?!\S)/i

/** Between the two days of a range. */
const joinsDays = /^(to|until|till|-|–)$/

/** A weekday, whole or shortened. */
export const isWeekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?$/i

/** What a number before it counts. */
const counted = /^(?:hours?|hrs?|minutes?|mins?|times?|people|persons?|employees|dollars?|usd)$/

/** Extracts `due before nov 30`, `due nov 1 to nov 15` or `due this week` from the input: a range of the named date. */
export function dateIn(
  typed: string,
  { filters, spanOf }: Pick<Comparable, 'filters' | 'spanOf'>,
): { set: FilterSetting[]; rest: string } {
  const dates = filters.filter(({ field }) => field.kind === 'date-range')
  const today = spanOf('today', false)?.[0] ?? firstDay
  // Splits `11/20..11/30` into three words, like `11/20 to 11/30`.
  const when = dates.length === 1 && tellsWhen(dates) ? typed.replace(age, 'before $1 $2s ago') : typed
  // `within the next 2 weeks` has no more than three words.
  const short = when.replace(/(?<!\S)within (?:the )?(?:next |coming )?(?=\S+ (?:day|week|month)s?(?!\S))/i, 'within ')
  const apart = lateAsDue(dates.length ? short : '', dates).replace(
    /(?<!\S)(\S+?)(\.\.+)(\S+)/g,
    (whole, one: string, dots: string, other: string) =>
      spanOf(one.toLowerCase(), true) && spanOf(other.toLowerCase(), true) ? `${one} ${dots} ${other}` : whole,
  )
  const words = apart.split(/\s+/).filter(Boolean)
  const lower = words.map((word) => word.toLowerCase())
  // A day that does not exist is no date, and the rest is not one either: `feb 30` is not all of February.
  if (lower.some((_, at) => isNoDay(lower, at, spanOf))) return { set: [], rest: typed }
  const spanAt = (at: number, past: boolean): { span: Span; end: number } | null => {
    for (let end = Math.min(at + maxDateWords, words.length); end > at; end--) {
      const span = spanOf(lower.slice(at, end).join(' ').replace(/,$/, ''), past)
      // `worked 8 hours` and `worked 8 yesterday` are no 8th of the month.
      const next = lower[end] ?? ''
      const isCount =
        end === at + 1 &&
        /^\d+$/.test(lower[at] ?? '') &&
        (counted.test(next) || (/^[a-z]/.test(next) && spanOf(next, past) !== null))
      if (span && !isCount) return { span, end }
    }
    return null
  }
  /** The second bound after one given by a word or operator: `after nov 1 before nov 15`. */
  const otherEnd = (at: number, past: boolean): { range: OpenSpan; end: number } | null => {
    const by = rangesBy.slice(0, -1).find(([signs]) => signs.test(lower[at] ?? ''))
    const other = by ? spanAt(at + 1, past) : null
    return by && other ? { range: by[1](other.span), end: other.end } : null
  }
  const rangeAt = (at: number, isPast: boolean): { range: OpenSpan; end: number } | null => {
    const sign = lower[at] ?? ''
    // `due since friday` is the last one, though dates that are due are mostly ahead.
    const past = isPast || sign === 'since'
    const by = rangesBy.find(([signs]) => signs.test(sign))
    // A number after an operator is an amount: `suggested > 20`.
    if (/^[<>]/.test(sign) && /^\d+$/.test(lower[at + 1] ?? '')) return null
    // `in 3 days` is a date; in `in nov` the word only precedes one.
    const first = spanAt(at, past) ?? (by || sign === 'between' ? spanAt(at + 1, past) : null)
    if (!first) return null
    const other = by && by !== rangesBy.at(-1) ? otherEnd(lower[first.end] === 'and' ? first.end + 1 : first.end, past) : null
    if (by && other) return { range: overlap(by[1](first.span), other.range), end: other.end }
    const second = /^(and|to|until|till|-|–|\.\.+)$/.test(lower[first.end] ?? '') ? spanAt(first.end + 1, past) : null
    if (second) {
      const [from, to] = [first.span[0], second.span[1]]
      // From the next Monday to the Friday after it, or from the last Friday back to the Monday before.
      const isTurned = to < from && isWeekday.test(lower[first.end - 1] ?? '') && isWeekday.test(lower[second.end - 1] ?? '')
      const range: OpenSpan = !isTurned ? [from, to] : past ? [addDays(from, -7), to] : [from, addDays(to, 7)]
      return { range, end: second.end }
    }
    const range = sign === 'between' ? undefined : (by ?? rangesBy.at(-1))?.[1](first.span)
    return range ? { range, end: first.end } : null
  }
  const joins = lower.some((word) => joinsDays.test(word))
  /** Whether a range of days starts here: `from monday to friday`, but not `from birch`. */
  const isFromDay = (at: number): boolean => {
    if (!joins) return false
    const end = spanAt(lower[at] === 'from' ? at + 1 : at, true)?.end ?? -1
    return joinsDays.test(lower[end] ?? '') && spanAt(end + 1, true) !== null
  }
  const [one] = dates.length === 1 ? dates : []
  for (let at = 0; at < words.length; at++) {
    const word = lower[at] as string
    const isRange = saysDate.test(word) || (word === 'between' && !isAmount.test(lower[at + 1] ?? '')) || isFromDay(at)
    for (let length = Math.min(maxNameWords, words.length - at - 1); length >= 0; length--) {
      const named = fold(words.slice(at, at + length).join(' '))
      // `paused before november` is not about the hire date either.
      const said = ofRecord.test(one?.id ?? '')
        ? at === 0 && (isRange || saysDateFirst.test(word))
        : isRange || (happened.test(one?.id ?? '') ? saysWhen.test(word) : at === 0 && saysDateFirst.test(word))
      const only = said ? one : undefined
      const filter = length > 0 ? filterNamed(named, dates) : only
      // `last 7 days` is a period, not a prefix of `last sign-in`.
      if (filter && length > 0 && !namesOf(filter).includes(named) && spanAt(at, true)) continue
      const found = filter && rangeAt(at + length, !ahead.has(filter.id))
      const days = found && withBothEnds(found.range, today)
      if (!days || days[1] < days[0]) continue
      return { set: [daysSet(filter, days)], rest: [...words.slice(0, at), ...words.slice(found.end)].join(' ') }
    }
  }
  return { set: [], rest: typed }
}

/**
 * `company wh-04` as a text filter that is named first, by its full name or whole leading words; undefined if none matches. An
 * exact filter (an id) takes one word with a digit.
 */
export function textNamed(typed: string, filters: readonly Filter[]): FilterSetting | undefined {
  const words = typed.split(/\s+/).filter(Boolean)
  const texts = filters.filter(({ field }) => field.kind === 'text')
  // An incomplete name is not a name and a value.
  if (texts.some(({ title }) => fold(title).startsWith(fold(typed)))) return undefined
  for (let length = Math.min(maxNameWords, words.length - 1); length > 0; length--) {
    const named = fold(words.slice(0, length).join(' '))
    const filter =
      texts.find((each) => namesOf(each).includes(named)) ?? texts.find(({ title }) => fold(title).startsWith(`${named} `))
    if (!filter) continue
    const said = /^(contains|is|has|=)$/i.test(words[length] ?? '') && length + 1 < words.length
    const value = words.slice(said ? length + 1 : length).join(' ')
    if (filter.types[0] === 'is' && !/^\S*\d\S*$/.test(value)) continue
    return { id: filter.id, type: filter.types[0], value }
  }
  return undefined
}
