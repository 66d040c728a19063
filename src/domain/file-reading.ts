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

/** What takes a text apart into records: the library is the same in the browser and on the server, its entrance is not. */
export interface CsvParser {
  write(text: string, done: (error?: Error | null) => void): unknown
  end(): unknown
  destroy(): unknown
  on(event: 'data', listen: (item: { record: string[]; raw: string }) => void): unknown
  on(event: 'error', listen: (error: Error) => void): unknown
  on(event: 'end', listen: () => void): unknown
}

/** The parts of a file that the environment brings. */
export interface FileParts {
  name: string
  /** The bytes, piece by piece. */
  chunks: AsyncIterable<Uint8Array>
  parser: (options: ReturnType<typeof csvOptions>) => CsvParser
  /** Reads a sheet of a workbook, whose bytes are all there: the first visible one, or the visible one of a name. */
  sheet: (bytes: Uint8Array, chosen?: string | null) => Promise<SheetRead>
  /** The encoding of a text, as `encodingIn` finds it; else what its first bytes show. */
  encoding?: Encoding | null
  /** The line of the headers, counted from 1; the lines from there on show what separates cells. */
  headerLine?: number
  /** Lets other work go on between a few lines and the next ones. */
  pause?: () => Promise<unknown>
}

/** In which form a file was read: a text has an encoding and a separator, a workbook a sheet. */
export interface FileForm {
  encoding: Encoding | null
  separator: string | null
  sheet: SheetNotes | null
  /** Its first line names the separator, `sep=;`, and is none of its lines. */
  namesSeparator: boolean
}

/** Gets the cells of a line and its number, counted from 1; answers false where no further one is wanted. */
export type OnLine = (cells: string[], line: number) => boolean

/** Gets what is wrong with a line that cannot be taken apart, and its cells as far as they can be told. */
export type OnBroken = (fault: Unreadable, cells: string[]) => void

/** A workbook is at most so large: all of it has to be there at once. */
export const largestWorkbook = 25 * 1024 * 1024

/**
 * Characters of a text that are parsed in one go, and lines of a workbook. Without a `pause` nothing else runs between two pieces,
 * and the parser's streams wait for a timer after each, which browsers delay by 4 ms: larger pieces have fewer of them.
 */
const atOnce = { characters: 4_096, withoutPause: 131_072, lines: 200 }

/** How much of the beginning of a text shows what separates its cells. */
const sampled = { characters: 65_536, lines: 25 }
const lineBreak = /\r\n|[\n\r]/

/** The encoding of a text, by all of its bytes; null for a file of another kind, of which only the first bytes are read. */
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
 * Reads the lines of a .csv or .xlsx file one after the other, in bounded memory; one whose quotes are not in order is handed to
 * `onBroken`. Throws `Unreadable`, with line and column, where the file is not what its name says, not text, or cannot be parsed.
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

/** The characters of a text from a place on that are taken apart next; a sign of two halves stays whole. */
function pieceFrom(text: string, at: number, size: number): string {
  const end = at + size
  const last = text.charCodeAt(end - 1)
  return text.slice(at, last >= 0xd800 && last < 0xdc00 ? end + 1 : end)
}

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
  /** Of the record that comes next. */
  let line = 1
  /** Characters that were taken apart since a record ended. */
  let open = 0
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
    made.on('data', ({ record, raw }) => {
      open = 0
      if (!wanted) return
      const at = line
      const inside = record.reduce((sum, cell) => sum + breaksIn(cell), 0)
      line += 1 + inside
      if (record.length > maxCells) return giveUp('TOO_MANY_CELLS', at)
      const quotes = quoteFault(record, raw)
      if (!quotes) {
        wanted = onLine(record, at)
        return
      }
      // Of a record over several lines nobody knows where the quote was to end, and so none of the lines below it.
      if (at > 1 && inside === 0) return onBroken(csvFault(quotes.code, at, quotes.column), record)
      giveUp(quotes.code, at, quotes.column)
    })
    made.on('error', (error) => {
      failed = error
    })
    return made
  }
  /** Takes apart what waits, in small pieces: what has come of a record is looked at between them, and others go on. */
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
    // The first lines show what separates the cells; without an end they are one long line.
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
