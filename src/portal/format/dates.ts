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

/** Shows times in the business time zone, which determines the days for filters and due dates. */
export function showTimesIn(timeZone?: string): void {
  zoned = inZone(timeZone)
}

/** The business time zone, such as `America/New_York`. */
export const businessTimeZone = (): string => zoned.resolvedOptions().timeZone

/** `20 Nov 2026, 18:02 EST` */
const dateTime = (at: string): string => zoned.format(new Date(at)).replace(/^(\w+) (\d+),/, '$2 $1')

/** Width in pixels of the zone beside a time in a list; 0 if times are shown without it. */
export const timeZoneWidth = (): number => (dateAndTime(new Date().toISOString()).length > 18 ? 30 : 0)

/** A date, or the day of a time, as `14 Mar 2023`; a dash without one. */
export function shortDate(date: string | null | undefined): string {
  if (!date) return '—'
  if (date.length === 10) return dayText(dayOf(date))
  return dateTime(date).replace(/,.*/, '')
}

/** A text with every `yyyy-MM-dd` in it as `14 Mar 2023`. */
export const withShortDates = (words: string): string => words.replace(/\b\d{4}-\d{2}-\d{2}\b/g, (date) => shortDate(date))

/** A time as `20 Nov 2026, 18:02`, with the zone if the browser's clock shows another time. */
export function dateAndTime(at: string | null | undefined): string {
  if (!at) return '—'
  const text = dateTime(at)
  return text.includes(`, ${new Date(at).toTimeString().slice(0, 5)}`) ? text.replace(/ \S+$/, '') : text
}
