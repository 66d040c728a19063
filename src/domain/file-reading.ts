import {
  csvFault,
  csvOptions,
  type Encoding,
  encodingFinder,
  encodingOf,
  fileKindOf,
  validateFileKind,
  maxRecordLength,
  maxCells,
  namedSeparator,
  quoteFault,
  separatorOf,
  textReader,
  Unreadable,
} from '#domain/file-text.ts'
import { breaksIn } from '#domain/record-lines.ts'
import type { SheetRead } from '#domain/workbook.ts'
import type { SheetNotes } from '#domain/workbook-sheets.ts'

/** Parser of a text into records: browser and server use the same library through different entry points. */
export interface CsvParser {
  write(text: string, done: (error?: Error | null) => void): unknown
  end(): unknown
  destroy(): unknown
  on(event: 'data', listen: (item: { record: string[]; raw: string }) => void): unknown
  on(event: 'error', listen: (error: Error) => void): unknown
  on(event: 'end', listen: () => void): unknown
  /** The number of records parsed so far. */
  info: { records: number }
}

/** The parts of a file that the environment provides. */
export interface FileParts {
  name: string
  /** The bytes in chunks. */
  chunks: AsyncIterable<Uint8Array>
  parser: (options: ReturnType<typeof csvOptions>) => CsvParser
  /** Reads a sheet of a workbook, given all its bytes: the visible sheet of this name, else the first visible one. */
  sheet: (bytes: Uint8Array, chosen?: string | null) => Promise<SheetRead>
  /** Encoding of a text, as detected by `encodingIn`; defaults to a guess from the first bytes. */
  encoding?: Encoding | null
  /** Line number of the headers, from 1; the separator is detected from there on. */
  headerLine?: number
  /** Yields to other work between chunks of lines. */
  pause?: () => Promise<unknown>
}

/** How a file was read: a text has an encoding and a separator, a workbook a sheet. */
export interface FileForm {
  encoding: Encoding | null
  separator: string | null
  sheet: SheetNotes | null
  /** Its first line declares the separator, `sep=;`, and is not counted as a line. */
  namesSeparator: boolean
}

/**
 * Receives the cells of a line and its number, from 1; returns false to stop. `isCut` if the text ends within the line: it has
 * no line break and fewer cells than all others.
 */
export type OnLine = (cells: string[], line: number, isCut?: boolean) => boolean

/** Receives the error in a line that cannot be parsed, and its cells as far as they could be parsed. */
export type OnBroken = (fault: Unreadable, cells: string[]) => void

/** Maximum size of a workbook, which has to be in memory as a whole. */
const largestWorkbook = 25 * 1024 * 1024

/**
 * Characters of a text, or lines of a workbook, parsed per chunk. Without `pause` nothing else runs between two chunks, and the
 * parser's streams wait for a timer after each, which browsers delay by 4 ms: larger chunks need fewer timers.
 */
const atOnce = { characters: 4_096, withoutPause: 131_072, lines: 200 }

/** How much of the beginning of a text is used to detect the separator. */
const sampled = { characters: 65_536, lines: 25 }
const lineBreak = /\r\n|[\n\r]/

/** The encoding of a text, from all of its bytes; null for a file of another kind, of which only the first bytes are read. */
export async function encodingIn(chunks: AsyncIterable<Uint8Array>): Promise<Encoding | null> {
  const finder = encodingFinder()
  let isFirst = true
  for await (const bytes of chunks) {
    if (isFirst && fileKindOf(bytes) !== 'text') return null
    isFirst = false
    finder.see(bytes)
  }
  return finder.encoding()
}

/**
 * Reads the lines of a .csv or .xlsx file in sequence, in bounded memory; lines with misplaced quotes go to `onBroken`. Throws
 * `Unreadable`, with line and column, if the file is not of the type in its name, not text, or cannot be parsed.
 */
export async function readLines(parts: FileParts, onLine: OnLine, onBroken: OnBroken): Promise<FileForm> {
  const { name, chunks } = parts
  const pieces = chunks[Symbol.asyncIterator]()
  const first = await pieces.next()
  const bytes = first.done ? new Uint8Array() : first.value
  const kind = fileKindOf(bytes)
  const wrong = validateFileKind(name, kind)
  if (wrong) throw new Unreadable(wrong, 1)
  const rest = { [Symbol.asyncIterator]: () => pieces }
  return kind === 'xlsx' ? readSheet(bytes, rest, parts, onLine) : readText(bytes, rest, parts, onLine, onBroken)
}

async function readSheet(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { sheet, pause }: FileParts,
  onLine: OnLine,
): Promise<FileForm> {
  const parts = [first]
  let size = first.length
  for await (const part of rest) {
    size += part.length
    if (size > largestWorkbook) throw new Unreadable('A workbook has at most 25 MB. Save it as .csv, which may be larger.', 1)
    parts.push(part)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  const { lines, notes } = await sheet(whole)
  const form = { encoding: null, separator: null, sheet: notes, namesSeparator: false }
  for (const [place, cells] of lines.entries()) {
    if (!onLine(cells, place + 1)) return form
    if (place % atOnce.lines === atOnce.lines - 1) await pause?.()
  }
  return form
}

/** The next characters of a text to parse, starting at `at`; does not split surrogate pairs. */
function pieceFrom(text: string, at: number, size: number): string {
  const end = at + size
  const last = text.charCodeAt(end - 1)
  return text.slice(at, last >= 0xd800 && last < 0xdc00 ? end + 1 : end)
}

/** Whether a record is the mark that programs of DOS put at the end of a file, Ctrl+Z. */
const isEndMark = (record: readonly string[]): boolean => record.length === 1 && record[0] === '\u001a'

async function readText(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { parser: makeParser, pause, encoding: given, headerLine = 1 }: FileParts,
  onLine: OnLine,
  onBroken: OnBroken,
): Promise<FileForm> {
  const encoding = given ?? encodingOf(first)
  const decode = textReader(encoding)
  let separator = ','
  let namesSeparator = false
  let waiting = decode(first, false)
  let parser: CsvParser | null = null
  let failed: Error | null = null
  let torn: Unreadable | null = null
  let wanted = true
  /** Line number of the next record. */
  let line = 1
  /** Characters parsed since the end of the last record. */
  let open = 0
  /** The fewest cells of a record below the headers. */
  let fewest = Number.POSITIVE_INFINITY
  const giveUp = (code: string, at: number, column: number | null = null): void => {
    torn = csvFault(code, at, column)
    wanted = false
  }
  const begin = () => {
    const lines = waiting.slice(0, sampled.characters).split(lineBreak)
    const named = namedSeparator(lines[0] ?? '')
    if (named !== null) {
      namesSeparator = true
      waiting = waiting.slice(/^.*(?:\r\n|[\n\r]|$)/.exec(waiting)?.[0].length)
      line = 2
    }
    separator = named ?? separatorOf(lines.slice(headerLine - 1, headerLine - 1 + sampled.lines))
    const made = makeParser(csvOptions(separator))
    // csv-parse 7 makes an error, with a copy of the record, for each one of another length than the first, even where lengths may
    // differ: 70 µs for each blank line. So every record is its first.
    Object.defineProperty(made.info, 'records', { get: () => 0, set: () => undefined })
    made.on('data', ({ record, raw }) => {
      open = 0
      if (!wanted || isEndMark(record)) return
      const at = line
      const inside = record.reduce((sum, cell) => sum + breaksIn(cell), 0)
      line += 1 + inside
      if (record.length > maxCells) return giveUp('TOO_MANY_CELLS', at)
      const quotes = quoteFault(record, raw)
      if (!quotes) {
        const isBlank = record.every((cell) => cell.trim() === '')
        // Only the last record may lack a line break, as after a transfer that broke off.
        const isCut = !isBlank && !/[\n\r]$/.test(raw) && fewest < Number.POSITIVE_INFINITY && record.length < fewest
        if (!isBlank && at > headerLine + Number(namesSeparator)) fewest = Math.min(fewest, record.length)
        wanted = onLine(record, at, isCut)
        return
      }
      // In a record over several lines the intended end of the quote is unknown, and so are all lines after it.
      if (at > 1 && inside === 0) return onBroken(csvFault(quotes.code, at, quotes.column), record)
      giveUp(quotes.code, at, quotes.column)
    })
    made.on('error', (error) => {
      failed = error
    })
    return made
  }
  /** Parses the waiting text in small chunks, so that a record in progress can be checked and other work can run between them. */
  const takeApart = async (into: CsvParser): Promise<boolean> => {
    const text = waiting
    waiting = ''
    for (let at = 0; at < text.length && wanted && !failed; ) {
      const piece = pieceFrom(text, at, pause ? atOnce.characters : atOnce.withoutPause)
      at += piece.length
      open += piece.length
      await new Promise<void>((resolve) => into.write(piece, () => resolve()))
      await pause?.()
      if (open > maxRecordLength && wanted && !failed) giveUp('CSV_MAX_RECORD_SIZE', line)
    }
    return wanted && !failed
  }
  const showsSeparator = (text: string): boolean =>
    text.length >= maxRecordLength ||
    (lineBreak.test(text) && text.length >= sampled.characters) ||
    (text.length >= 1_000 && text.slice(0, sampled.characters).split(lineBreak).length > headerLine + sampled.lines)
  const feed = async (text: string): Promise<boolean> => {
    waiting += text
    // The separator is detected from the first lines; without a line break the sample is one long line.
    if (!parser && !showsSeparator(waiting)) return true
    parser ??= begin()
    return takeApart(parser)
  }
  let more = await feed('')
  if (more)
    for await (const part of rest) {
      more = await feed(decode(part, false))
      if (!more) break
    }
  if (more) {
    waiting += decode(new Uint8Array(), true)
    if (!parser && waiting === '') return { encoding, separator, sheet: null, namesSeparator }
    const into: CsvParser = parser ?? begin()
    const ended = new Promise<void>((resolve) => {
      into.on('end', resolve)
      into.on('error', () => resolve())
    })
    if (await takeApart(into)) {
      into.end()
      await ended
    } else into.destroy()
  } else (parser as CsvParser | null)?.destroy()
  if (torn) throw torn
  if (failed) {
    const { code = '', column } = failed as { code?: string; column?: unknown }
    throw csvFault(code, line, typeof column === 'number' ? column + 1 : null)
  }
  return { encoding, separator, sheet: null, namesSeparator }
}
