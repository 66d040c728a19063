import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import { addDays } from '#domain/calendar.ts'
import { isChangedCode } from '#domain/changed-code.ts'
import { minutesBetween } from '#domain/clock.ts'
import { cellText, longestCell, partsOfHour, understand } from '#domain/mapping-cells.ts'
import {
  type CellType,
  cellTypeOf,
  type IdentifierField,
  identifierFields,
  isToldByLine,
  type MappingField,
  mappingFields,
  type MappingKind,
} from '#domain/mapping-fields.ts'
import { wholeNumber } from '#domain/text.ts'

/** What is wrong with a file: which line, counted from 1 as an editor does, and which column, as its header says. */
export interface LineFault {
  line: number
  column: string | null
  message: string
}

/** One line as the mapping reads it. Dates `yyyy-MM-dd`, times `HH:mm`, money in cents, hours in `partsOfHour`. */
export interface MappedRow {
  line: number
  /** By what the file names the employee, and the name. */
  by: IdentifierField
  identifier: string
  values: Partial<Record<MappingField, string | number>>
}

/** Whom a line is about that was not taken, and the day of it where that can be read. */
export interface Named extends Pick<MappedRow, 'by' | 'identifier'> {
  work_date: string | null
}

/** What reading a file came to. */
export interface Reading {
  /** Lines with something in them, without the first. */
  lines: number
  /** Of these, read without a fault. */
  good: number
  /** Headers of the mapping that the file does not have. */
  missing: string[]
  /** What makes the whole file unreadable, in words. */
  refused: LineFault | null
  /** The first faults of lines, and how many there are. */
  faults: LineFault[]
  faultCount: number
  /** How many lines say again what another one says, or something else of the same employee. */
  duplicates: number
}

/** A file has at most so many columns. */
export const mostFileColumns = 1_000
/** More faults are counted and not kept. */
export const mostFaults = 500

interface Place {
  at: number | null
  title: string
  field: MappingField
  type: CellType
  days: number
  /** Of a static column. */
  fixed: string | null
}

const named = (field: MappingField): string => mappingFields[field].title

/** What a line of a kind has to say beside who it is about; null where it says enough. */
function lackingIn(kind: MappingKind, values: MappedRow['values']): string | null {
  const has = (field: MappingField) => values[field] !== undefined
  if (kind === 'EMPLOYEE') return has('status') ? null : 'The status is missing.'
  if (kind === 'CONFIRMATION')
    return has('deduction_withheld') || has('deduction_not_withheld')
      ? null
      : 'It says neither what was withheld nor what was not.'
  if (kind !== 'TIMEKEEPING') return null
  if (!has('work_date')) return 'The work date is missing.'
  const enough = has('work_hours') || has('earned_wage') || (has('clock_in') && has('clock_out'))
  return enough ? null : 'It says neither hours, nor clock in and out, nor the earned wage.'
}

/**
 * Gives a time line without hours those between its clocks. Answers what is wrong with the clocks, or null. The work date may be
 * moved by `days` from the one in the line, which is the one that the clocks have to be on.
 */
function settleClocks(values: MappedRow['values'], days: number): string | null {
  const { clock_in, clock_out, work_date } = values
  if (clock_in === undefined || clock_out === undefined || work_date === undefined) return null
  const minutes = minutesBetween(String(clock_in), String(clock_out), addDays(String(work_date), -days))
  if (typeof minutes !== 'number') return minutes.fault
  if (minutes > 0) values.work_hours ??= (minutes * partsOfHour) / 60
  return null
}

/** Said of the second of two lines of a file that say the same; `before` is the first. */
export const saidTwice = (before: number): string => `It says the same as line ${before}.`

/** Said of each of two lines of employees that say different things of one; neither is taken, since nobody knows which is right. */
export const saidOtherwise = (other: number): string =>
  `Line ${other} says something else of the same employee. Keep one of the lines.`

/** Said of a line that is about another employer than the one whose mapping reads the file. */
export const anotherEmployer = {
  column: named('employer_code'),
  /** To whom neither employer may be named. */
  sentence: 'The line is about another employer.',
}

interface Reader {
  /** Hears of every fault of a line, also of those that are too many to be kept. */
  told?: (fault: LineFault) => void
  /** False where somebody else finds lines that say the same: what is remembered of each line grows with the file. */
  remembers?: boolean
  /** The code of the employer whose file it is, where that is known: lines about another one are faults before all else (D251). */
  employerCode?: string | null
}

/**
 * Reads the lines of a file by a mapping, one after the other: `head` gets the first one and answers whether the others can
 * be read, `row` each further one, and answers what it says, and `broken` what is wrong with one that cannot be taken apart;
 * `result` tells what it came to, `takenBack` the lines that were answered and are contradicted by a later one, `identify` whom a line is about that could not be read as a whole, and `couldName` whom a
 * broken one may be about. Keeps no line that was read.
 */
export function mappingReader(
  kind: MappingKind,
  columns: readonly MappingColumn[],
  { told, remembers = true, employerCode = null }: Reader = {},
) {
  const result: Reading = { lines: 0, good: 0, missing: [], refused: null, faults: [], faultCount: 0, duplicates: 0 }
  const seen = new Map<string, number>()
  /** Of employees, the first line about each. */
  const firstOf = new Map<string, number>()
  const takenBack = new Set<number>()
  let places: Place[] = []
  let width = 0

  const fault = (line: number, column: string | null, message: string): void => {
    result.faultCount += 1
    if (result.faults.length < mostFaults) result.faults.push({ line, column, message })
    told?.({ line, column, message })
  }
  const refuse = (line: number, column: string | null, message: string): false => {
    result.refused ??= { line, column, message }
    return false
  }

  const head = (cells: readonly string[], line: number): boolean => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    width = last + 1
    if (width === 0) return refuse(line, null, 'The first line has no headers.')
    if (width > mostFileColumns)
      return refuse(line, null, `It has ${wholeNumber(width)} columns, and a file has at most ${wholeNumber(mostFileColumns)}.`)
    const at = new Map<string, number>()
    for (const [place, cell] of cells.slice(0, width).entries()) {
      const key = headerKey(cell)
      if (key === '') return refuse(line, `column ${place + 1}`, 'The header is empty.')
      if (cell.length > longestCell) return refuse(line, `column ${place + 1}`, 'The header is too long.')
      if (at.has(key)) return refuse(line, cell.trim(), 'Two columns have this header.')
      at.set(key, place)
    }
    places = columns.flatMap(({ header, field, static: isStatic, static_value, day_adjustment }) => {
      if (!field || (isStatic && isToldByLine(field))) return []
      const place = isStatic ? null : (at.get(headerKey(header ?? '')) ?? -1)
      if (place === -1) result.missing.push(header ?? '')
      return [
        {
          at: place,
          title: header || named(field),
          field,
          type: cellTypeOf(field),
          days: day_adjustment ?? 0,
          fixed: isStatic ? (static_value ?? '') : null,
        },
      ]
    })
    const [first] = result.missing
    return first === undefined || refuse(line, first, 'The file has no such column.')
  }

  const textIn = (cells: readonly string[], { at, fixed }: Place): string =>
    cellText(at === null ? (fixed ?? '') : (cells[at] ?? ''))

  const read = (cells: readonly string[], line: number): MappedRow['values'] | null => {
    const values: MappedRow['values'] = {}
    let good = true
    for (const place of places) {
      const { title, field, type, days } = place
      const text = textIn(cells, place)
      if (text === '' || values[field] !== undefined) continue
      const found = understand(type, text, { days })
      if ('value' in found) values[field] = found.value
      else {
        fault(line, title, found.fault)
        good = false
      }
    }
    return good ? values : null
  }

  /** Whose employee a line is about, as far as it says so. */
  const employerIn = (cells: readonly string[]): string | undefined =>
    places
      .filter(({ field }) => field === 'employer_code')
      .map((place) => textIn(cells, place))
      .find((text) => text !== '')

  const row = (cells: readonly string[], line: number): MappedRow | null => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return null
    result.lines += 1
    const about = employerCode === null ? undefined : employerIn(cells)
    if (about !== undefined && about !== employerCode && !isChangedCode(about)) {
      fault(line, anotherEmployer.column, `The file is read as one of ${employerCode}, and the line is about ${about}.`)
      return null
    }
    if (last >= width) {
      const extra = cells.findIndex((cell, place) => place >= width && cell.trim() !== '')
      fault(line, `column ${extra + 1}`, `The line has more cells than the ${width} headers.`)
      return null
    }
    const values = read(cells, line)
    if (!values) return null
    const by = identifierFields.find((field) => values[field] !== undefined)
    if (!by) {
      fault(line, null, 'The employee identifier is missing.')
      return null
    }
    const lacks = lackingIn(kind, values)
    if (lacks) {
      fault(line, null, lacks)
      return null
    }
    const wrongClocks = settleClocks(values, places.find(({ field }) => field === 'work_date')?.days ?? 0)
    if (wrongClocks) {
      fault(line, null, wrongClocks)
      return null
    }
    const mapped: MappedRow = { line, by, identifier: String(values[by]), values }
    if (remembers && isAlike(mapped)) return null
    result.good += 1
    return mapped
  }

  /** Whether a line says what one before it said, or something else of the same employee, where neither is taken. */
  const isAlike = ({ line, by, identifier, values }: MappedRow): boolean => {
    const key = JSON.stringify([by, identifier, values])
    const before = seen.get(key)
    if (before !== undefined) {
      result.duplicates += 1
      fault(line, null, saidTwice(before))
      return true
    }
    seen.set(key, line)
    if (kind !== 'EMPLOYEE') return false
    const person = JSON.stringify([by, identifier])
    const first = firstOf.get(person)
    if (first === undefined) {
      firstOf.set(person, line)
      return false
    }
    if (!takenBack.has(first)) {
      takenBack.add(first)
      result.good -= 1
      result.duplicates += 1
      fault(first, null, saidOtherwise(line))
    }
    result.duplicates += 1
    fault(line, null, saidOtherwise(first))
    return true
  }

  const broken = ({ line, column, message }: LineFault): void => {
    result.lines += 1
    fault(line, column, message)
  }

  /** Whom a line may be about whose cells are out of place: any of them may be the identifier, without its quotes, if it can be a code. */
  const couldName = (cells: readonly string[]): Named[] => {
    const texts = new Set(cells.slice(0, mostFileColumns).map((cell) => cellText(cell.replaceAll('"', ''))))
    return identifierFields
      .filter((by) => places.some(({ field, at }) => field === by && at !== null))
      .flatMap((by) =>
        [...texts]
          .filter((text) => text !== '' && text.length <= longestCell && !isChangedCode(text))
          .map((identifier) => ({ by, identifier, work_date: null })),
      )
  }

  const dayIn = (cells: readonly string[]): string | null => {
    for (const place of places.filter(({ field }) => field === 'work_date')) {
      const found = understand(place.type, textIn(cells, place), { days: place.days })
      if ('value' in found && found.value !== '') return String(found.value)
    }
    return null
  }

  /** Prefers an identifier that can be trusted; one that a spreadsheet changed says that the line may be about anybody. */
  const identify = (cells: readonly string[]): Named | null => {
    const named = identifierFields.flatMap((by) => {
      const place = places.find(({ field }) => field === by)
      const found = place && understand('text', textIn(cells, place))
      if (found && 'value' in found && found.value !== '') return [{ by, identifier: String(found.value) }]
      const text = place ? textIn(cells, place) : ''
      return isChangedCode(text) ? [{ by, identifier: text }] : []
    })
    const best = named.find(({ identifier }) => !isChangedCode(identifier)) ?? named[0]
    return best ? { ...best, work_date: dayIn(cells) } : null
  }

  return { head, row, broken, identify, couldName, refuse, result, takenBack }
}

/** A fault in words: `Line 12, Hire date: ...`. */
export const faultInWords = ({ line, column, message }: LineFault): string =>
  `Line ${wholeNumber(line)}${column ? `, ${column}` : ''}: ${message}`
