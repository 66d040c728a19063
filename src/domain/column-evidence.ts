import type { ColumnReading } from '#domain/column-reading.ts'
import { understand } from '#domain/mapping-cells.ts'
import type { CellType } from '#domain/mapping-fields.ts'
import { wholeNumber } from '#domain/text.ts'

/** The setting of a mapping's column: how its cells are read, where more than one reading is possible. */
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

/** What a setting means to the parsers of cells. */
export const columnReadingOf = (readAs: ReadAs | null | undefined): ColumnReading => (readAs ? options[readAs] : {})

/** How one cell is read: a comma in a number of hours is a decimal comma, as no day has a thousand hours. */
export const cellReading = (type: CellType, reading: ColumnReading, text: string): ColumnReading =>
  type === 'hours' ? { ...reading, decimalMark: text.includes(',') ? 'comma' : 'point' } : reading

const alternatives: Partial<Record<CellType, readonly [ReadAs, ReadAs]>> = {
  date: ['month-first', 'day-first'],
  // A clock time may have its date before it.
  time: ['month-first', 'day-first'],
  money: ['decimal-point', 'decimal-comma'],
  hours: ['hours', 'days'],
}

/** The readings between which a column of this type chooses; none where a cell can be read in one way only. */
export const readingsOf = (type: CellType): readonly ReadAs[] => alternatives[type] ?? []

interface Seen {
  line: number
  text: string
}

/** What a column comes to once all of its cells have been seen. */
export interface ColumnDecision {
  /** How its cells are read; null where it makes no difference, or where a person has to say. */
  readAs: ReadAs | null
  /** Why it is read so; null where there is nothing to say. */
  sentence: string | null
  /** What a person has to decide; null where nothing. */
  question: string | null
}

/** A decimal number of hours, `7.5`, `.5` or `7,5`; null for clock notation and anything else. */
const decimalHours = (text: string): number | null =>
  /^(?=.*\d)\d*(?:[.,]\d*)?$/.test(text) ? Number(text.replace(',', '.')) : null

/** Numbers below one with more than two decimals, at least this many of them, are shares of a day rather than hours. */
const minShares = 3

/** Whether an amount of hours or minutes comes to whole minutes, as clocks and people record them. */
const isWhole = (minutes: number): boolean => Math.abs(minutes - Math.round(minutes)) < 0.02

/**
 * Whether a number is a share of a day and no number of hours: 0.354167 is 8 h 30 of a day, and 21.25 minutes of an hour. Numbers
 * of at most two decimals are hours as people type them.
 */
const isShareOfDay = (text: string, hours: number): boolean =>
  /[.,]\d{3,}$/.test(text) && isWhole(hours * 24 * 60) && !isWhole(hours * 60)

/** A date whose day and month are digits and come before the year; a date that begins with its year is none. */
const dateOfDigits = /(?<![\d/.-])\d{1,2}[-/. ]\d{1,2}[-/. ]\d/

/** Whether a date of two digits each may be read from the year on, as some systems write it: 24-03-04, but not 24-03-99. */
function mayBeginWithYear(text: string): boolean {
  const [, first, last] = /^(\d\d)-\d\d-(\d\d)(?!\d)/.exec(text) ?? []
  return Number(first) > 12 && Number(last) >= 1 && Number(last) <= 31
}

/**
 * The decimal mark that an amount with a single mark shows by its form: thousands have three digits behind them and one to three before
 * them, of which the first is no zero. A workbook stores numbers with a point and without thousands, whatever its country.
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
 * Collects what the cells of a column show about its reading: `see` takes each cell, `decide` answers for the whole column. A cell
 * that only one of the two readings accepts proves it; one that both accept, with different values, is ambiguous. Memory is
 * constant. Cells of workbooks have their numbers with a decimal point, whatever the country.
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
  /** The first date cell of a workbook that is another day with day and month exchanged, unless some cell is none. */
  let exchangeable: Seen | null = null
  let hasCertainDate = false
  /** The first date such as 24-03-04, which may have its year before the month or behind it. */
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
    // Both readings take a point that cannot be before thousands.
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

  /** An amount is shown by its form and without its digits: not everybody who sees imports may see wages. */
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
   * A column that has hours and, as it seems, shares of a day: a cell that lost its format, or a total among shares. A mapping that
   * says hours is believed unless most cells are shares.
   */
  const mixed = (setting: ReadAs | null): string | null => {
    const hours = proofs.get('hours')
    if (!hours || !firstShare || setting === 'days') return null
    if (setting === 'hours' && (certainShares < minShares || certainShares <= aboveOne)) return null
    const share = decimalHours(firstShare.text) ?? 0
    return `${title}: ${quoted(hours)} is more than a day, but ${quoted(firstShare)} looks like a share of a day: ${inHours(share)}, or ${inHours(share / 24)} if it is hours. Which is right? Lines that do not fit the reading you choose are rejected.`
  }

  /**
   * A column of a workbook with dates as text, and date cells of which none has a day above 12: a spreadsheet of another country turned
   * those texts into dates that it could read by its own order of day and month, and left the others.
   */
  const halfConverted = (proven: [ReadAs, Seen] | undefined): string | null =>
    !proven || !exchangeable || hasCertainDate || (type !== 'date' && type !== 'time')
      ? null
      : `${title}: ${because(...proven)} and is text, while ${quoted(exchangeable)} is a date of the spreadsheet, which may have exchanged day and month. If so, reject the file and ask for one with the column as text. Otherwise, how are the texts read?`

  /** `setting` is the mapping's, `answer` what a person decided for this file, which wins over all else. */
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
