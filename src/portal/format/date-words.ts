import { addDays, addMonths, differenceInCalendarDays, formatISO, isValid, parseISO, startOfMonth } from 'date-fns'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const write = (date: Date): string => formatISO(date, { representation: 'date' })
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

/** True for a `yyyy-MM-dd` that the calendar has. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(parseISO(text))

const months = 'january february march april may june july august september october november december'.split(' ')
/** The number of a month by at least three letters of its name, from 1; 0 where it is none. */
function monthOf(name: string): number {
  return months.findIndex((month) => month.startsWith(name)) + 1
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')
const dated = (year: number, month: number, day: number): string | null => {
  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`
  return isDate(date) ? date : null
}

/** A day of a year that is not said: the nearest one, or of days that have been the last one. */
function nearest(month: number, day: number, today: string, past: boolean): string | null {
  const year = Number(today.slice(0, 4))
  const far = (date: string) => Math.abs(differenceInCalendarDays(parseISO(date), parseISO(today)))
  const found = [year - 1, year, year + 1]
    .flatMap((each) => dated(each, month, day) ?? [])
    .filter((date) => !past || date <= today)
  return found.sort((a, b) => far(a) - far(b))[0] ?? null
}

/** `11/20/2026`, `11/20/26`, `11/20`, `nov 20`, `20 nov 2026`; the month first where both are numbers. */
function calendarDate(typed: string, today: string, past: boolean): string | null {
  const numbers = /^(\d{1,2})[/-](\d{1,2})(?:[/-](\d{2}|\d{4}))?$/.exec(typed)
  const named =
    /^(?<month>[a-z]{3,9})\.?\s*(?<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?<year>\d{4}))?$/.exec(typed) ??
    /^(?<day>\d{1,2})(?:st|nd|rd|th)?\s*(?<month>[a-z]{3,9})\.?(?:,?\s+(?<year>\d{4}))?$/.exec(typed)
  const month = numbers ? Number(numbers[1]) : monthOf(named?.groups?.['month'] ?? '-')
  const day = Number(numbers ? numbers[2] : named?.groups?.['day'])
  const year = numbers ? numbers[3] : named?.groups?.['year']
  if (!month || !day) return null
  return year ? dated(Number(year.padStart(4, '20')), month, day) : nearest(month, day, today, past)
}

/** `+3`, `-3d`, `+2w`, `-1m`, `3 days ago`. */
function relativeDate(typed: string, now: Date): string | null {
  const match =
    /^([+-])(\d{1,4})\s*(d|days?|w|weeks?|m|months?)?$/.exec(typed) ??
    /^()(\d{1,4})\s*(d|days?|w|weeks?|m|months?)\s+ago$/.exec(typed)
  if (!match) return null
  const by = Number(match[2]) * (match[1] === '+' ? 1 : -1)
  const unit = match[3]?.[0] ?? 'd'
  return write(unit === 'm' ? addMonths(now, by) : addDays(now, unit === 'w' ? by * 7 : by))
}

/**
 * A date as people type it: `2026-11-21`, `11/21/2026`, `nov 21`, `today`, `tomorrow`, `yesterday`, `+3`, `-3d`, `friday`,
 * `21` (that day of this month). Null for anything else. `today` is the business date. A weekday is the next one; of a
 * date that has been, it and a day without its year or month are the last one.
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
  const day = typed.length >= 3 ? days.findIndex((name) => name.startsWith(typed)) : -1
  if (day >= 0) return write(addDays(now, past ? -((now.getDay() - day + 7) % 7 || 7) : (day - now.getDay() + 7) % 7 || 7))
  return relativeDate(typed, now) ?? calendarDate(typed, today, past)
}

const yearAndMonth = (date: Date): [number, number] => [date.getFullYear(), date.getMonth() + 1]

/** A date moved by days; the text itself where it is no date yet, from `today` when it is empty. */
export const moved = (text: string, by: number, today: string): string =>
  isDate(text) ? write(addDays(parseISO(text), by)) : text === '' ? today : text

/** How far a date is from today, in words: `today`, `in 3 days`, `12 days ago`, with its weekday. */
export function distance(date: string, today: string): string {
  if (!isDate(date)) return ''
  const weekday = shortDay.format(parseISO(date))
  const far = differenceInCalendarDays(parseISO(date), parseISO(today))
  if (far === 0) return 'today'
  if (far === 1) return `tomorrow, ${weekday}`
  if (far === -1) return `yesterday, ${weekday}`
  return far > 0 ? `in ${far} days, ${weekday}` : `${-far} days ago, ${weekday}`
}
