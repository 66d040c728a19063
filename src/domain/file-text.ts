/** What the first bytes of a file say that it is, whatever its name. */
export type FileKind = 'text' | 'xlsx' | 'xls' | 'pdf' | 'gzip'

/** How the bytes of a text file are read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const begins = (bytes: Uint8Array, ...with_: readonly number[]): boolean => with_.every((byte, at) => bytes[at] === byte)

/** What a file is by its first bytes. */
export function fileKindOf(bytes: Uint8Array): FileKind {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04) || begins(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'xlsx'
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return 'xls'
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) return 'pdf'
  return begins(bytes, 0x1f, 0x8b) ? 'gzip' : 'text'
}

/** What is said of a file that is not what its name says; null where it is. */
export function judgeFileKind(name: string, kind: FileKind): string | null {
  const xlsx = /\.xlsx$/i.test(name)
  if (kind === 'xls') return 'This is a workbook of an old kind. Save it as .xlsx or .csv.'
  if (kind === 'pdf') return 'This is a PDF. A file has to be .csv or .xlsx.'
  if (kind === 'gzip') return 'This file is compressed. Unpack it first.'
  if (kind === 'xlsx')
    return xlsx ? null : 'This is a workbook (.xlsx), though its name says .csv. Rename it, or save it as .csv.'
  return xlsx ? 'This is no workbook, though its name says .xlsx. It looks like text: rename it to .csv.' : null
}

/** How a text is written: by its mark; without one it has to be UTF-8. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (begins(bytes, 0xff, 0xfe)) return 'utf-16le'
  return begins(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8'
}

/** Where a text cannot be read: line and column counted from 1. */
export class Unreadable extends Error {
  readonly line: number
  readonly column: number | null
  constructor(message: string, line: number, column: number | null = null) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** A column by its number, where its header is not known. */
export const placeOf = (column: number | null): string | null => (column === null ? null : `column ${column}`)

const notUtf8 = 'The text is not UTF-8. Save the file as “CSV UTF-8”.'
const binary = 'The file has bytes that are no text. Save it as “CSV UTF-8”.'

/** Turns the bytes of a text file into text, piece by piece. Throws `Unreadable` at the first byte that is none, with its place. */
export function textReader(encoding: Encoding): (bytes: Uint8Array, last: boolean) => string {
  const decoder = new TextDecoder(encoding)
  let line = 1
  let column = 1
  return (bytes, last) => {
    const text = decoder.decode(bytes, { stream: !last })
    // The sign that stands for what could not be read may be in the file itself, which is rare enough to be refused, too.
    const places = ['\ufffd', '\0'].map((sign) => text.indexOf(sign)).filter((at) => at >= 0)
    const wrong = places.length > 0 ? Math.min(...places) : -1
    const read = wrong < 0 ? text : text.slice(0, wrong)
    const breaks = read.match(/\r\n|[\n\r]/g)?.length ?? 0
    const lastBreak = Math.max(read.lastIndexOf('\n'), read.lastIndexOf('\r'))
    line += breaks
    column = breaks > 0 ? read.length - lastBreak : column + read.length
    if (wrong >= 0) throw new Unreadable(text[wrong] === '\0' ? binary : notUtf8, line, column)
    return text
  }
}

/** What separates the cells of a text: of the usual ones, the one that its first line has most of. */
export function separatorOf(firstLine: string): string {
  const outside = firstLine.replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t', '|'].map((sign) => [sign, outside.split(sign).length] as const)
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

/** A line, or a record over several of them, has at most so many characters, the separators and quotes included. */
export const longestRecord = 1_000_000
/** And so many cells, which is how many columns a spreadsheet has. */
export const mostCells = 16_384

/** How the lines of a text are taken apart, in the words of the library that does it, here and on the server. */
export const csvOptions = (separator: string) => ({
  bom: true,
  delimiter: separator,
  // All three, so that a file may have them mixed.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // What stands in the wrong place is judged below by the text of its line.
  relax_quotes: true,
  raw: true as const,
  // A quote that never ends would be one endless cell. It counts what stands in cells, and no separators (D460).
  max_record_size: longestRecord,
})

/** What is wrong with the quotes of a line, and in which cell, counted from 1. */
export interface QuoteFault {
  code: string
  column: number
}

/**
 * What is wrong with the quotes of a record; null where they are in order. Quotes in pairs inside of a cell without any around it
 * are a nickname that a payroll system wrote as it was typed: nothing else can be meant. Whatever else stands in the wrong
 * place may have moved the cells behind it. The library tells neither, so a cell is looked for as it would have been written.
 */
export function quoteFault(cells: readonly string[], raw: string): QuoteFault | null {
  // Cells stand in their order: looking for each from the beginning would take as long as the square of a line.
  let from = 0
  for (const [at, cell] of cells.entries()) {
    if (!cell.includes('"')) continue
    const begins = cell.startsWith('"')
    if (!begins && cell.split('"').length % 2 === 1) continue
    const written = `"${cell.replaceAll('"', '""')}"`
    const found = raw.indexOf(written, from)
    if (found < 0) return { code: begins ? 'CSV_INVALID_CLOSING_QUOTE' : 'INVALID_OPENING_QUOTE', column: at + 1 }
    from = found + written.length
  }
  return null
}

/** What is said of a text that cannot be taken apart; `line` is the one that the record begins in. */
export function csvFault(code: string, line: number, column: number | null): Unreadable {
  const why: Record<string, string> = {
    CSV_QUOTE_NOT_CLOSED: 'A quote is opened here and never closed.',
    CSV_MAX_RECORD_SIZE: 'The line has over 1,000,000 characters. Is a quote opened in it that is never closed?',
    TOO_MANY_CELLS: 'The line has over 16,384 cells, more than a spreadsheet has columns.',
    CSV_INVALID_CLOSING_QUOTE: 'Something stands behind a closing quote. A quote inside of a cell is written twice.',
    INVALID_OPENING_QUOTE: 'A quote stands inside of a cell without a second one. Does the cell lack one at its beginning?',
  }
  return new Unreadable(why[code] ?? 'The line cannot be read.', line, column)
}
