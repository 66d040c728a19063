import {
  addDays,
  addMonths,
  differenceInCalendarDays,
  formatISO,
  isValid,
  parseISO,
  startOfMonth,
  startOfQuarter,
} from 'date-fns'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const write = (date: Date): string => formatISO(date, { representation: 'date' })
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

/** True for a valid `yyyy-MM-dd`. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(parseISO(text))

const months = 'january february march april may june july august september october november december'.split(' ')
/** The number of a month from 1, by at least three letters of its name; 0 if there is none. */
function monthOf(name: string): number {
  return months.findIndex((month) => month.startsWith(name)) + 1
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const dated = (year: number, month: number, day: number): string | null => {
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`
  return isDate(date) ? date : null
}

/** A day without a year: the nearest one, or with `past` the last one. */
function nearest(month: number, day: number, today: string, past: boolean): string | null {
  const year = Number(today.slice(0, 4))
  const far = (date: string) => Math.abs(differenceInCalendarDays(parseISO(date), parseISO(today)))
  const found = [year - 1, year, year + 1]
    .flatMap((each) => dated(each, month, day) ?? [])
    .filter((date) => !past || date <= today)
  return found.sort((a, b) => far(a) - far(b))[0] ?? null
}

/** `11/20/2026`, `11.20.26`, `11/20`, `2026/11/20`, `nov 20`, `20-Nov-2026`; month first if both are numbers. */
function calendarDate(typed: string, today: string, past: boolean): string | null {
  const numbers =
    /^(?<month>\d{1,2})[/.-](?<day>\d{1,2})(?:[/.-](?<year>\d{4}|\d{2}))?$/.exec(typed) ??
    /^(?<year>\d{4})[/.-](?<month>\d{1,2})[/.-](?<day>\d{1,2})$/.exec(typed) ??
    /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/.exec(typed)
  const named =
    /^(?<month>[a-z]{3,9})[.\s-]*(?<day>\d{1,2})(?:st|nd|rd|th)?(?:[,\s-]+(?<year>\d{4}|\d{2}))?$/.exec(typed) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?[\s-]*(?<month>[a-z]{3,9})(?:[.,\s-]*(?<year>\d{4}|\d{2}))?$/.exec(typed)
  const { month = '', day = '', year } = (numbers ?? named)?.groups ?? {}
  const number = numbers ? Number(month) : monthOf(month || '-')
  if (!number || !Number(day)) return null
  return year ? dated(Number(year.padStart(4, '20')), number, Number(day)) : nearest(number, Number(day), today, past)
}

const counts = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const spelled = new RegExp(`\\b(?:an?|${counts.slice(1).join('|')})(?= (?:day|week|month)s?\\b)`)
/** `two weeks` and `a fortnight` as `2 weeks`, `a month` as `1 month`. */
const inDigits = (typed: string): string =>
  typed.replace(/\b(?:a )?fortnight\b/, '2 weeks').replace(spelled, (word) => String(Math.max(1, counts.indexOf(word))))

/** `+3`, `-3d`, `+2w`, `-1m`, `3 days ago`, `in two weeks`, `a week ago`. */
function relativeDate(text: string, now: Date): string | null {
  const typed = inDigits(text)
  const match = /^(?<sign>[+-]|in\s+)?(?<by>\d{1,4})\s*(?<unit>d|days?|w|weeks?|m|months?)?(?<ago>\s+ago)?$/.exec(typed)
  const { sign, by, unit, ago } = match?.groups ?? {}
  // Exactly one of sign and `ago` is needed; a plain number is a day of the month.
  if (!by || (sign === undefined) === (ago === undefined) || ((ago || sign?.startsWith('in')) && !unit)) return null
  const days = Number(by) * (ago || sign === '-' ? -1 : 1)
  return write(unit?.startsWith('m') ? addMonths(now, days) : addDays(now, unit?.startsWith('w') ? days * 7 : days))
}

/** `fri`, `next friday`, `this friday`, `last fri`: the next one, or with `past` the last one. */
function weekday(typed: string, now: Date, past: boolean): string | null {
  const { which, name = '' } = /^(?:(?<which>last|next|this|coming)\s+)?(?<name>[a-z]{3,9})$/.exec(typed)?.groups ?? {}
  const day = days.findIndex((each) => each.startsWith(name || '-'))
  if (day < 0) return null
  const back = which === undefined ? past : which === 'last'
  return write(addDays(now, back ? -((now.getDay() - day + 7) % 7 || 7) : (day - now.getDay() + 7) % 7 || 7))
}

const ends: Readonly<Record<string, string>> = { eom: 'month', eoq: 'quarter', eoy: 'year' }

/** `end of month`, `eom`, `end of the next quarter`, `start of the year`: the first or last day of a period. */
function edgeOf(text: string, today: string): string | null {
  const typed = text in ends ? `end of ${ends[text]}` : text
  const [, edge = '', which = 'this', unit] =
    /^(end|start|beginning) (?:of )?(?:the )?(?:(this|last|next) )?(week|month|quarter|year)$/.exec(typed) ?? []
  const [first = null, last = null] = (unit && spanOf(`${which} ${unit}`, today)) || []
  return edge === 'end' ? last : first
}

/**
 * Parses a typed date: `2026-11-21`, `11/21/2026`, `nov 21`, `Sat, Nov 21`, `today`, `tomorrow`, `yesterday`, `+3`, `-3d`,
 * `in two weeks`, `end of month`, `friday`, `21` (that day of this month). Null for anything else, including a day with the wrong weekday. `today` is the
 * business date. A weekday is the next one; with `past`, a weekday or a day without year or month is the last one.
 */
export function dateOf(text: string, today: string, past = false): string | null {
  const typed = text.trim().toLowerCase().replace(/^−/, '-')
  if (isDate(typed)) return typed
  const now = parseISO(today)
  if (typed === 'today' || typed === 'now') return today
  if (typed === 'tomorrow') return write(addDays(now, 1))
  if (typed === 'yesterday') return write(addDays(now, -1))
  if (/^\d{1,2}$/.test(typed)) {
    const date = `${today.slice(0, 8)}${typed.padStart(2, '0')}`
    if (!past || date <= today) return isDate(date) ? date : null
    return dated(...yearAndMonth(addMonths(startOfMonth(now), -1)), Number(typed))
  }
  const plain = weekday(typed, now, past) ?? relativeDate(typed, now) ?? calendarDate(typed, today, past) ?? edgeOf(typed, today)
  if (plain) return plain
  const [, name = '', rest = ''] = /^([a-z]{3,9})[.,\s]+(.*\d.*)$/.exec(typed) ?? []
  const found = rest && calendarDate(rest, today, past)
  return found && days[parseISO(found).getDay()]?.startsWith(name) ? found : null
}

/**
 * The first and the last day, both inclusive, of a typed period: a day as `dateOf` reads it, `this week` (which starts on
 * Sunday), `last month`, `next quarter`, `this year`, `last 7 days` (including today), `within 7 days`, `ytd`, `month to date`,
 * `q4`, `nov`, `november 2025`, `2025`. Null for anything else. A month or quarter is the nearest one, or with `past` the last one that has started.
 */
export function spanOf(text: string, today: string, past = false): readonly [from: string, to: string] | null {
  const alone = dateOf(text, today, past)
  if (alone) return [alone, alone]
  const typed = text.trim().toLowerCase()
  const now = parseISO(today)
  const [, toDate] = /^(year|month|quarter|week|[ymqw])(?:td| to date)$/.exec(typed) ?? []
  const unitToDate = ['year', 'month', 'quarter', 'week'].find((each) => toDate && each.startsWith(toDate))
  if (unitToDate) return [(spanOf(`this ${unitToDate}`, today) ?? [today])[0], today]
  const [, way, length] = /^(last|past|next) (\d{1,3} ?[a-z]+)$/.exec(inDigits(typed).replace(/^within /, 'next ')) ?? []
  const far = length && relativeDate(`${way === 'next' ? '+' : '-'}${length}`, now)
  // The number of days includes today.
  if (far) return far < today ? [moved(far, 1, today), today] : [today, far > today ? moved(far, -1, today) : today]
  const [, which = '', unit] = /^(this|last|next) (week|month|quarter|year)(?:['’]?s)?$/.exec(typed) ?? []
  const by = ['last', 'this', 'next'].indexOf(which) - 1
  const sunday = addDays(now, 7 * by - now.getDay())
  if (unit === 'week') return [write(sunday), write(addDays(sunday, 6))]
  if (unit === 'month') return monthsOn(addMonths(now, by))
  if (unit === 'quarter') return monthsOn(addMonths(startOfQuarter(now), 3 * by), 3)
  const year = unit ? now.getFullYear() + by : /^20\d\d$/.test(typed) && typed
  if (year) return [`${year}-01-01`, `${year}-12-31`]
  const [, name = '-', quarter, of] = /^([a-z]{3,9}|q([1-4]))(?: (20\d\d))?$/.exec(typed) ?? []
  const month = quarter ? 3 * Number(quarter) - 2 : monthOf(name)
  const long = quarter ? 3 : 1
  // The distance of a month or quarter is measured from its middle.
  const [middle, day] = past ? [month, 1] : [month + (long - 1) / 2, 15]
  const date = month ? (of ? dated(Number(of), middle, day) : nearest(middle, day, today, past)) : null
  return date ? monthsOn(addMonths(parseISO(date), month - middle), long) : null
}

/** The first and the last day of a span of `long` months that starts with the month of a date. */
function monthsOn(date: Date, long = 1): readonly [from: string, to: string] {
  const first = startOfMonth(date)
  return [write(first), write(addDays(addMonths(first, long), -1))]
}

const yearAndMonth = (date: Date): [number, number] => [date.getFullYear(), date.getMonth() + 1]

/** A date moved by a number of days; an invalid text unchanged, and `today` for an empty one. */
export const moved = (text: string, by: number, today: string): string =>
  isDate(text) ? write(addDays(parseISO(text), by)) : text === '' ? today : text

/** Distance of a date from today in words, with its weekday: `today`, `in 3 days`, `12 days ago`. */
export function distance(date: string, today: string): string {
  if (!isDate(date)) return ''
  const weekday = shortDay.format(parseISO(date))
  const far = differenceInCalendarDays(parseISO(date), parseISO(today))
  if (far === 0) return 'today'
  if (far === 1) return `tomorrow, ${weekday}`
  if (far === -1) return `yesterday, ${weekday}`
  return far > 0 ? `in ${far} days, ${weekday}` : `${-far} days ago, ${weekday}`
}
