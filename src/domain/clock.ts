import { addDays, daysBetween } from '#domain/calendar.ts'
import type { ColumnReading } from '#domain/column-reading.ts'
import { type DateInCell, readDate, splitMoment } from '#domain/date-cells.ts'
import { shortened } from '#domain/text.ts'
import { hoursText } from '#domain/time-entry.ts'

const secondsPerDay = 86_400
const pad = (number: number): string => String(number).padStart(2, '0')

/** Years up to this one are epochs of programs (1899, 1900, 1904, 1970): a time on one of their days has no date. */
const lastEpoch = 1970
const isEpoch = (date: string, read: DateInCell): boolean =>
  'value' in read ? Number(read.value.slice(0, 4)) <= lastEpoch : /(^|\D)(1899|1900)(\D|$)|^1\/0\/00$/.test(date)

/** Seconds since midnight, including 24:00; null if the text is not a time of day. */
function secondsIn(text: string): number | null {
  const half = /\s*([ap])(?:\.?\s?m)?\.?$/i.exec(text)
  const clock = half ? text.slice(0, half.index) : text
  const found =
    /^(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:[.,](\d)\d*)?)?$/.exec(clock) ??
    /^(\d{1,2})([0-5]\d)$/.exec(clock) ??
    (half ? /^(\d{1,2})$/.exec(clock) : null)
  if (!found) return null
  const [, hours = '', minutes = '0', seconds = '0', tenths = '0'] = found
  const hour = Number(hours)
  if (half && (hour < 1 || hour > 12)) return null
  const start = half ? (hour % 12) + (half[1]?.toLowerCase() === 'p' ? 12 : 0) : hour
  const all = start * 3_600 + Number(minutes) * 60 + Number(seconds) + (Number(tenths) >= 5 ? 1 : 0)
  return start > 23 && all !== secondsPerDay ? null : all
}

/**
 * Parses a time of day, with date and zone if it has them, to `[yyyy-MM-dd ]HH:mm[:ss][zone]`; `24:00` is midnight at the end
 * of the day. Rounded to the second.
 */
export function readClock(text: string, dateOrder?: ColumnReading['dateOrder']): DateInCell {
  const fault = { fault: `${shortened(text)} is no time. Times look like 08:30 or 8:30 AM.` }
  const moment = splitMoment(text)
  const time = moment?.time ?? text.replace(/^T(?=\d)/, '')
  const zone = /\s*(?:(Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)$/i.exec(time)
  const seconds = secondsIn(zone ? time.slice(0, zone.index) : time)
  if (seconds === null) return fault
  const date = moment && readDate(moment.date, dateOrder)
  const hasDate = moment !== null && date !== null && !isEpoch(moment.date, date)
  if (hasDate && 'fault' in date) return { fault: date.fault.replace(shortened(moment.date), shortened(text)) }
  const offset = zone ? (zone[1] ? '+00:00' : `${zone[2]}:${zone[3] ?? '00'}`) : ''
  const rest = seconds % 60
  const clock = `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}${rest > 0 ? `:${pad(rest)}` : ''}`
  return { value: `${hasDate && 'value' in date ? `${date.value} ` : ''}${clock}${offset}` }
}

interface Moment {
  date: string | null
  /** Seconds since midnight of the date, in UTC if there is a zone. */
  seconds: number
  hasZone: boolean
}

function momentOf(clock: string): Moment {
  const [, date, hours, minutes, seconds, sign, zoneHours, zoneMinutes] =
    /^(?:(\S+) )?(\d\d):(\d\d)(?::(\d\d))?(?:([+-])(\d\d):(\d\d))?$/.exec(clock) ?? []
  const offset = (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * 60 * (sign === '-' ? -1 : 1)
  return {
    date: date ?? null,
    seconds: Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds ?? 0) - offset,
    hasZone: sign !== undefined,
  }
}

/**
 * Seconds from one time of day to the next occurrence of the other, past midnight if it is earlier; a whole day from 00:00 to
 * 24:00.
 */
const secondsPastMidnight = (from: number, to: number): number =>
  to - from === secondsPerDay ? secondsPerDay : (((to - from) % secondsPerDay) + secondsPerDay) % secondsPerDay

/** Seconds between two clock values; below 0 if they have dates and are in the wrong order. */
const elapsedBetween = (from: Moment, to: Moment): number =>
  from.date && to.date
    ? daysBetween(from.date, to.date) * secondsPerDay + to.seconds - from.seconds
    : secondsPastMidnight(from.seconds, to.seconds)

/**
 * When somebody worked by two clock values without contradictions (`minutesBetween`): seconds since 1970, in UTC if they have a
 * zone, otherwise of the local clock. Values without a date start on the work date.
 */
export function spanBetween(clockIn: string, clockOut: string, workDate: string): { from: number; to: number; zoned: boolean } {
  const [start, end] = [momentOf(clockIn), momentOf(clockOut)]
  const elapsed = elapsedBetween(start, end)
  const secondsOf = (date: string, { seconds }: Moment) => daysBetween('1970-01-01', date) * secondsPerDay + seconds
  const from = !start.date && end.date ? secondsOf(end.date, end) - elapsed : secondsOf(start.date ?? workDate, start)
  return { from, to: from + elapsed, zoned: start.hasZone }
}

/**
 * Minutes between two clock values as formatted by `readClock`, rounded; 0 if they are equal. If both have a date, and a zone,
 * the elapsed time counts; otherwise a shift that ends earlier than it starts passes midnight. A shift may start the day before
 * its work date and end the day after it, since systems book a night shift on either day. Returns an error for clock values
 * that contradict each other or the work date, and for more than 24 hours.
 */
export function minutesBetween(clockIn: string, clockOut: string, workDate: string): number | { fault: string } {
  const [from, to] = [momentOf(clockIn), momentOf(clockOut)]
  if (from.hasZone !== to.hasZone)
    return {
      fault: `Only one of clock in (${clockIn}) and clock out (${clockOut}) has a time zone. Send both with it, or neither.`,
    }
  const [first, last] = [from.date ?? to.date, to.date ?? from.date]
  const elapsed = elapsedBetween(from, to)
  if (elapsed < 0) return { fault: `Clock out (${clockOut}) is before clock in (${clockIn}).` }
  if (elapsed > secondsPerDay)
    return {
      fault: `From clock in (${clockIn}) to clock out (${clockOut}) is ${hoursText(Math.round(elapsed / 60))}. A day has at most 24 hours.`,
    }
  if (first && last && (workDate < addDays(first, -1) || workDate > addDays(last, 1))) {
    const dated = from.date ? `Clock in (${clockIn})` : `Clock out (${clockOut})`
    return { fault: `${dated} is not on the work date ${workDate}. Correct one of the two dates.` }
  }
  return Math.round(elapsed / 60)
}
