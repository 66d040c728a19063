import type { ColumnReading } from '#domain/column-reading.ts'
import { understand } from '#domain/mapping-cells.ts'
import type { CellType } from '#domain/mapping-fields.ts'
import { wholeNumber } from '#domain/text.ts'

/** Setting of a mapping column: how its cells are read if the format is ambiguous. */
export const readings = ['month-first', 'day-first', 'decimal-point', 'decimal-comma', 'hours', 'days'] as const
export type ReadAs = (typeof readings)[number]

export const readAsLabels: Readonly<Record<ReadAs, string>> = {
  'month-first': 'Month first',
  'day-first': 'Day first',
  'decimal-point': 'Decimal point',
  'decimal-comma': 'Decimal comma',
  hours: 'Hours',
  days: 'Shares of a day',
}

const options: Readonly<Record<ReadAs, ColumnReading>> = {
  'month-first': { dateOrder: 'month-first' },
  'day-first': { dateOrder: 'day-first' },
  'decimal-point': { decimalMark: 'point' },
  'decimal-comma': { decimalMark: 'comma' },
  hours: { hoursUnit: 'hours' },
  days: { hoursUnit: 'days' },
}

/** The setting in the form that the cell parsers take. */
export const columnReadingOf = (readAs: ReadAs | null | undefined): ColumnReading => (readAs ? options[readAs] : {})

/** How one cell is read. A comma in hours is a decimal comma, because no day has a thousand hours. */
export const cellReading = (type: CellType, reading: ColumnReading, text: string): ColumnReading =>
  type === 'hours' ? { ...reading, decimalMark: text.includes(',') ? 'comma' : 'point' } : reading

const alternatives: Partial<Record<CellType, readonly [ReadAs, ReadAs]>> = {
  date: ['month-first', 'day-first'],
  // A clock time may include a date.
  time: ['month-first', 'day-first'],
  money: ['decimal-point', 'decimal-comma'],
  hours: ['hours', 'days'],
}

/** The possible settings for a column of this type; none if its cells are unambiguous. */
export const readingsOf = (type: CellType): readonly ReadAs[] => alternatives[type] ?? []

interface Seen {
  line: number
  text: string
}

/** The decision for a column after all its cells have been read. */
export interface ColumnDecision {
  /** How its cells are read; null if it makes no difference or a person has to decide. */
  readAs: ReadAs | null
  /** Why; null if there is nothing to report. */
  sentence: string | null
  /** The question for a person; null if there is none. */
  question: string | null
}

/** A decimal number of hours, `7.5`, `.5` or `7,5`; null for clock notation and anything else. */
const decimalHours = (text: string): number | null =>
  /^(?=.*\d)\d*(?:[.,]\d*)?$/.test(text) ? Number(text.replace(',', '.')) : null

/** Minimum number of values below one with more than two decimals that makes them shares of a day rather than hours. */
const minShares = 3

/** Whether a duration is a whole number of minutes, as clocks and people record them. */
const isWhole = (minutes: number): boolean => Math.abs(minutes - Math.round(minutes)) < 0.02

/**
 * Whether a number is a share of a day rather than hours: 0.354167 is 8 h 30 of a day, but 21.25 minutes of an hour. People
 * type hours with at most two decimals.
 */
const isShareOfDay = (text: string, hours: number): boolean =>
  /[.,]\d{3,}$/.test(text) && isWhole(hours * 24 * 60) && !isWhole(hours * 60)

/** A date with day and month in digits before the year; dates with a leading year do not match. */
const dateOfDigits = /(?<![\d/.-])\d{1,2}[-/. ]\d{1,2}[-/. ]\d/

/** Whether a date of two-digit parts may start with the year, as some systems write it: 24-03-04, but not 24-03-99. */
function mayBeginWithYear(text: string): boolean {
  const [, first, last] = /^(\d\d)-\d\d-(\d\d)(?!\d)/.exec(text) ?? []
  return Number(first) > 12 && Number(last) >= 1 && Number(last) <= 31
}

/**
 * The decimal mark that the form of an amount with a single mark proves: a thousands separator has three digits after it and
 * one to three before it, not starting with zero. Workbooks store numbers with a point and without thousands separators in
 * every locale.
 */
function decimalMarkIn(text: string, workbook: boolean): ReadAs | null {
  const [, whole = '', mark, fraction = ''] = /^(\d*)([.,])(\d+)$/.exec(text.replace(/[^\d.,]/g, '')) ?? []
  if (!mark) return null
  const mayBeThousands = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (mark === '.' && workbook) return mayBeThousands ? 'decimal-point' : null
  if (mayBeThousands) return null
  return mark === '.' ? 'decimal-point' : 'decimal-comma'
}

const inHours = (share: number): string => {
  const minutes = Math.round(share * 24 * 60)
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60}`
}

/**
 * Collects evidence about the format of a column: `see` takes each cell, `decide` returns the result for the column. A cell
 * that only one of two readings accepts is proof; one that both accept with different values is ambiguous. Uses constant
 * memory. Workbook cells have numbers with a decimal point in every locale.
 */
export function columnEvidence(title: string, type: CellType, { workbook = false } = {}) {
  const choices = readingsOf(type)
  const proofs = new Map<ReadAs, Seen>()
  let ambiguous: Seen | null = null
  let shares = 0
  let hasFineShares = false
  let firstShare: Seen | null = null
  let certainShares = 0
  let aboveOne = 0
  /** The first date cell of a workbook that is another date with day and month swapped, unless some cell cannot be swapped. */
  let exchangeable: Seen | null = null
  let hasCertainDate = false
  /** The first date such as 24-03-04, whose year may be first or last. */
  let yearOnEitherSide: Seen | null = null

  const prove = (readAs: ReadAs, seen: Seen): void => {
    if (!proofs.has(readAs)) proofs.set(readAs, seen)
  }

  const seeHours = (seen: Seen): void => {
    const hours = decimalHours(seen.text)
    if (hours === null || hours === 0 || hours === 1) return
    if (hours > 1) {
      aboveOne += 1
      prove('hours', seen)
      return
    }
    if (isShareOfDay(seen.text, hours)) {
      firstShare ??= seen
      certainShares += 1
    }
    ambiguous ??= seen
    shares += 1
    hasFineShares ||= /\d{3,}$/.test(seen.text.replace(/^.*[.,]/, ''))
  }

  const seeOther = (seen: Seen): void => {
    const [one, other] = choices as [ReadAs, ReadAs]
    if (!(type === 'money' ? /[.,]/ : dateOfDigits).test(seen.text)) return
    const mark = type === 'money' && decimalMarkIn(seen.text, workbook)
    // Both readings accept a point that cannot be a thousands separator.
    if (type === 'money' && workbook && mark === null && /^[^.,]*\.[^.,]*$/.test(seen.text)) return
    if (mark) {
      prove(mark, seen)
      return
    }
    if (type === 'date' && mayBeginWithYear(seen.text)) {
      yearOnEitherSide ??= seen
      return
    }
    const [first, second] = [one, other].map((readAs) => understand(type, seen.text, { reading: options[readAs] }))
    if (first && second && 'value' in first && 'value' in second) {
      if (first.value !== second.value) ambiguous ??= seen
    } else if (first && 'value' in first) prove(one, seen)
    else if (second && 'value' in second) prove(other, seen)
  }

  const seeDateCell = (seen: Seen): void => {
    const [, month, day] = /^\d{4}-(\d\d)-(\d\d)/.exec(seen.text) ?? []
    if (!month || !day) return
    if (Number(day) > 12) hasCertainDate = true
    else if (day !== month) exchangeable ??= seen
  }

  const see = (text: string, line: number): void => {
    if (choices.length === 0 || text === '') return
    const seen = { line, text }
    if (workbook && (type === 'date' || type === 'time')) seeDateCell(seen)
    if (type === 'hours') seeHours(seen)
    else seeOther(seen)
  }

  /** The form of an amount without its digits: some people who see imports may not see wages. */
  const quoted = ({ text, line }: Seen): string =>
    `${(type === 'money' ? text.replace(/\d/g, '#') : text).slice(0, 40)} in line ${wholeNumber(line)}`

  const because = (readAs: ReadAs, seen: Seen): string => {
    if (type === 'hours') return `${quoted(seen)} is more than a day`
    if (type === 'money') return `${quoted(seen)} has a decimal ${readAs === 'decimal-comma' ? 'comma' : 'point'}`
    const [, first = '', second = ''] = /(\d{1,2})[-/. ](\d{1,2})[-/. ]\d/.exec(seen.text) ?? []
    return `${quoted(seen)} has no month ${readAs === 'day-first' ? first : second}`
  }

  const as: Readonly<Record<ReadAs, string>> = {
    'month-first': 'month first',
    'day-first': 'day first',
    'decimal-point': 'with a decimal point',
    'decimal-comma': 'with a decimal comma',
    hours: 'as hours',
    days: 'as shares of a day',
  }

  const whichOne = (seen: Seen): string => {
    if (type === 'hours')
      return `${title}: these look like shares of a day (${quoted(seen)} is ${inHours(decimalHours(seen.text) ?? 0)}). Are they shares of a day, or hours?`
    const [one, other] = choices as [ReadAs, ReadAs]
    return `${title}: ${quoted(seen)} can be read ${as[one]} or ${as[other]}, and no line shows which. Which is right?`
  }

  /**
   * A column with both hours and, apparently, shares of a day: a cell that lost its format, or a total among shares. If the
   * mapping says hours, that holds unless most cells are shares.
   */
  const mixed = (setting: ReadAs | null): string | null => {
    const hours = proofs.get('hours')
    if (!hours || !firstShare || setting === 'days') return null
    if (setting === 'hours' && (certainShares < minShares || certainShares <= aboveOne)) return null
    const share = decimalHours(firstShare.text) ?? 0
    return `${title}: ${quoted(hours)} is more than a day, but ${quoted(firstShare)} looks like a share of a day: ${inHours(share)}, or ${inHours(share / 24)} if it is hours. Which is right? Lines that do not fit the reading you choose are rejected.`
  }

  /**
   * A workbook column with dates as text and date cells none of which has a day above 12: a spreadsheet with another locale
   * converted the texts it could parse by its own order of day and month, and left the others.
   */
  const halfConverted = (proven: [ReadAs, Seen] | undefined): string | null =>
    !proven || !exchangeable || hasCertainDate || (type !== 'date' && type !== 'time')
      ? null
      : `${title}: ${because(...proven)} and is text, while ${quoted(exchangeable)} is a date of the spreadsheet, which may have exchanged day and month. If so, reject the file and ask for one with the column as text. Otherwise, how are the texts read?`

  /** `setting` is the mapping's, `answer` a person's decision for this file, which takes precedence over everything else. */
  const decide = (setting: ReadAs | null, answer: ReadAs | null = null): ColumnDecision => {
    if (answer)
      return { readAs: answer, sentence: `${title}: read ${as[answer]}, as a person decided for this file.`, question: null }
    const [proven, contradicting] = [...proofs]
    if (proven && contradicting)
      return {
        readAs: null,
        sentence: null,
        question: `${title}: ${because(...proven)}, and ${because(...contradicting)}. Lines that do not fit the reading you choose are rejected.`,
      }
    const question = mixed(setting) ?? halfConverted(proven)
    if (question) return { readAs: null, sentence: null, question }
    if (proven && setting && proven[0] !== setting)
      return {
        readAs: null,
        sentence: null,
        question: `${title}: the mapping reads it ${as[setting]}, but ${because(...proven)}. Which is right?`,
      }
    if (proven)
      return { readAs: proven[0], sentence: `${title}: read ${as[proven[0]]}, since ${because(...proven)}.`, question: null }
    if (yearOnEitherSide && !setting)
      return {
        readAs: null,
        sentence: null,
        question: `${title}: ${quoted(yearOnEitherSide)} can be read day first or year first, and no line shows which. If the year is first, reject the file and ask for dates with four digits of the year. Otherwise, how are they read?`,
      }
    if (!ambiguous) return { readAs: setting, sentence: null, question: null }
    const looksLikeShares = setting === 'hours' && shares >= minShares && hasFineShares
    if (setting && !looksLikeShares)
      return { readAs: setting, sentence: `${title}: read ${as[setting]}, as the mapping says.`, question: null }
    return { readAs: null, sentence: null, question: whichOne(ambiguous) }
  }

  return { choices, see, decide }
}
export type ColumnEvidence = ReturnType<typeof columnEvidence>
