import { addDays } from '#domain/calendar.ts'
import type { ColumnReading } from '#domain/column-reading.ts'
import type { CellType } from '#domain/mapping-fields.ts'
import { isWritten, shortened } from '#domain/text.ts'

/** What a cell says, or why it says nothing. Dates `yyyy-MM-dd`, times `HH:mm`, money in cents, hours in `partsOfHour`. */
export type Understood = { value: string | number } | { fault: string }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const pad = (number: number): string => String(number).padStart(2, '0')

/** A cell is at most so long. */
export const longestCell = 500

const noDate = (text: string): Understood => ({
  fault: `${shortened(text)} is no date. Dates look like 2026-11-20 or 11/20/2026.`,
})

/** Signs that nobody sees, and that a person does not mean to type: marks of direction, joints of width zero, soft hyphens. */
const unseenSigns = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * The text of a cell as everybody sees it: without blanks around it and signs that are not seen, its letters composed (Unicode
 * NFC); empty where there is nothing to be seen.
 */
export function cellText(cell: string): string {
  if (/^[\x20-\x7e]*$/.test(cell)) return cell.trim()
  const text = cell.replace(unseenSigns, '').normalize('NFC').trim()
  return isWritten(text) ? text : ''
}

/** How many days a month has; none where there is no such month. */
const daysOf = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month < 1 || month > 12 ? 0 : [4, 6, 9, 11].includes(month) ? 30 : 31
}

function day(year: number, month: number, date: number, text: string): Understood {
  return date < 1 || date > daysOf(year, month) || year < 1900 || year > 2199
    ? noDate(text)
    : { value: `${year}-${pad(month)}-${pad(date)}` }
}

/** Two digits of a year: up to 49 of this century. */
const fullYear = (year: string): number => (year.length > 2 ? Number(year) : Number(year) + (Number(year) < 50 ? 2000 : 1900))

/** Dates in five notations, each with or without a time behind it; in digits the month comes first unless the column says otherwise. */
function dateIn(text: string, { dateOrder = 'month-first' }: ColumnReading): Understood {
  const [, only = ''] = /^(.*?)(?:[T ]\d{1,2}:\d{2}.*)?$/.exec(text) ?? []
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(only)
  if (iso) return day(Number(iso[1]), Number(iso[2]), Number(iso[3]), text)
  const packed = /^(\d{4})(\d{2})(\d{2})$/.exec(only)
  if (packed) return day(Number(packed[1]), Number(packed[2]), Number(packed[3]), text)
  const slashed = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})$/.exec(only)
  if (slashed) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])]
    const [month, date] = dateOrder === 'day-first' ? [second, first] : [first, second]
    if (month > 12 && date <= 12)
      return {
        fault: `${shortened(text)} is no date: ${dateOrder === 'day-first' ? 'the day comes first here, and' : 'the month comes first here, and'} there is no month ${month}.`,
      }
    return day(fullYear(slashed[3] as string), month, date, text)
  }
  const named = /^(\d{1,2})[- ]([a-z]{3})[a-z]*\.?[- ,]+(\d{2}|\d{4})$/i.exec(only)
  const other = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/i.exec(only)
  const [date, month, year] = named ? [named[1], named[2], named[3]] : other ? [other[2], other[1], other[3]] : []
  const place = months.indexOf((month ?? '').toLowerCase())
  return place < 0 ? noDate(text) : day(fullYear(year as string), place + 1, Number(date), text)
}

function timeIn(text: string): Understood {
  const found = /(?:^|[T ])(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*(am|pm|a|p)?(?:Z|[+-]\d{2}:?\d{2})?$/i.exec(text)
  const half = found?.[3]?.[0]?.toLowerCase()
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])]
  if (!found || minute > 59 || hour > 23 || (half && (hour < 1 || hour > 12)))
    return { fault: `${shortened(text)} is no time. Times look like 08:30 or 8:30 AM.` }
  return { value: `${pad(half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour)}:${pad(minute)}` }
}

/** A decimal number in hundredths, half of one upwards: by its digits, since a fraction of a computer is not always the one typed. */
function hundredths(text: string): number {
  const [whole, fraction = ''] = text.split('.')
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (fraction.charAt(2) >= '5' ? 1 : 0)
}

/** Hours are kept in so many parts of one, so that hundredths and minutes are both whole. */
export const partsOfHour = 300

/** A comma in a number of hours is a decimal comma whatever the column says, as no day has a thousand hours. */
function hoursIn(written: string, { hoursUnit = 'hours' }: ColumnReading): Understood {
  const text = written.replace(/^(\d*),(\d+)$/, '$1.$2')
  const clock = /^(\d{1,3}):([0-5]\d)$/.exec(text)
  const decimal = /^\d{1,3}(?:\.\d+)?$/.test(text)
  const unit = hoursUnit === 'days' ? 24 * partsOfHour : null
  const plain = decimal ? (unit ? Math.round(Number(text) * unit) : (hundredths(text) * partsOfHour) / 100) : null
  const hours = clock ? Number(clock[1]) * partsOfHour + (Number(clock[2]) * partsOfHour) / 60 : plain
  if (hours === null) return { fault: `${shortened(text)} is no number of hours, such as 7.5 or 7:30.` }
  return hours > 24 * partsOfHour ? { fault: 'A day has at most 24 hours.' } : { value: hours }
}

/** Digits of an amount before the point: what is more is another column. */
const wholeDigits = 9

/** An amount with a decimal comma in the notation of one with a decimal point; null where it is none. */
function withPoint(text: string): string | null {
  if (!/^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/.test(text)) return null
  return text.replaceAll('.', '').replace(',', '.')
}

function moneyIn(text: string, { decimalMark = 'point' }: ColumnReading): Understood {
  const written = text.replace(/^\((.*)\)$/, '-$1').replace(/^(-?)\$ ?/, '$1')
  const bare = decimalMark === 'comma' ? (withPoint(written) ?? '') : written
  if (!/^-?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/.test(bare)) return { fault: `${shortened(text)} is no amount, such as 1,234.50.` }
  const digits = bare.replace(/[-,]/g, '')
  if (digits.replace(/\..*$/, '').replace(/^0+/, '').length > wholeDigits) return { fault: 'An amount is below 1,000,000,000.' }
  return bare.startsWith('-') && /[1-9]/.test(digits) ? { fault: 'An amount is not below zero.' } : { value: hundredths(digits) }
}

const readers: Record<CellType, (text: string, reading: ColumnReading) => Understood> = {
  text: (text) => ({ value: text }),
  name: (text) => (/\p{L}/u.test(text) ? { value: text } : { fault: `${shortened(text)} is no name.` }),
  'e-mail': (text) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254
      ? { value: text }
      : { fault: `${shortened(text)} is no e-mail.` },
  phone: (text) =>
    /^[+\d(][\d ().-]*$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''))
      ? { value: text }
      : { fault: `${shortened(text)} is no phone number.` },
  date: dateIn,
  time: timeIn,
  hours: hoursIn,
  money: moneyIn,
}

/** What a spreadsheet would carry out; a number with a sign is none. */
const isFormula = (text: string): boolean => /^[=@]/.test(text) || (/^[+-]/.test(text) && !/^[+-]?[\d\s().,$:/-]+$/.test(text))

/** Before what a spreadsheet would carry out stands this mark in the files that the portal writes: it is not part of the cell. */
const formulaMark = /^'(?=[=+\-@])/

/** Understands the text of a cell, which is not blank: `days` are added to a date, `reading` is how the cells of its column are read. */
export function understand(
  type: CellType,
  marked: string,
  { days = 0, reading = {} }: { days?: number; reading?: ColumnReading } = {},
): Understood {
  const text = marked.replace(formulaMark, '')
  if (text.length > longestCell) return { fault: `A cell has at most ${longestCell} characters.` }
  if (/[^\P{Cc}\t\n\r]/u.test(text)) return { fault: 'Control characters are not allowed.' }
  if (isFormula(text)) return { fault: `${shortened(text)} is a formula, which is not carried out.` }
  const found = readers[type](text, reading)
  return type === 'date' && days !== 0 && 'value' in found ? { value: addDays(String(found.value), days) } : found
}
