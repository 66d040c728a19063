import { differenceInCalendarDays, intervalToDuration, parseISO } from 'date-fns'
import { wholeNumber } from '#domain/text.ts'

/** Distance of a date from today (both `yyyy-MM-dd`): `today`, `in 6 days`, `3 days ago`. */
export function fromToday(date: string, today: string): string {
  const days = differenceInCalendarDays(parseISO(date), parseISO(today))
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days === 1 ? 'tomorrow' : 'yesterday'
  const word = wholeNumber(Math.abs(days))
  return days > 0 ? `in ${word} days` : `${word} days ago`
}

/** The time from a date until today in its two largest units: `2 y 8 mo`; empty for a future date. */
export function lengthUntil(today: string, from: string): string {
  if (from > today) return ''
  const { years = 0, months = 0, days = 0 } = intervalToDuration({ start: parseISO(from), end: parseISO(today) })
  const parts = [years && `${years} y`, months && `${months} mo`, !years && days && `${days} d`].filter(Boolean)
  return parts.slice(0, 2).join(' ') || 'since today'
}
