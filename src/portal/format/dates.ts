import { dayText } from '#domain/day-text.ts'

/** A date without a time is a day here, not midnight in Greenwich. */
const dayOf = (date: string): Date => new Date(date.length === 10 ? `${date}T00:00` : date)

const two = (number: number): string => String(number).padStart(2, '0')

const written = (day: Date): string => dayText(`${day.getFullYear()}-${day.getMonth() + 1}-${day.getDate()}`)

// Written by hand: every list shows dates, and date-fns is fetched only after the first one.
/** A date, or the day of a time, as `14 Mar 2023`; the dash of an empty cell without one. */
export const shortDate = (date: string | null | undefined): string => (date ? written(dayOf(date)) : '—')

/** Words with every `yyyy-MM-dd` in them as `14 Mar 2023`. */
export const withShortDates = (words: string): string => words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => shortDate(date))

/** A time as `20 Nov 2026, 18:02` in the zone of the browser. */
export function dateAndTime(at: string | null | undefined): string {
  if (!at) return '—'
  const time = dayOf(at)
  return `${written(time)}, ${two(time.getHours())}:${two(time.getMinutes())}`
}
