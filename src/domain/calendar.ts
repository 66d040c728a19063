/** How a date that falls on a closed day is moved (ENT-117 to ENT-119). */
export const adjustments = ['NEXT', 'PREVIOUS', 'SAME'] as const
export type Adjustment = (typeof adjustments)[number]

const day = 86_400_000

/** Days since 1970-01-01, counted in UTC, where every day has 24 hours. */
function numberOf(date: string): number {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  const days = match ? Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) / day : Number.NaN
  if (Number.isNaN(days) || dateOf(days) !== date) throw new RangeError(`Not a date: ${date}`)
  return days
}

const dateOf = (days: number): string => new Date(days * day).toISOString().slice(0, 10)

/** 0 is Sunday. */
const weekdayOf = (days: number): number => (((days + 4) % 7) + 7) % 7

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

/** The weekday of a date, `Fri`. Throws RangeError for an invalid date. */
export const weekdayName = (date: string): string => weekdays[weekdayOf(numberOf(date))] as string

/** The date `days` later, or earlier if negative. Throws RangeError for an invalid date. */
export const addDays = (date: string, days: number): string => dateOf(numberOf(date) + days)

/** Whole days between two dates; negative if `to` is earlier. */
export const daysBetween = (from: string, to: string): number => numberOf(to) - numberOf(from)

/** The last day of the month of a date. Throws RangeError for an invalid date. */
export function monthEndOf(date: string): string {
  const [year, month] = dateOf(numberOf(date)).split('-').map(Number) as [number, number]
  return dateOf(ofYear(year, month + 1, 0))
}

/** Whether a date is the last day of its month. */
export const isMonthEnd = (date: string): boolean => date === monthEndOf(date)

const ofYear = (year: number, month: number, date: number): number => Date.UTC(year, month - 1, date) / day

/** The nth weekday of a month; 1 is Monday. */
function nth(year: number, month: number, weekday: number, count: number): number {
  const first = ofYear(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (count - 1) * 7
}

/** The last Monday of May: the first one of June, a week before. */
const lastMondayOfMay = (year: number): number => nth(year, 6, 1, 1) - 7

/** A holiday on a Sunday is observed on Monday; one on a Saturday is not moved (docs/rules/calendars.md). */
const kept = (days: number): number => (weekdayOf(days) === 0 ? days + 1 : days)

/** The Federal Reserve holidays of a year with the dates on which they are observed, earliest first. */
export function holidaysOf(year: number): { date: string; name: string }[] {
  return [
    { days: kept(ofYear(year, 1, 1)), name: "New Year's Day" },
    { days: nth(year, 1, 1, 3), name: 'Martin Luther King Jr. Day' },
    { days: nth(year, 2, 1, 3), name: "Washington's Birthday" },
    { days: lastMondayOfMay(year), name: 'Memorial Day' },
    { days: kept(ofYear(year, 6, 19)), name: 'Juneteenth' },
    { days: kept(ofYear(year, 7, 4)), name: 'Independence Day' },
    { days: nth(year, 9, 1, 1), name: 'Labor Day' },
    { days: nth(year, 10, 1, 2), name: 'Columbus Day' },
    { days: kept(ofYear(year, 11, 11)), name: 'Veterans Day' },
    { days: nth(year, 11, 4, 4), name: 'Thanksgiving Day' },
    { days: kept(ofYear(year, 12, 25)), name: 'Christmas Day' },
  ].map(({ days, name }) => ({ date: dateOf(days), name }))
}

const years = new Map<string, ReadonlyMap<string, string>>()

/** The holiday observed on this date; null if there is none. */
export function holidayOn(date: string): string | null {
  const year = date.slice(0, 4)
  let names = years.get(year)
  if (!names) {
    names = new Map(holidaysOf(Number(year)).map((holiday) => [holiday.date, holiday.name]))
    years.set(year, names)
  }
  return names.get(date) ?? null
}

/** Whether this date is a banking day of the Federal Reserve. */
export function isBusinessDay(date: string): boolean {
  const weekday = weekdayOf(numberOf(date))
  return weekday !== 0 && weekday !== 6 && holidayOn(date) === null
}

function search(date: string, step: 1 | -1): string {
  let found = date
  while (!isBusinessDay(found)) found = addDays(found, step)
  return found
}

/** The date itself if it is a banking day, else the next one. */
export const onOrAfter = (date: string): string => search(date, 1)

/** The date itself if it is a banking day, else the previous one. */
export const onOrBefore = (date: string): string => search(date, -1)

/** The nth banking day after the date, before it if negative; 0 is the date itself, even if it is not a banking day. */
export function addBusinessDays(date: string, count: number): string {
  const step = count < 0 ? -1 : 1
  let found = date
  for (let left = Math.abs(count); left > 0; left--) found = search(addDays(found, step), step)
  return found
}

/** Moves a date off a closed day according to the pay group (PGR adjustment types, ENT-117 to ENT-119). */
export function adjust(date: string, adjustment: Adjustment): string {
  if (adjustment === 'NEXT') return onOrAfter(date)
  if (adjustment === 'PREVIOUS') return onOrBefore(date)
  return date
}
