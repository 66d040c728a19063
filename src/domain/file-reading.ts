import {
  csvFault,
  csvOptions,
  encodingOf,
  fileKindOf,
  judgeFileKind,
  longestRecord,
  mostCells,
  quoteFault,
  separatorOf,
  textReader,
  Unreadable,
} from '#domain/file-text.ts'

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
  /** The cells of the first sheet of a workbook, whose bytes are all there. */
  sheet: (bytes: Uint8Array) => Promise<string[][]>
  /** Lets go on what else is to be done, between a few lines and the next ones. */
  pause?: () => Promise<unknown>
}

/** Gets the cells of a line and its number, counted from 1; answers false where no further one is wanted. */
export type OnLine = (cells: string[], line: number) => boolean

/** Gets what is wrong with a line that cannot be taken apart, and its cells as far as they can be told. */
export type OnBroken = (fault: Unreadable, cells: string[]) => void

/** A workbook is at most so large: all of it has to be there at once. */
export const largestWorkbook = 25 * 1024 * 1024

/** Characters of a text that are taken apart in one go, and lines of a workbook. */
const atOnce = { characters: 4_096, lines: 200 }

const breaks = /\r\n|[\n\r]/g
const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => (/[\n\r]/.test(cell) ? sum + (cell.match(breaks)?.length ?? 0) : sum), 0)

/**
 * Reads the lines of a .csv or .xlsx file one after the other, in bounded memory; one whose quotes are not in order is told as
 * broken. Throws `Unreadable`, with line and column, where the file is not what its name says, not text, or cannot be taken apart.
 */
export async function readLines(parts: FileParts, onLine: OnLine, onBroken: OnBroken): Promise<void> {
  const { name, chunks } = parts
  const pieces = chunks[Symbol.asyncIterator]()
  const first = await pieces.next()
  const bytes = first.done ? new Uint8Array() : first.value
  const kind = fileKindOf(bytes)
  const wrong = judgeFileKind(name, kind)
  if (wrong) throw new Unreadable(wrong, 1)
  const rest = { [Symbol.asyncIterator]: () => pieces }
  if (kind === 'xlsx') return readSheet(bytes, rest, parts, onLine)
  await readText(bytes, rest, parts, onLine, onBroken)
}

async function readSheet(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { sheet, pause }: FileParts,
  onLine: OnLine,
): Promise<void> {
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
  for (const [place, cells] of (await sheet(whole)).entries()) {
    if (!onLine(cells, place + 1)) return
    if (place % atOnce.lines === atOnce.lines - 1) await pause?.()
  }
}

/** The characters of a text from a place on that are taken apart next; a sign of two halves stays whole. */
function pieceFrom(text: string, at: number): string {
  const end = at + atOnce.characters
  const last = text.charCodeAt(end - 1)
  return text.slice(at, last >= 0xd800 && last < 0xdc00 ? end + 1 : end)
}

async function readText(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { parser: makeParser, pause }: FileParts,
  onLine: OnLine,
  onBroken: OnBroken,
): Promise<void> {
  const decode = textReader(encodingOf(first))
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
    const made = makeParser(csvOptions(separatorOf(waiting.split(/[\n\r]/, 1)[0] ?? '')))
    made.on('data', ({ record, raw }) => {
      open = 0
      if (!wanted) return
      const at = line
      const inside = breaksIn(record)
      line += 1 + inside
      if (record.length > mostCells) return giveUp('TOO_MANY_CELLS', at)
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
      const piece = pieceFrom(text, at)
      at += piece.length
      open += piece.length
      await new Promise<void>((resolve) => into.write(piece, () => resolve()))
      await pause?.()
      if (open > longestRecord && wanted && !failed) giveUp('CSV_MAX_RECORD_SIZE', line)
    }
    return wanted && !failed
  }
  const feed = async (text: string): Promise<boolean> => {
    waiting += text
    // The first line says what separates the cells; without an end it is one long line.
    if (!parser && !/[\n\r]/.test(waiting) && waiting.length < longestRecord) return true
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
    if (!parser && waiting === '') return
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
}
