import type { ColumnReading } from '#domain/column-reading.ts'
import { shortened } from '#domain/text.ts'

/** The date in a cell (yyyy-MM-dd), or why it is not one. */
export type DateInCell = { value: string } | { fault: string }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const pad = (number: number): string => String(number).padStart(2, '0')

const noDate = (text: string): DateInCell => ({
  fault: `${shortened(text)} is no date. Dates look like 2026-11-20 or 11/20/2026.`,
})

/** Days of a month; 0 for an invalid month. */
const daysOf = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month < 1 || month > 12 ? 0 : [4, 6, 9, 11].includes(month) ? 30 : 31
}

const date = (year: number, month: number, day: number, text: string): DateInCell =>
  day < 1 || day > daysOf(year, month) || year < 1900 || year > 2199
    ? noDate(text)
    : { value: `${year}-${pad(month)}-${pad(day)}` }

/** Expands a two-digit year: up to 49 belongs to this century. */
const fullYear = (year: string): number => (year.length > 2 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900))

/** First two-digit year of birth that belongs to the last century: nobody born in 2020 works. */
const firstOfLastCentury = 20

/** A date of birth that was read from a text: of two digits of its year, 20 to 49 are 1920 to 1949. */
export function birthDate(value: string, text: string): string {
  const year = Number(value.slice(0, 4))
  return year >= 2000 + firstOfLastCentury && !text.includes(String(year)) ? `${year - 100}${value.slice(4)}` : value
}

/** Spreadsheet day numbers accepted as dates: 1950-01-01 to 2100-12-31, all of five digits. */
const serials = { min: 18_264, max: 73_415 }

function dateOfSerial(serial: number, text: string): DateInCell {
  if (serial < serials.min || serial > serials.max) return noDate(text)
  return { value: new Date(Date.UTC(1899, 11, 30 + serial)).toISOString().slice(0, 10) }
}

/** Splits a date and a time, as in `11/27/2026 8:00 AM` or `2026-11-27T08:00Z`; null without a date or without a time. */
export function splitMoment(text: string): { date: string; time: string } | null {
  const found =
    /^(.+?)(?:T|,?\s+)(\d{1,2}(?::\d{2}.*|\s*[ap]\.?\s?m?\.?))$/i.exec(text) ?? /^([\d/.-]{6,10})[T ](\d{3,4})$/i.exec(text)
  return found ? { date: found[1] as string, time: found[2] as string } : null
}

/**
 * Parses a numeric date, a date with a month name, or a spreadsheet day number; a time is dropped. The month comes first unless
 * the column is day-first.
 */
export function readDate(text: string, dateOrder: ColumnReading['dateOrder'] = 'month-first'): DateInCell {
  // Fast path: most dates are digits and separators without a time.
  const only = /^[\d/.-]+$/.test(text) ? text : (splitMoment(text)?.date ?? text)
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(only)
  if (iso) return date(Number(iso[1]), Number(iso[2]), Number(iso[3]), text)
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(only)
  if (packed) return date(Number(packed[1]), Number(packed[2]), Number(packed[3]), text)
  const slashed = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(only)
  if (slashed) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])]
    const [month, day] = dateOrder === 'day-first' ? [second, first] : [first, second]
    if (month > 12 && day <= 12)
      return { fault: `${shortened(text)} is no date: the ${dateOrder === 'day-first' ? 'day' : 'month'} comes first.` }
    return date(fullYear(slashed[3] as string), month, day, text)
  }
  const serial = /^(\d{5})(?:\.\d+)?$/.exec(only)
  if (serial) return dateOfSerial(Number(serial[1]), text)
  const named = /^(\d{1,2})[- ]([a-z]{3})[a-z]*\.?[- ,]+(\d{2}|\d{4})$/i.exec(only)
  const other = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(only)
  const [day, month, year] = named ? [named[1], named[2], named[3]] : other ? [other[2], other[1], other[3]] : []
  const place = months.indexOf((month ?? '').toLowerCase())
  return place < 0 ? noDate(text) : date(fullYear(year as string), place + 1, Number(day), text)
}
