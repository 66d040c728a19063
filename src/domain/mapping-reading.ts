import { cellReading, type ReadAs } from '#domain/column-evidence.ts'
import { birthDate } from '#domain/date-cells.ts'
import type { Encoding } from '#domain/file-text.ts'
import { garbledTexts, mendedText } from '#domain/garbled-text.ts'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import { isChangedCode, missingCode } from '#domain/changed-code.ts'
import { lackingIn, settleClocks, settleZip } from '#domain/line-content.ts'
import { type ColumnSeen, type Place, placesOf } from '#domain/mapping-places.ts'
import { anotherEmployer, employerMissing, isLeft, type OtherEmployers, unknownEmployer } from '#domain/other-employers.ts'
import { breaksIn, endsWithinLine, isSummary, lineHolds, severalLinesFault } from '#domain/record-lines.ts'
import { repeatedLines, saidOtherwise, saidTwice } from '#domain/repeated-lines.ts'
import { cellText, codeText, maxCellLength, understand } from '#domain/mapping-cells.ts'
import { type IdentifierField, identifierFields, type MappingField, type MappingKind } from '#domain/mapping-fields.ts'
import { shortened, wholeNumber } from '#domain/text.ts'

/** An error in a file with its line, from 1 as in an editor, and its column by header. */
export interface LineFault {
  line: number
  column: string | null
  message: string
}

/** One line as parsed by the mapping. Dates `yyyy-MM-dd`, times `HH:mm`, money in cents, hours in `partsOfHour`. */
export interface MappedRow {
  line: number
  /** Which identifier the file uses, and its value. */
  by: IdentifierField
  identifier: string
  values: Partial<Record<MappingField, string | number>>
}

/** The person in a rejected line, and its date if it can be parsed. */
export interface Named extends Pick<MappedRow, 'by' | 'identifier'> {
  work_date: string | null
}

/** The result of reading a file. */
export interface Reading {
  /** Non-empty lines, without the headers. */
  lines: number
  /** Lines without an error. */
  good: number
  /** Headers of the mapping that the file does not have. */
  missing: string[]
  /** The error that makes the whole file unreadable, in words. */
  refused: LineFault | null
  /** The first errors in lines, and their total number. */
  faults: LineFault[]
  faultCount: number
  /** Number of lines that repeat or contradict another line about the same employee. */
  duplicates: number
  /** Lines that repeat the headers, which are skipped. */
  repeatedHeaders: number
  /** Number of lines left to imports of other employers, by employer code. */
  others: Map<string, number>
}

/** Maximum number of columns of a file. */
const maxFileColumns = 1_000
/** Maximum number of errors kept; more are only counted. */
export const maxFaults = 500

/** Texts in a record over several lines that may each identify a person. */
const maxPieces = 50_000

interface Reader {
  /** Receives every error, including those above the maximum. */
  onFault?: (fault: LineFault) => void
  /** False if the caller finds repeated lines: what is remembered of each line grows with the file. */
  remembers?: boolean
  /** Code of the employer of the file, if known: for lines about another employer this is checked before everything else. */
  employerCode?: string | null
  /** Without it, lines about other employers are errors. */
  others?: OtherEmployers | undefined
  /** How columns are read, by header key, if it differs from the mapping. */
  readings?: ReadonlyMap<string, ReadAs>
  /** Repairs garbled texts. */
  mends?: boolean
  /** Its cells come from a workbook. */
  workbook?: boolean
  /** Encoding of a text, if its names may show that it has another one. */
  suspected?: Encoding | null
}

/**
 * Reads the lines of a file by a mapping, in sequence. `head` takes the header line and returns whether the others can be read;
 * `row` takes each further line and returns its values; `broken` takes the error of a line that cannot be parsed. `result`
 * returns the totals, `takenBack` the returned lines that a later one contradicts, `identify` who a rejected line is about, and
 * `couldName` who a broken one may be about. Keeps no line in memory.
 */
export function mappingReader(
  kind: MappingKind,
  columns: readonly MappingColumn[],
  {
    onFault,
    remembers = true,
    employerCode = null,
    others,
    readings,
    mends = false,
    workbook = false,
    suspected = null,
  }: Reader = {},
) {
  const result: Reading = {
    lines: 0,
    good: 0,
    missing: [],
    refused: null,
    faults: [],
    faultCount: 0,
    duplicates: 0,
    repeatedHeaders: 0,
    others: new Map(),
  }
  const garbled = garbledTexts(suspected)
  const repeated = repeatedLines()
  const takenBack = new Set<number>()
  let places: Place[] = []
  /** Position of each identifier column, and its index in `places`; the first one if several columns have it. */
  let identifierPlaces: readonly { by: IdentifierField; index: number }[] = []
  let identifierHeaders: ReadonlySet<string> = new Set()
  let hasEmployerCode = false
  /** The file ends within its last line. */
  let endsWithin = false
  let width = 0
  /** Header keys of the mapped columns, by position. */
  let headers: readonly { at: number; key: string }[] = []

  const fault = (line: number, column: string | null, message: string): void => {
    result.faultCount += 1
    if (result.faults.length < maxFaults) result.faults.push({ line, column, message })
    onFault?.({ line, column, message })
  }
  const refuse = (line: number, column: string | null, message: string): false => {
    result.refused ??= { line, column, message }
    return false
  }

  const head = (cells: readonly string[], line: number): boolean => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    width = last + 1
    if (width === 0) return refuse(line, null, 'The first line has no headers.')
    if (width > maxFileColumns)
      return refuse(line, null, `It has ${wholeNumber(width)} columns, and a file has at most ${wholeNumber(maxFileColumns)}.`)
    const at = new Map<string, number>()
    for (const [place, cell] of cells.slice(0, width).entries()) {
      const key = headerKey(cell)
      if (key === '') return refuse(line, `column ${place + 1}`, 'The header is empty.')
      if (cell.length > maxCellLength) return refuse(line, `column ${place + 1}`, 'The header is too long.')
      if (at.has(key)) return refuse(line, cell.trim(), 'Two columns have this header.')
      at.set(key, place)
    }
    const found = placesOf(columns, at, { readings, workbook })
    places = found.places
    identifierPlaces = identifierFields.flatMap((by) => {
      const index = places.findIndex(({ field }) => field === by)
      return index < 0 ? [] : [{ by, index }]
    })
    identifierHeaders = new Set(identifierPlaces.map(({ index }) => headerKey(places[index]?.title ?? '')))
    hasEmployerCode = places.some(({ field }) => field === 'employer_code')
    result.missing.push(...found.missing)
    headers = places.flatMap(({ at: place, title }) => (place === null ? [] : [{ at: place, key: headerKey(title) }]))
    const [first] = result.missing
    if (first === undefined) return true
    const hasNone = headers.every(({ at: place }) => place === -1)
    return refuse(
      line,
      first,
      hasNone ? `The file has no such column. ${lineHolds(cells, line)}` : 'The file has no such column.',
    )
  }

  /** Whether a line has every header of the mapping, and so could be the header line. */
  const fits = (cells: readonly string[]): boolean => {
    const keys = cells.map(headerKey)
    const wanted = columns.flatMap(({ header, static: isStatic }) => (isStatic || !header ? [] : [headerKey(header)]))
    return wanted.length > 0 && wanted.every((key) => keys.includes(key))
  }

  /** Whether a line repeats the headers, as printed reports do on each page. */
  const repeatsHeaders = (cells: readonly string[]): boolean =>
    headers.length > 0 && headers.every(({ at, key }) => headerKey(cells[at] ?? '') === key)

  const textIn = (cells: readonly string[], { at, fixed, type }: Place): string => {
    const cell = at === null ? (fixed ?? '') : (cells[at] ?? '')
    if (type === 'code') return codeText(cellText(cell))
    // Garbled letters may contain invisible characters: the second one of a garbled í is a soft hyphen.
    return cellText(mends && (type === 'text' || type === 'name') ? (mendedText(cell) ?? cell) : cell)
  }

  /** The texts of a line, one for each of `places`. */
  const textsIn = (cells: readonly string[]): string[] => places.map((place) => textIn(cells, place))

  const read = (texts: readonly string[], line: number): MappedRow['values'] | null => {
    const values: MappedRow['values'] = {}
    let good = true
    for (const [index, text] of texts.entries()) {
      const { title, field, type, days, reading } = places[index] as Place
      if (text === '' || values[field] !== undefined) continue
      const found = understand(type, text, { days, reading: cellReading(type, reading, text) })
      if ('value' in found) values[field] = field === 'birth_date' ? birthDate(String(found.value), text) : found.value
      else {
        fault(line, title, found.fault)
        good = false
      }
    }
    return good ? values : null
  }

  /** The employer code of a line, if it has one. */
  const employerIn = (texts: readonly string[]): string | undefined =>
    hasEmployerCode ? texts.find((text, index) => text !== '' && places[index]?.field === 'employer_code') : undefined

  /** Collects evidence from the cells of a line about the format of their columns, and about garbled texts. */
  const collect = (texts: readonly string[], cells: readonly string[], line: number): void => {
    for (const [index, text] of texts.entries()) {
      const place = places[index] as Place
      if (place.at === null) continue
      place.evidence.see(text, line)
      if (place.type === 'name' || place.type === 'text') garbled.see(cells[place.at] ?? '', line, place.type === 'name')
    }
  }

  /** Whether the identifier of a line is the header of its column, as in a second list of a report. */
  const isHeaderOf = ({ identifier }: Pick<Named, 'identifier'>): boolean => identifierHeaders.has(identifier.toLowerCase())

  const lacksDay = (texts: readonly string[]): boolean =>
    !texts.some((text, index) => text !== '' && places[index]?.field === 'work_date')

  const row = (cells: readonly string[], line: number, isCut = false): MappedRow | null => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return null
    if (repeatsHeaders(cells)) {
      result.repeatedHeaders += 1
      return null
    }
    const texts = textsIn(cells)
    const about = employerCode === null ? undefined : employerIn(texts)
    const isOther = employerCode !== null && about !== employerCode
    if (isOther && others && isLeft(others, about)) {
      result.others.set(about ?? '', (result.others.get(about ?? '') ?? 0) + 1)
      return null
    }
    result.lines += 1
    const torn = severalLinesFault(cells, { line, width, columns: places, workbook })
    if (torn) {
      fault(torn.line, torn.column, torn.message)
      return null
    }
    if (isOther && about !== undefined && !isChangedCode(about)) {
      const sentence = others
        ? unknownEmployer(about)
        : `The file is read as one of ${employerCode}, and the line is about ${about}.`
      fault(line, anotherEmployer.column, sentence)
      return null
    }
    if (hasEmployerCode && about === undefined && others) {
      fault(line, anotherEmployer.column, employerMissing)
      return null
    }
    if (last >= width) {
      const extra = cells.findIndex((cell, place) => place >= width && cell.trim() !== '')
      fault(line, `column ${extra + 1}`, `The line has more cells than the ${width} headers.`)
      return null
    }
    const identified = identifierIn(texts)
    if (identified && isSummary(identified.identifier)) {
      fault(line, null, `${shortened(identified.identifier)} begins a total or the end of the report, and names nobody.`)
      return null
    }
    if (identified && isHeaderOf(identified)) {
      fault(line, null, `${shortened(identified.identifier)} is the header of this column, and names nobody.`)
      return null
    }
    if (isCut) {
      endsWithin = true
      fault(line, null, endsWithinLine)
      return null
    }
    // A subtotal has no date and is not evidence about the column.
    if (identified && !(kind === 'TIMEKEEPING' && lacksDay(texts))) collect(texts, cells, line)
    const values = read(texts, line)
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
    settleZip(values)
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

  /** Whether a line repeats an earlier one, or contradicts one about the same employee; then neither is accepted. */
  const isAlike = (row: MappedRow): boolean => {
    const { first, same } = repeated.see(row, kind === 'EMPLOYEE' ? '' : String(row.values.work_date ?? ''))
    if (same !== null) {
      result.duplicates += 1
      fault(row.line, null, saidTwice(same))
      return true
    }
    if (first === null || kind !== 'EMPLOYEE') return false
    if (!takenBack.has(first)) {
      takenBack.add(first)
      result.good -= 1
      result.duplicates += 1
      fault(first, null, saidOtherwise(row.line))
    }
    result.duplicates += 1
    fault(row.line, null, saidOtherwise(first))
    return true
  }

  const broken = ({ line, column, message }: LineFault): void => {
    result.lines += 1
    fault(line, column, message)
  }

  /**
   * Who a damaged record may be about: any of its cells, and any part of a cell over several lines, may be an identifier if it
   * is a valid code.
   */
  const couldName = (cells: readonly string[]): Named[] => {
    const parts = cells.slice(0, maxFileColumns).flatMap((cell) => (breaksIn(cell) > 0 ? cell.split(/[\r\n,;\t|]+/) : [cell]))
    const texts = new Set(parts.slice(0, maxPieces).map((part) => cellText(part.replaceAll('"', ''))))
    return identifierFields
      .filter((by) => places.some(({ field, at }) => field === by && at !== null))
      .flatMap((by) =>
        [...texts]
          .filter((text) => text !== '' && text.length <= maxCellLength && !isChangedCode(text))
          .map((identifier) => ({ by, identifier, work_date: null })),
      )
  }

  const dayIn = (texts: readonly string[]): string | null => {
    for (const [index, { field, type, days, reading }] of places.entries()) {
      if (field !== 'work_date') continue
      const found = understand(type, texts[index] as string, { days, reading })
      if ('value' in found && found.value !== '') return String(found.value)
    }
    return null
  }

  /** Prefers a reliable identifier; one that a spreadsheet changed means that the line may be about anybody. */
  const identifierIn = (texts: readonly string[]): Pick<Named, 'by' | 'identifier'> | null => {
    let changed: Pick<Named, 'by' | 'identifier'> | null = null
    for (const { by, index } of identifierPlaces) {
      const text = texts[index] as string
      const found = understand('text', text)
      const identifier = 'value' in found && found.value !== '' ? String(found.value) : isChangedCode(text) ? text : null
      if (identifier === null) continue
      if (!isChangedCode(identifier)) return { by, identifier }
      changed ??= { by, identifier }
    }
    return changed
  }

  const identify = (cells: readonly string[]): Named | null => {
    // The code itself may be cut, and lines after it are lost.
    if (endsWithin) return { by: 'employee_code', identifier: missingCode, work_date: null }
    const texts = textsIn(cells)
    const about = employerCode === null ? undefined : employerIn(texts)
    // A person whom another employer has by the same code is not named for this one.
    if (about !== undefined && about !== employerCode && others && isLeft(others, about) && others.known.has(about)) return null
    const identified =
      identifierIn(texts) ?? (isAboutSomebody(texts) ? { by: 'employee_code' as const, identifier: missingCode } : null)
    return identified && { ...identified, work_date: dayIn(texts) }
  }

  /** Whether a line without an identifier is still about a person: it has a name and a status, or a work date. */
  const isAboutSomebody = (texts: readonly string[]): boolean => {
    const fields = new Set(texts.flatMap((text, index) => (text === '' ? [] : (places[index]?.field ?? []))))
    if (kind === 'TIMEKEEPING') return dayIn(texts) !== null
    return kind === 'EMPLOYEE' && fields.has('status') && (fields.has('last_name') || fields.has('full_name'))
  }

  /** Columns of the file that the mapping reads; available after lines have been read. */
  const columnsSeen = (): ColumnSeen[] => places.filter(({ at }) => at !== null)

  return { head, fits, row, broken, identify, couldName, refuse, result, takenBack, columnsSeen, garbled: garbled.found }
}
export type MappingReader = ReturnType<typeof mappingReader>

/** An error as text: `Line 12, Hire date: ...`. */
export const faultInWords = ({ line, column, message }: LineFault): string =>
  `Line ${wholeNumber(line)}${column ? `, ${column}` : ''}: ${message}`
