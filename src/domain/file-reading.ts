import { CsvReader, type MakeParser, type OnBroken, type OnLine } from '#domain/csv-lines.ts'
import { encodingOf, fileKindOf, judgeFileKind, separatorOf, textReader, Unreadable } from '#domain/file-text.ts'

/** The parts of a file that the environment brings. */
export interface FileParts {
  name: string
  /** The bytes, piece by piece. */
  chunks: AsyncIterable<Uint8Array>
  parser: MakeParser
  /** The cells of the first sheet of a workbook, whose bytes are all there. */
  sheet: (bytes: Uint8Array) => Promise<string[][]>
}

/** A workbook is at most so large: all of it has to be there at once. */
export const largestWorkbook = 25 * 1024 * 1024

/**
 * Reads the lines of a .csv or .xlsx file one after the other, in bounded memory; one whose quotes are not in order is told as
 * broken. Throws `Unreadable`, with line and column, where the file is not what its name says, not text, or cannot be taken apart.
 */
export async function readLines({ name, chunks, parser, sheet }: FileParts, onLine: OnLine, onBroken: OnBroken): Promise<void> {
  const pieces = chunks[Symbol.asyncIterator]()
  const first = await pieces.next()
  const bytes = first.done ? new Uint8Array() : first.value
  const kind = fileKindOf(bytes)
  const wrong = judgeFileKind(name, kind)
  if (wrong) throw new Unreadable(wrong, 1)
  const rest = { [Symbol.asyncIterator]: () => pieces }
  if (kind === 'xlsx') return readSheet(bytes, rest, sheet, onLine)
  await readText(bytes, rest, (separator) => new CsvReader(separator, parser, onLine, onBroken))
}

async function readSheet(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  sheet: FileParts['sheet'],
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
  for (const [place, cells] of (await sheet(whole)).entries()) if (!onLine(cells, place + 1)) return
}

async function readText(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  readerFor: (separator: string) => CsvReader,
): Promise<void> {
  const decode = textReader(encodingOf(first))
  let waiting = ''
  let reader: CsvReader | null = null
  const begin = () => readerFor(separatorOf(waiting.split(/[\n\r]/, 1)[0] ?? ''))
  const feed = async (text: string): Promise<boolean> => {
    waiting += text
    // The first line says what separates the cells; without an end it is one long line.
    if (!reader && !/[\n\r]/.test(waiting) && waiting.length < 1_000_000) return true
    reader ??= begin()
    const now = waiting
    waiting = ''
    return reader.read(now)
  }
  if (!(await feed(decode(first, false)))) return
  for await (const part of rest) if (!(await feed(decode(part, false)))) return
  waiting += decode(new Uint8Array(), true)
  if (!reader && waiting === '') return
  const last = (reader as CsvReader | null) ?? begin()
  if (await last.read(waiting)) await last.end()
}
