import { dayOf, dayText } from '#domain/day-text.ts'

const inZone = (timeZone = 'America/New_York') =>
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
let zoned = inZone()

/** Shows times in the business time zone, by whose days lists are filtered and money falls due (D449). */
export function showTimesIn(timeZone?: string): void {
  zoned = inZone(timeZone)
}

/** The business time zone, as `America/New_York`. */
export const businessTimeZone = (): string => zoned.resolvedOptions().timeZone

/** `20 Nov 2026, 18:02 EST` */
const dateTime = (at: string): string => zoned.format(new Date(at)).replace(/^(\w+) (\d+),/, '$2 $1')

/** Pixels that the zone beside a time takes in a list; none where times stand without it. */
export const timeZoneWidth = (): number => (dateAndTime(new Date().toISOString()).length > 18 ? 30 : 0)

/** A date, or the day of a time, as `14 Mar 2023`; the dash of an empty cell without one. */
export function shortDate(date: string | null | undefined): string {
  if (!date) return '—'
  if (date.length === 10) return dayText(dayOf(date))
  return dateTime(date).replace(/,.*/, '')
}

/** Words with every `yyyy-MM-dd` in them as `14 Mar 2023`. */
export const withShortDates = (words: string): string => words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => shortDate(date))

/** A time as `20 Nov 2026, 18:02`, with the zone where the clock of the browser shows another time. */
export function dateAndTime(at: string | null | undefined): string {
  if (!at) return '—'
  const text = dateTime(at)
  return text.includes(`, ${new Date(at).toTimeString().slice(0, 5)}`) ? text.replace(/ \S+$/, '') : text
}
