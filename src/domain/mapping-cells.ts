import { addDays } from '#domain/calendar.ts'
import { changedCodeFault, isChangedCode, isSpreadsheetError } from '#domain/changed-code.ts'
import { readClock } from '#domain/clock.ts'
import type { ColumnReading } from '#domain/column-reading.ts'
import { readDate } from '#domain/date-cells.ts'
import type { CellType } from '#domain/mapping-fields.ts'
import { isWritten, shortened } from '#domain/text.ts'

/**
 * What a cell says, or why it says nothing. Dates `yyyy-MM-dd`, times as `readClock` writes them, money in cents, hours in
 * `partsOfHour`; an empty text for an e-mail or phone that is said not to be there.
 */
export type Understood = { value: string | number } | { fault: string }

/** A cell is at most so long. */
export const maxCellLength = 500

/** Signs that nobody sees, and that a person does not mean to type: marks of direction, joints of width zero, soft hyphens. */
const unseenSigns = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** What programs write around a code so that a spreadsheet keeps its zeros: `="00417"`, or an apostrophe before it. */
const keptAsText = /^(?:="([^"]*)"|['’‘`´]+(?=\d)(.*))$/

/** Blanks, hyphens and digits that look like those of a keyboard: no-break spaces and hyphens, tabs, full-width letters. */
const likeTyped = (text: string): string =>
  text
    .replace(/[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g, ' ')
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

/**
 * The text of a cell as everybody sees it: without blanks around it and signs that are not seen, its letters composed (Unicode
 * NFC), its blanks and hyphens as a keyboard writes them, and without what marks it as a text for a spreadsheet; empty where there
 * is nothing to be seen.
 */
export function cellText(cell: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(cell)
  const seen = isPlain ? cell.trim() : likeTyped(cell.replace(unseenSigns, '').normalize('NFC')).trim()
  const [, formula, digits] = keptAsText.exec(seen) ?? []
  const text = formula?.trim() ?? digits ?? seen
  return isPlain || isWritten(text) ? text : ''
}

/** Blanks and apostrophes between thousands, as some countries write them. */
const thinMarks = "'’ \\u00a0\\u202f"
const decimalShapes = {
  point: new RegExp(`^(?:\\d{1,3}(?:([,${thinMarks}])\\d{3}(?:\\1\\d{3})*)|\\d*)(?:\\.\\d*)?$`),
  // A first 0 is before the point of a fraction and begins no thousands.
  comma: new RegExp(`^(?:[1-9]\\d{0,2}(?:([.${thinMarks}])\\d{3}(?:\\1\\d{3})*)|\\d*)(?:,\\d*)?$`),
}

/**
 * A number without sign as digits with a decimal point; null where it is none. Where the column has a decimal comma, a single point
 * that cannot be before thousands is a decimal point: cells of workbooks hold numbers, and have no comma.
 */
function plainNumber(text: string, mark: ColumnReading['decimalMark'] = 'point'): string | null {
  if (!/\d/.test(text)) return null
  if (decimalShapes[mark].test(text)) {
    const [whole = '', fraction] = text.split(mark === 'comma' ? ',' : /\.(?=\d*$)/)
    return `${whole.replace(/\D/g, '') || '0'}${fraction ? `.${fraction}` : ''}`
  }
  return mark === 'comma' && /^\d*\.\d*$/.test(text) ? plainNumber(text) : null
}

/** A decimal number in hundredths, half of one upwards: by its digits, since a binary fraction is not always the one typed. */
function hundredths(text: string): number {
  const [whole, fraction = ''] = text.split('.')
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (fraction.charAt(2) >= '5' ? 1 : 0)
}

/** A text without its minus sign, in front, behind, or as brackets of an accountant. */
function withoutSign(text: string): { bare: string; isNegative: boolean } {
  const [, brackets, before, after] = /^(?:\((.+)\)|[-−]\s*(.+)|(.+)[-−])$/.exec(text) ?? []
  const bare = brackets ?? before ?? after
  return { bare: bare ?? text, isNegative: bare !== undefined }
}

/** Hours are kept in so many parts of one, so that hundredths and minutes are both whole. */
export const partsOfHour = 300
const maxHours = 24

/** Parts of an hour in a number or a clock of hours; null where it is none. */
function partsIn(text: string, { hoursUnit, decimalMark }: ColumnReading): number | null {
  const clock =
    /^(\d{1,5}):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)?$/.exec(text) ??
    /^(\d{1,5})\s*h(?:rs?|ours?)?\.?\s*([0-5]?\d)\s*(?:m(?:in(?:utes?)?)?\.?)?$/i.exec(text)
  if (clock) {
    const seconds = Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0)
    const parts = Math.round((seconds * partsOfHour) / 3_600)
    return seconds > maxHours * 3_600 ? Math.max(parts, maxHours * partsOfHour + 1) : parts
  }
  const number = plainNumber(text, decimalMark)
  if (number === null) return null
  return hoursUnit === 'days' ? Math.round(Number(number) * maxHours * partsOfHour) : (hundredths(number) * partsOfHour) / 100
}

function readHours(text: string, reading: ColumnReading): Understood {
  const { bare, isNegative } = withoutSign(text.replace(/(?<=\d\.?)\s*h(?:rs?|ours?)?\.?(?=\)?$)/i, ''))
  const parts = partsIn(bare, reading)
  if (parts === null) return { fault: `${shortened(text)} is no number of hours, such as 7.5 or 7:30.` }
  if (isNegative && parts > 0) return { fault: `${shortened(text)} is below zero. To correct a day, send the day's new total.` }
  return parts > maxHours * partsOfHour ? { fault: 'A day has at most 24 hours.' } : { value: parts }
}

/** Digits of an amount before the point: what is more is another column. */
const wholeDigits = 9
const currencyBefore = /^([-−(]?)\s*(?:US ?\$|USD|\$)\s*/i
/** As rates are written: `21.50/hr`, `21.50 per hour`. */
const perHour = /\s*(?:\/|\bper\b)\s*h(?:r|our)?\.?$/i
const currencyBehind = /\s*(?:US ?\$|USD|\$)\s*([)−-]?)$/i

function readMoney(text: string, { decimalMark }: ColumnReading): Understood {
  // Most amounts are digits and a point: read without looking for signs and currencies.
  if (decimalMark !== 'comma' && /^\d{1,9}(?:\.\d+)?$/.test(text)) return { value: hundredths(text) }
  const { bare, isNegative } = withoutSign(text.replace(perHour, '').replace(currencyBefore, '$1').replace(currencyBehind, '$1'))
  const number = plainNumber(bare, decimalMark)
  if (number === null) return { fault: `${shortened(text)} is no amount, such as 1,234.50.` }
  if (number.replace(/\..*$/, '').replace(/^0+/, '').length > wholeDigits) return { fault: 'An amount is below 1,000,000,000.' }
  return isNegative && /[1-9]/.test(number) ? { fault: 'An amount is not below zero.' } : { value: hundredths(number) }
}

/** What people write where there is no e-mail or phone. */
const none =
  /^(?:n\.?\s?\/?\s?a\.?|#n\/a|none|no|nil|null|unknown|not (?:available|applicable|provided)|no (?:e-?mail|phone)|[-–—.]+)$/i
/** Whether a cell of a type says that there is no value. */
const saysNone = (type: CellType, text: string): boolean => (type === 'e-mail' || type === 'phone') && none.test(text)

/** What stands where a code is missing: no letter and no digit, or what programs write for nothing. */
const noCode = /^(?:[^\p{L}\p{N}]+|n\/a|[([<]?null[)\]>]?|nan|undefined)$/iu

/** The code in a cell: without quotes and apostrophes that were typed around it; empty where the cell says that there is none. */
export function codeText(text: string): string {
  // Most codes have a digit, and nothing but letters and hyphens beside it.
  if (/^[A-Za-z-]*\d[\w-]*$/.test(text)) return text
  const code = text.replace(/^['’‘`´]+(?=[\p{L}\p{N}])/u, '').replace(/^[“”„"](.*)[“”"]$/u, '$1')
  return noCode.test(code) && !isChangedCode(code) ? '' : code
}

type Reader = (text: string, reading: ColumnReading) => Understood

const readers: Record<CellType, Reader> = {
  text: (text) =>
    isSpreadsheetError(text) ? { fault: `The cell shows ${shortened(text)}, an error of the spreadsheet.` } : { value: text },
  code: (text) => (isChangedCode(text) ? { fault: changedCodeFault(text) } : { value: text }),
  name: (text) => {
    if (text.includes('?') && /\p{L}\?|\?\p{L}/u.test(text))
      return { fault: `${shortened(text)} has a question mark where a letter was lost. Save the file as “CSV UTF-8”.` }
    const isName = /\p{L}/u.test(text) && !isSpreadsheetError(text) && !/^n\/a$/i.test(text)
    return isName ? { value: text } : { fault: `${shortened(text)} is no name.` }
  },
  'e-mail': (text) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) && text.length <= 254
      ? { value: text }
      : { fault: `${shortened(text)} is no e-mail.` },
  phone: (text) => {
    if (isChangedCode(text)) return { fault: changedCodeFault(text) }
    return /^[+\d(][\d ().-]*$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''))
      ? { value: text }
      : { fault: `${shortened(text)} is no phone number.` }
  },
  date: (text, { dateOrder }) => readDate(text, dateOrder),
  time: (text, { dateOrder }) => readClock(text, dateOrder),
  hours: readHours,
  money: readMoney,
}

/** A name that begins with a hyphen, of letters and the signs of names only: nothing that a spreadsheet could run. */
const hyphenatedName = /^-[\p{L}\p{M}\s.,'’-]+$/u

/** Whether a spreadsheet would run a text as a formula; a number with a sign is none. */
const isFormula = (type: CellType, text: string): boolean =>
  /^[=@]/.test(text) ||
  (/^[+-]/.test(text) && !/^[+-]?[\d\s().,$:/-]+(?:\s*USD)?$/i.test(text) && !(type === 'name' && hyphenatedName.test(text)))

/** Files that the portal writes have this mark before a text that a spreadsheet would run: it is not part of the cell. */
const formulaMark = /^'(?=[=+\-@])/

/**
 * Understands the text of a cell, which is not blank, as one of a type. `days` are added to a date; `reading` says how the column is
 * read where more than one reading is possible: month first, decimal point and hours where it says nothing.
 */
export function understand(
  type: CellType,
  marked: string,
  { days = 0, reading = {} }: { days?: number; reading?: ColumnReading } = {},
): Understood {
  const text = marked.replace(formulaMark, '')
  if (text.length > maxCellLength) return { fault: `A cell has at most ${maxCellLength} characters.` }
  if (/[^\P{Cc}\t\n\r]/u.test(text)) return { fault: 'Control characters are not allowed.' }
  if (saysNone(type, text)) return { value: '' }
  if (isFormula(type, text)) return { fault: `${shortened(text)} is a formula, which is not carried out.` }
  const found = readers[type](text, reading)
  return type === 'date' && days !== 0 && 'value' in found ? { value: addDays(String(found.value), days) } : found
}
