import { cellReading, type ReadAs } from '#domain/column-evidence.ts'
import type { Encoding } from '#domain/file-text.ts'
import { garbledTexts, mendedText } from '#domain/garbled-text.ts'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import { isChangedCode, missingCode } from '#domain/changed-code.ts'
import { lackingIn, settleClocks, settleZip } from '#domain/line-content.ts'
import { type ColumnSeen, type Place, placesOf } from '#domain/mapping-places.ts'
import { anotherEmployer, employerMissing, type OtherEmployers } from '#domain/other-employers.ts'
import { breaksIn, isSummary, lineHolds, severalLinesFault } from '#domain/record-lines.ts'
import { repeatedLines } from '#domain/repeated-lines.ts'
import { cellText, codeText, maxCellLength, understand } from '#domain/mapping-cells.ts'
import { type IdentifierField, identifierFields, type MappingField, type MappingKind } from '#domain/mapping-fields.ts'
import { shortened, wholeNumber } from '#domain/text.ts'

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
  /** Lines that repeat the headers, which are passed over. */
  repeatedHeaders: number
  /** Lines that are left to imports of other employers, by the code in them. */
  others: Map<string, number>
}

/** A file has at most so many columns. */
export const maxFileColumns = 1_000
/** More faults are counted and not kept. */
export const maxFaults = 500

/** Said of the second of two lines of a file that say the same; `before` is the first. */
export const saidTwice = (before: number): string => `It says the same as line ${before}.`

/** Said of each of two lines of employees that say different things of one; neither is taken, since nobody knows which is right. */
export const saidOtherwise = (other: number): string =>
  `Line ${other} says something else of the same employee. Keep one of the lines.`

/** Texts out of a record over several lines that may each name somebody. */
const maxPieces = 50_000

interface Reader {
  /** Gets every fault of a line, also of those that are too many to be kept. */
  onFault?: (fault: LineFault) => void
  /** False where somebody else finds lines that say the same: what is remembered of each line grows with the file. */
  remembers?: boolean
  /** The code of the employer whose file it is, where that is known: lines about another one are faults before all else (D251). */
  employerCode?: string | null
  /** Without it, lines about other employers are faults. */
  others?: OtherEmployers | undefined
  /** How columns are read, by the key of their header, where it is not as the mapping says. */
  readings?: ReadonlyMap<string, ReadAs>
  /** Garbled texts are mended. */
  mends?: boolean
  /** Its cells come out of a workbook. */
  workbook?: boolean
  /** The encoding of a text, where its names may show that it has another one. */
  suspected?: Encoding | null
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
  /** The place that has each identifier, and its position in `places`; the first one where several have it. */
  let identifierPlaces: readonly { by: IdentifierField; index: number }[] = []
  let identifierHeaders: ReadonlySet<string> = new Set()
  let hasEmployerCode = false
  let width = 0
  /** The keys of the headers of the mapped columns, by their place. */
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

  /** Whether a line has every header of the mapping, and so could be the one with the headers. */
  const fits = (cells: readonly string[]): boolean => {
    const keys = cells.map(headerKey)
    const wanted = columns.flatMap(({ header, static: isStatic }) => (isStatic || !header ? [] : [headerKey(header)]))
    return wanted.length > 0 && wanted.every((key) => keys.includes(key))
  }

  /** Whether a line repeats the headers, as a printed report does on each page. */
  const repeatsHeaders = (cells: readonly string[]): boolean =>
    headers.length > 0 && headers.every(({ at, key }) => headerKey(cells[at] ?? '') === key)

  const textIn = (cells: readonly string[], { at, fixed, type }: Place): string => {
    const cell = at === null ? (fixed ?? '') : (cells[at] ?? '')
    if (type === 'code') return codeText(cellText(cell))
    // Garbled letters may have signs that are not seen: the second one of a garbled í is a soft hyphen.
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
      if ('value' in found) values[field] = found.value
      else {
        fault(line, title, found.fault)
        good = false
      }
    }
    return good ? values : null
  }

  /** Whose employee a line is about, as far as it says so. */
  const employerIn = (texts: readonly string[]): string | undefined =>
    hasEmployerCode ? texts.find((text, index) => text !== '' && places[index]?.field === 'employer_code') : undefined

  /** Notes what the cells of a line show about the readings of their columns, and whether they are garbled. */
  const collect = (texts: readonly string[], cells: readonly string[], line: number): void => {
    for (const [index, text] of texts.entries()) {
      const place = places[index] as Place
      if (place.at === null) continue
      place.evidence.see(text, line)
      if (place.type === 'name' || place.type === 'text') garbled.see(cells[place.at] ?? '', line, place.type === 'name')
    }
  }

  /** Whether a line has the header of the column for an identifier, as another list of the report has it. */
  const isHeaderOf = ({ identifier }: Pick<Named, 'identifier'>): boolean => identifierHeaders.has(identifier.toLowerCase())

  const lacksDay = (texts: readonly string[]): boolean =>
    !texts.some((text, index) => text !== '' && places[index]?.field === 'work_date')

  const row = (cells: readonly string[], line: number): MappedRow | null => {
    const last = cells.findLastIndex((cell) => cell.trim() !== '')
    if (last < 0) return null
    if (repeatsHeaders(cells)) {
      result.repeatedHeaders += 1
      return null
    }
    const texts = textsIn(cells)
    const about = employerCode === null ? undefined : employerIn(texts)
    const isOther = employerCode !== null && about !== employerCode
    if (isOther && others?.leaves(about)) {
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
      const sentence = others?.fault(about) ?? `The file is read as one of ${employerCode}, and the line is about ${about}.`
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
    // A subtotal has no day, and proves nothing about the column.
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

  /** Whether a line says what one before it said, or something else of the same employee, where neither is taken. */
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
   * Whom a damaged record may be about: any of its cells, and any part of one over several lines, may be an identifier, if it can be
   * a code.
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

  /** Prefers an identifier that can be trusted; one that a spreadsheet changed says that the line may be about anybody. */
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
    const texts = textsIn(cells)
    const about = employerCode === null ? undefined : employerIn(texts)
    // Whom another employer has by the same code is not named for this one.
    if (about !== undefined && about !== employerCode && others?.leaves(about) && others.isKnown(about)) return null
    const identified =
      identifierIn(texts) ?? (isAboutSomebody(texts) ? { by: 'employee_code' as const, identifier: missingCode } : null)
    return identified && { ...identified, work_date: dayIn(texts) }
  }

  /** Whether a line without an identifier is about somebody all the same: it has a name and a status, or a work date. */
  const isAboutSomebody = (texts: readonly string[]): boolean => {
    const fields = new Set(texts.flatMap((text, index) => (text === '' ? [] : (places[index]?.field ?? []))))
    if (kind === 'TIMEKEEPING') return dayIn(texts) !== null
    return kind === 'EMPLOYEE' && fields.has('status') && (fields.has('last_name') || fields.has('full_name'))
  }

  /** The columns of the file that the mapping reads, once lines have been read. */
  const columnsSeen = (): ColumnSeen[] => places.filter(({ at }) => at !== null)

  return { head, fits, row, broken, identify, couldName, refuse, result, takenBack, columnsSeen, garbled: garbled.found }
}
export type MappingReader = ReturnType<typeof mappingReader>

/** A fault in words: `Line 12, Hire date: ...`. */
export const faultInWords = ({ line, column, message }: LineFault): string =>
  `Line ${wholeNumber(line)}${column ? `, ${column}` : ''}: ${message}`
