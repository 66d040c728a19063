import { dayOf, dayText } from '#domain/day-text.ts'

const inZone = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
let zoned = inZone('America/New_York')

/** Shows times in the business time zone, by whose days lists are filtered and money falls due (D449). */
export function showTimesIn(timeZone: string): void {
  zoned = inZone(timeZone)
}

const partsOf = (at: string) => Object.fromEntries(zoned.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))

/** A date, or the day of a time, as `14 Mar 2023`; the dash of an empty cell without one. */
export function shortDate(date: string | null | undefined): string {
  if (!date) return '—'
  if (date.length === 10) return dayText(dayOf(date))
  const { day, month, year } = partsOf(date)
  return `${day} ${month} ${year}`
}

/** Words with every `yyyy-MM-dd` in them as `14 Mar 2023`. */
export const withShortDates = (words: string): string => words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => shortDate(date))

/** A time as `20 Nov 2026, 18:02`, with the zone where the clock of the browser shows another time. */
export function dateAndTime(at: string | null | undefined): string {
  if (!at) return '—'
  const { day, month, year, hour, minute, timeZoneName } = partsOf(at)
  const here = new Date(at).getHours() === Number(hour)
  return `${day} ${month} ${year}, ${hour}:${minute}${here ? '' : ` ${timeZoneName}`}`
}
