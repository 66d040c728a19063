import { type ReadAs, readAsLabels } from '#domain/column-evidence.ts'
import { encodingIn, type FileForm, type FileParts, readLines } from '#domain/file-reading.ts'
import { type Encoding, encodingLabels, placeOf, Unreadable } from '#domain/file-text.ts'
import { chosenEncoding, garbledPart, likelyEncodings } from '#domain/garbled-text.ts'
import { maxLines } from '#domain/import.ts'
import { headerKey, type MappingColumn } from '#domain/mapping.ts'
import type { MappingKind } from '#domain/mapping-fields.ts'
import { type LineFault, type MappedRow, type MappingReader, mappingReader } from '#domain/mapping-reading.ts'
import type { OtherEmployers } from '#domain/other-employers.ts'
import { lineHolds } from '#domain/record-lines.ts'
import { shortened, wholeNumber } from '#domain/text.ts'
import { sheetSentences } from '#domain/workbook-sheets.ts'

/** A question about a file that only a person can decide, and its possible answers. */
export interface FileQuestion {
  id: string
  sentence: string
  choices: { value: string; label: string }[]
}

/** Answers by id of the question. */
export type FileAnswers = Readonly<Record<string, string>>

/** How a file was read, in words for people. */
export interface ReadingReport {
  /** Of a text file. */
  encoding: string | null
  /** Of a workbook: the name of the sheet. */
  sheet: string | null
  header_line: number
  /** Further notes, one sentence each. */
  notes: string[]
}

/** The result of reading a file by its mapping. */
export interface MappedFileResult {
  reader: MappingReader
  report: ReadingReport
  questions: FileQuestion[]
  /** How columns were read, by header key: proven by the file, or decided by a person. */
  readings: Map<string, ReadAs>
  /** Line of the headers by a person's decision; null if it is the mapping's. */
  headerLine: number | null
}

export interface MappedFile extends Pick<FileParts, 'name' | 'parser' | 'sheet' | 'pause'> {
  /** Its bytes from the beginning, in chunks; called several times. */
  open: () => AsyncIterable<Uint8Array>
}

/** The mapping that reads a file. */
export interface ReadBy {
  kind: MappingKind
  columns: readonly MappingColumn[]
  header_line: number
  /** See `mappingReader`. */
  employerCode?: string | null
  others?: OtherEmployers | undefined
  remembers?: boolean
}

/** Handlers of the lines of a file. Reading restarts if columns turn out to be read in another way. */
export interface LineHandlers {
  /** Called before each pass: discard the results of an earlier one. */
  begin: (reader: MappingReader) => void | Promise<void>
  /** Receives the lines above the headers. */
  above?: (cells: readonly string[], line: number) => void
  header?: (cells: readonly string[], line: number) => void
  /** Receives every line below the headers, even if the headers do not match the mapping; returns false to stop. */
  sample?: (cells: readonly string[], line: number, isReadable: boolean) => boolean
  row?: (row: MappedRow | null, cells: readonly string[], line: number) => void
  fault?: (fault: LineFault, cells: readonly string[]) => void
  broken?: (cells: readonly string[]) => void
}

/** Number of lines below the first one in which the headers are searched. */
const maxTitleLines = 50

/** Id of the question how a column is read; `header` is the column's. */
const readingQuestion = (header: string): string => `reading:${headerKey(header)}`
const headerLineQuestion = 'header-line'
const garbledQuestion = 'names'
const sheetQuestion = 'sheet'

/** Defaults of the cell parsers. */
const usual: readonly ReadAs[] = ['month-first', 'decimal-point', 'hours']

interface Decided {
  questions: FileQuestion[]
  notes: string[]
  readings: Map<string, ReadAs>
}

/** Decides how the columns of a file are read, from all of their cells. */
function decideColumns(reader: MappingReader, answers: FileAnswers): Decided {
  const decided: Decided = { questions: [], notes: [], readings: new Map() }
  for (const { title: header, evidence, setting } of reader.columnsSeen()) {
    const { choices } = evidence
    if (choices.length === 0) continue
    const id = readingQuestion(header)
    const answer = choices.find((choice) => choice === answers[id]) ?? null
    const { readAs, sentence, question } = evidence.decide(setting, answer)
    if (sentence) decided.notes.push(sentence)
    if (readAs) decided.readings.set(headerKey(header), readAs)
    if (question)
      decided.questions.push({
        id,
        sentence: question,
        choices: choices.map((value) => ({ value, label: readAsLabels[value] })),
      })
  }
  return decided
}

/** The question about a file with garbled texts; null if there are none, or it was decided. */
function askAboutGarbled(reader: MappingReader, answers: FileAnswers, encoding: Encoding | null): FileQuestion | null {
  const garbled = reader.garbled()
  if (!garbled || answers[garbledQuestion]) return null
  const [name] = garbled.names
  if (name !== undefined && encoding) {
    const likely = likelyEncodings(garbled.names, encoding)
    return {
      id: garbledQuestion,
      sentence: `Names look garbled: ${shortened(name)} in line ${wholeNumber(garbled.line)} was read as ${encodingLabels[encoding]}, and the file most likely has another encoding. If no reading is right, reject the file and ask for “CSV UTF-8”.`,
      choices: [
        ...likely.map((one) => ({
          value: one.encoding,
          label: `Read the file as ${encodingLabels[one.encoding]}: ${shortened(name)} is ${shortened(one.name)}`,
        })),
        { value: 'keep', label: 'Read them as they stand' },
      ],
    }
  }
  const { garbled: from, mended } = garbledPart(garbled.text)
  return {
    id: garbledQuestion,
    sentence: `Names look garbled: ${shortened(from)} in line ${wholeNumber(garbled.line)} is most likely ${shortened(mended)}.`,
    choices: [
      { value: 'mend', label: `Mend them: read ${shortened(from)} as ${shortened(mended)}` },
      { value: 'keep', label: 'Read them as they stand' },
    ],
  }
}

const askForHeaderLine = (instead: string, line: number): FileQuestion => ({
  id: headerLineQuestion,
  sentence: `${instead} The headers are in line ${wholeNumber(line)}.`,
  choices: [{ value: String(line), label: `The headers are in line ${wholeNumber(line)}` }],
})

/** The visible sheets of a workbook that have the headers of the mapping, if there are other sheets than the one read. */
function sheetsWithHeaders(reader: MappingReader, form: FileForm | null, hasHeaders: boolean): string[] {
  if (!form?.sheet) return []
  const others = form.sheet.otherHeads.filter(({ lines }) => lines.some((cells) => reader.fits(cells))).map(({ name }) => name)
  return hasHeaders ? [form.sheet.name, ...others] : others
}

const askForSheet = (sheets: readonly string[]): FileQuestion => ({
  id: sheetQuestion,
  sentence: `The sheets ${sheets.map(shortened).join(' and ')} have the headers of the mapping. Which one should be read?`,
  choices: sheets.map((name) => ({ value: name, label: `Read the sheet ${shortened(name)}` })),
})

/**
 * Reads a file by its mapping. The first pass reads columns as set by the mapping or a person, and collects evidence from all
 * of their cells. If that shows another format, a second pass reads the file again. So no column is read half one way and half
 * the other, and memory does not grow with the file. What only a person can decide is returned as `questions`.
 */
export async function readMappedFile(
  file: MappedFile,
  by: ReadBy,
  answers: FileAnswers,
  handlers: LineHandlers,
): Promise<MappedFileResult> {
  const found = await encodingIn(file.open())
  const encoding = chosenEncoding(answers[garbledQuestion]) ?? found
  const suspected = encoding === 'windows-1252' || encoding === 'iso-8859-15' ? encoding : null
  const answered = Number(answers[headerLineQuestion])
  const headerLine = answered > 0 ? answered : by.header_line
  let readings = new Map<string, ReadAs>()
  for (const { header } of by.columns) {
    const answer = header ? answers[readingQuestion(header)] : undefined
    if (header && answer) readings.set(headerKey(header), answer as ReadAs)
  }
  // A workbook has to be read as a whole; once is enough.
  let sheet: ReturnType<FileParts['sheet']> | null = null
  let chosen = answers[sheetQuestion] ?? null
  const parts = (): FileParts => ({
    name: file.name,
    parser: file.parser,
    sheet: (bytes) => {
      sheet ??= file.sheet(bytes, chosen)
      return sheet
    },
    ...(file.pause ? { pause: file.pause } : {}),
    chunks: file.open(),
    encoding,
    headerLine,
  })
  for (let pass = 1; ; pass += 1) {
    const one = await readOnce(
      parts(),
      { ...by, header_line: headerLine, readings, mends: answers[garbledQuestion] === 'mend', suspected },
      handlers,
    )
    const { reader, form, elsewhere, hasHeaders } = one
    const sheets = sheetsWithHeaders(reader, form, hasHeaders)
    // Only another sheet has the headers of the mapping.
    if (chosen === null && !hasHeaders && sheets.length === 1) {
      chosen = sheets[0] ?? null
      sheet = null
      pass -= 1
      continue
    }
    const which = chosen === null && sheets.length > 1 ? askForSheet(sheets) : null
    const decided = decideColumns(reader, answers)
    const differs = [...decided.readings].some(([key, readAs]) => {
      const column = by.columns.find(({ header }) => header && headerKey(header) === key)
      const used = readings.get(key) ?? column?.read_as
      return used ? used !== readAs : !usual.includes(readAs)
    })
    const isWhole = !reader.result.refused && decided.questions.length === 0
    if (isWhole && differs && pass === 1) {
      readings = decided.readings
      continue
    }
    const garbled = askAboutGarbled(reader, answers, suspected)
    return {
      reader,
      report: reportOf(reader, form, {
        header_line: headerLine,
        notes: decided.notes,
        mends: answers[garbledQuestion] === 'mend',
      }),
      questions: which ? [which] : elsewhere ? [elsewhere] : [...decided.questions, ...(garbled ? [garbled] : [])],
      readings: decided.readings,
      headerLine: answered > 0 ? answered : null,
    }
  }
}

function reportOf(
  reader: MappingReader,
  form: FileForm | null,
  { header_line, notes, mends }: { header_line: number; notes: readonly string[]; mends: boolean },
): ReadingReport {
  const { repeatedHeaders } = reader.result
  const more: string[] = []
  if (form?.namesSeparator) more.push('The first line, “sep=”, names the separator and was passed over.')
  if (repeatedHeaders > 0)
    more.push(
      repeatedHeaders === 1
        ? 'One line repeats the headers and was passed over.'
        : `${wholeNumber(repeatedHeaders)} lines repeat the headers and were passed over.`,
    )
  if (mends) more.push('Garbled texts were mended, as a person decided.')
  return {
    encoding: form?.encoding ? encodingLabels[form.encoding] : null,
    sheet: form?.sheet?.name ?? null,
    header_line,
    notes: [...notes, ...more, ...(form?.sheet ? sheetSentences(form.sheet) : [])],
  }
}

interface OnePass extends ReadBy {
  readings: ReadonlyMap<string, ReadAs>
  mends: boolean
  suspected: Encoding | null
}

/** One pass through a file. `elsewhere` asks about headers that are not in the mapping's header line. */
async function readOnce(
  parts: FileParts,
  { kind, columns, header_line, employerCode = null, others, remembers = true, readings, mends, suspected }: OnePass,
  handlers: LineHandlers,
): Promise<{ reader: MappingReader; form: FileForm | null; elsewhere: FileQuestion | null; hasHeaders: boolean }> {
  let current: readonly string[] = []
  const reader = mappingReader(kind, columns, {
    onFault: (fault) => handlers.fault?.(fault, current),
    remembers,
    employerCode,
    others,
    readings,
    mends,
    suspected,
    workbook: /\.xlsx$/i.test(parts.name),
  })
  await handlers.begin(reader)
  let records = 0
  /** 1 if the first line is `sep=`, which is not counted. */
  let offset = 0
  let state = 'above' as 'above' | 'below' | 'searching'
  /** A line with the headers of the mapping, other than its header line. */
  let candidate: number | null = null
  /** The content of the mapping's header line. */
  let instead = `There is no line ${wholeNumber(header_line)}.`
  const onLine = (cells: string[], line: number, isCut = false): boolean => {
    records += 1
    if (records === 1) offset = line - 1
    if (records > maxLines + header_line)
      return reader.refuse(line, null, `A file has at most ${wholeNumber(maxLines)} lines. Send it in parts.`)
    current = cells
    const place = line - offset
    if (state === 'above') {
      if (place < header_line) {
        handlers.above?.(cells, line)
        if (candidate === null && reader.fits(cells)) candidate = place
        return true
      }
      state = 'below'
      handlers.header?.(cells, line)
      if (reader.head(cells, line)) return true
      instead = lineHolds(cells, line)
      state = 'searching'
      return handlers.sample !== undefined || candidate === null
    }
    const goesOn = handlers.sample?.(cells, line, state === 'below') ?? true
    if (state === 'searching') {
      if (candidate === null && reader.fits(cells)) candidate = place
      const isDone = candidate !== null || place > header_line + maxTitleLines
      return goesOn && (handlers.sample !== undefined || !isDone)
    }
    const row = reader.row(cells, line, isCut)
    handlers.row?.(row, cells, line)
    return goesOn
  }
  const onBroken = ({ line, column, message }: Unreadable, cells: readonly string[]): void => {
    if (state !== 'below') return
    current = cells
    reader.broken({ line, column: placeOf(column), message })
    handlers.broken?.(cells)
  }
  let form: FileForm | null = null
  try {
    form = await readLines(parts, onLine, onBroken)
    if (state === 'above')
      reader.refuse(1, null, records === 0 ? 'The file is empty.' : `${instead} The mapping has the headers there.`)
    else if (state === 'below' && reader.result.lines === 0 && reader.result.others.size === 0)
      reader.refuse(header_line + offset, null, 'There are headers and no lines below them.')
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    reader.refuse(error.line, placeOf(error.column), error.message)
  }
  const elsewhere = candidate !== null && state !== 'below' ? askForHeaderLine(instead, candidate) : null
  return { reader, form, elsewhere, hasHeaders: state === 'below' || elsewhere !== null }
}
