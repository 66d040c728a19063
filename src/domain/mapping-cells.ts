import { addDays } from '#domain/calendar.ts'
import { changedCodeFault, isChangedCode, isSpreadsheetError } from '#domain/changed-code.ts'
import { readClock } from '#domain/clock.ts'
import type { ColumnReading } from '#domain/column-reading.ts'
import { readDate } from '#domain/date-cells.ts'
import type { CellType } from '#domain/mapping-fields.ts'
import { isWritten, shortened } from '#domain/text.ts'

/**
 * The value of a cell, or why it has none. Dates `yyyy-MM-dd`, times as formatted by `readClock`, money in cents, hours in
 * `partsOfHour`; an empty text for an e-mail or phone that is explicitly missing.
 */
export type Understood = { value: string | number } | { fault: string }

/** Maximum length of a cell. */
export const maxCellLength = 500

/** Invisible characters that nobody types on purpose: directional marks, zero-width joiners, soft hyphens. */
const unseenSigns = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Markup that programs add to a code so that a spreadsheet keeps its zeros: `="00417"`, or a leading apostrophe. */
const keptAsText = /^(?:="([^"]*)"|['’‘`´]+(?=\d)(.*))$/

/** Variants of blanks, hyphens and digits: no-break spaces and hyphens, tabs, full-width letters. */
const likeTyped = (text: string): string =>
  text
    .replace(/[\t\u00a0\u2000-\u200a\u202f\u205f\u3000]+/g, ' ')
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

/**
 * The visible text of a cell: without outer blanks and invisible characters, composed (Unicode NFC), with ordinary blanks and
 * hyphens, and without the markup that makes it text for a spreadsheet; empty if nothing is visible.
 */
export function cellText(cell: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(cell)
  const seen = isPlain ? cell.trim() : likeTyped(cell.replace(unseenSigns, '').normalize('NFC')).trim()
  const [, formula, digits] = keptAsText.exec(seen) ?? []
  const text = formula?.trim() ?? digits ?? seen
  return isPlain || isWritten(text) ? text : ''
}

/** Blanks and apostrophes that some countries use as thousands separators. */
const thinMarks = "'’ \\u00a0\\u202f"
const decimalShapes = {
  point: new RegExp(`^(?:\\d{1,3}(?:([,${thinMarks}])\\d{3}(?:\\1\\d{3})*)|\\d*)(?:\\.\\d*)?$`),
  // A leading 0 precedes a decimal point, not a thousands separator.
  comma: new RegExp(`^(?:[1-9]\\d{0,2}(?:([.${thinMarks}])\\d{3}(?:\\1\\d{3})*)|\\d*)(?:,\\d*)?$`),
}

/**
 * An unsigned number as digits with a decimal point; null if it is not a number. If the column has a decimal comma, a single
 * point that cannot be a thousands separator is a decimal point: workbook cells hold numbers without a comma.
 */
function plainNumber(text: string, mark: ColumnReading['decimalMark'] = 'point'): string | null {
  if (!/\d/.test(text)) return null
  if (decimalShapes[mark].test(text)) {
    const [whole = '', fraction] = text.split(mark === 'comma' ? ',' : /\.(?=\d*$)/)
    return `${whole.replace(/\D/g, '') || '0'}${fraction ? `.${fraction}` : ''}`
  }
  return mark === 'comma' && /^\d*\.\d*$/.test(text) ? plainNumber(text) : null
}

/** A decimal number in hundredths, rounded half up. Uses the digits, since a binary fraction may differ from the typed one. */
function hundredths(text: string): number {
  const [whole, fraction = ''] = text.split('.')
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + (fraction.charAt(2) >= '5' ? 1 : 0)
}

/** A text without its minus sign: leading, trailing, or accounting parentheses. */
function withoutSign(text: string): { bare: string; isNegative: boolean } {
  const [, brackets, before, after] = /^(?:\((.+)\)|[-−]\s*(.+)|(.+)[-−])$/.exec(text) ?? []
  const bare = brackets ?? before ?? after
  return { bare: bare ?? text, isNegative: bare !== undefined }
}

/** Hours are stored in units of 1/300, so that both hundredths and minutes are integers. */
export const partsOfHour = 300
const maxHours = 24

/** A number or clock notation of hours in `partsOfHour`; null if it is neither. */
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

/** Maximum number of digits before the decimal point: more belong to another column. */
const wholeDigits = 9
const currencyBefore = /^([-−(]?)\s*(?:US ?\$|USD|\$)\s*/i
/** Suffix of rates: `21.50/hr`, `21.50 per hour`. */
const perHour = /\s*(?:\/|\bper\b)\s*h(?:r|our)?\.?$/i
const currencyBehind = /\s*(?:US ?\$|USD|\$)\s*([)−-]?)$/i

function readMoney(text: string, { decimalMark }: ColumnReading): Understood {
  // Fast path: most amounts are digits and a point, without signs and currencies.
  if (decimalMark !== 'comma' && /^\d{1,9}(?:\.\d+)?$/.test(text)) return { value: hundredths(text) }
  const { bare, isNegative } = withoutSign(text.replace(perHour, '').replace(currencyBefore, '$1').replace(currencyBehind, '$1'))
  const number = plainNumber(bare, decimalMark)
  if (number === null) return { fault: `${shortened(text)} is no amount, such as 1,234.50.` }
  if (number.replace(/\..*$/, '').replace(/^0+/, '').length > wholeDigits) return { fault: 'An amount is below 1,000,000,000.' }
  return isNegative && /[1-9]/.test(number) ? { fault: 'An amount is not below zero.' } : { value: hundredths(number) }
}

/** What people write if there is no e-mail or phone. */
const none =
  /^(?:n\.?\s?\/?\s?a\.?|#n\/a|none|no|nil|null|unknown|not (?:available|applicable|provided)|no (?:e-?mail|phone)|[-–—.]+)$/i
/** Whether a cell of a type states that there is no value. */
const saysNone = (type: CellType, text: string): boolean => (type === 'e-mail' || type === 'phone') && none.test(text)

/** Placeholders for a missing code: no letter or digit, or what programs write for null. */
const noCode = /^(?:[^\p{L}\p{N}]+|n\/a|[([<]?null[)\]>]?|nan|undefined)$/iu

/** The code in a cell: without typed quotes and apostrophes around it; empty if the cell states that there is none. */
export function codeText(text: string): string {
  // Fast path: most codes have a digit, and otherwise only letters and hyphens.
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

/** A name with a leading hyphen, of letters and name characters only: not a formula. */
const hyphenatedName = /^-[\p{L}\p{M}\s.,'’-]+$/u

/** Whether a spreadsheet would execute a text as a formula; a signed number is not a formula. */
const isFormula = (type: CellType, text: string): boolean =>
  /^[=@]/.test(text) ||
  (/^[+-]/.test(text) && !/^[+-]?[\d\s().,$:/-]+(?:\s*USD)?$/i.test(text) && !(type === 'name' && hyphenatedName.test(text)))

/** Files written by the portal have this mark before a text that a spreadsheet would execute: it is not part of the cell. */
const formulaMark = /^'(?=[=+\-@])/

/**
 * Parses the text of a non-blank cell as a type. `days` are added to a date; `reading` says how the column is read if the
 * format is ambiguous: it defaults to month first, decimal point and hours.
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
