import { addDays, differenceInCalendarDays, formatISO, isValid, parseISO } from 'date-fns'

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const write = (date: Date): string => formatISO(date, { representation: 'date' })
const shortDay = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

/** True for a `yyyy-MM-dd` that the calendar has. */
export const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isValid(parseISO(text))

/**
 * A date as people type it: `2026-11-21`, `today`, `tomorrow`, `yesterday`, `+3`, `-10`, `friday` (the next one), `21`
 * (that day of this month). Null for anything else. `today` is the business date.
 */
export function dateOf(text: string, today: string): string | null {
  const typed = text.trim().toLowerCase()
  if (isDate(typed)) return typed
  const now = parseISO(today)
  if (typed === 'today' || typed === 'now') return today
  if (typed === 'tomorrow') return write(addDays(now, 1))
  if (typed === 'yesterday') return write(addDays(now, -1))
  if (/^[+-]\d{1,4}$/.test(typed)) return write(addDays(now, Number(typed)))
  if (/^\d{1,2}$/.test(typed)) {
    const date = `${today.slice(0, 8)}${typed.padStart(2, '0')}`
    return isDate(date) ? date : null
  }
  const day = typed.length >= 3 ? days.findIndex((name) => name.startsWith(typed)) : -1
  if (day >= 0) return write(addDays(now, (day - now.getDay() + 7) % 7 || 7))
  return null
}

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
