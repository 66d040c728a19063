import { dayOf, dayText } from '#domain/day-text.ts'

const two = (number: number): string => String(number).padStart(2, '0')

/** A date, or the day of a time, as `14 Mar 2023`; the dash of an empty cell without one. */
export const shortDate = (date: string | null | undefined): string => (date ? dayText(dayOf(date)) : '—')

/** Words with every `yyyy-MM-dd` in them as `14 Mar 2023`. */
export const withShortDates = (words: string): string => words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => shortDate(date))

/** A time as `20 Nov 2026, 18:02` in the zone of the browser. */
export function dateAndTime(at: string | null | undefined): string {
  if (!at) return '—'
  const time = dayOf(at)
  return `${dayText(time)}, ${two(time.getHours())}:${two(time.getMinutes())}`
}
