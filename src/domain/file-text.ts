/** Type of a file by its first bytes, whatever its name. */
export type FileKind = 'text' | 'xlsx' | 'zip' | 'xls' | 'pdf' | 'gzip' | 'web page'

/** Encoding of a text file, by the names that `TextDecoder` knows; it does not support `ibm850`. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-15' | ForeignEncoding

/** Encodings that only a person can choose: nothing but the meaning of the text distinguishes them from Windows-1252. */
const foreignEncodings = ['macintosh', 'ibm850', 'windows-1250'] as const
type ForeignEncoding = (typeof foreignEncodings)[number]
/** Whether a text is the name of such an encoding. */
export const isForeignEncoding = (text: string): text is ForeignEncoding => foreignEncodings.some((one) => one === text)

/** Labels for people. */
export const encodingLabels: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'iso-8859-15': 'Latin-9 (ISO 8859-15)',
  macintosh: 'Mac Roman',
  ibm850: 'DOS (code page 850)',
  'windows-1250': 'Windows-1250 (Central Europe)',
}

/** The characters of code page 850 from byte 0x80 on. */
const signs850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

interface Signs {
  /** Characters from byte 0x80 on. */
  signs: readonly string[]
  byteOf: ReadonlyMap<string, number>
}
const knownSigns = new Map<Encoding, Signs>()

/** The characters of a single-byte encoding. */
export function signsOf(encoding: Encoding): Signs {
  const known = knownSigns.get(encoding)
  if (known) return known
  const bytes = Uint8Array.from({ length: 0x80 }, (_, at) => 0x80 + at)
  const signs = [...(encoding === 'ibm850' ? signs850 : new TextDecoder(encoding).decode(bytes))]
  const made = { signs, byteOf: new Map(signs.map((sign, at) => [sign, 0x80 + at] as const)) }
  knownSigns.set(encoding, made)
  return made
}

/** Decodes a text in chunks. */
function decoderOf(encoding: Encoding): (bytes: Uint8Array, last: boolean) => string {
  if (encoding === 'ibm850') {
    const { signs } = signsOf(encoding)
    const signOf = (byte: number): string => (byte < 0x80 ? String.fromCharCode(byte) : (signs[byte - 0x80] as string))
    return (bytes) => Array.from(bytes, signOf).join('')
  }
  const decoder = new TextDecoder(encoding)
  return (bytes, last) => decoder.decode(bytes, { stream: !last })
}

const begins = (bytes: Uint8Array, ...with_: readonly number[]): boolean => with_.every((byte, at) => bytes[at] === byte)

/** Possible names of the first part in a workbook's archive. */
const workbookPart = /^(?:\[Content_Types\]\.xml$|_rels\/|docProps\/|xl\/|customXml\/)/i

/** Whether a zip archive is not a workbook, by the name of its first part, whose position and length are fixed. */
function isOtherArchive(bytes: Uint8Array): boolean {
  const length = (bytes[26] ?? 0) + (bytes[27] ?? 0) * 256
  const name = new TextDecoder().decode(bytes.subarray(30, 30 + length))
  return length > 0 && bytes.length >= 30 + length && !workbookPart.test(name)
}

/** Beginning of web pages, and of workbooks saved as web page or XML. */
const webPage = /^\ufeff?\s*<(?:!doctype|html|table|meta|\?xml|\?mso|workbook)/i

/** Detects the type of a file by its first bytes. */
export function fileKindOf(bytes: Uint8Array): FileKind {
  if (begins(bytes, 0x50, 0x4b, 0x03, 0x04)) return isOtherArchive(bytes) ? 'zip' : 'xlsx'
  if (begins(bytes, 0x50, 0x4b, 0x05, 0x06)) return 'zip'
  if (webPage.test(new TextDecoder().decode(bytes.subarray(0, 200)))) return 'web page'
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return 'xls'
  if (begins(bytes, 0x25, 0x50, 0x44, 0x46)) return 'pdf'
  return begins(bytes, 0x1f, 0x8b) ? 'gzip' : 'text'
}

/** The error if the type of a file does not match its name; else null. */
export function validateFileKind(name: string, kind: FileKind): string | null {
  const xlsx = /\.xlsx$/i.test(name)
  if (kind === 'xls')
    return 'This is a workbook of an old kind, or one with a password. Save it as .xlsx without a password, or as .csv.'
  if (kind === 'zip') return 'This is a zip archive. Unpack it, and send the .csv or .xlsx file in it.'
  if (kind === 'web page')
    return 'This is a web page or XML, whatever its name says. Open it in a spreadsheet program and save it as .xlsx or .csv.'
  if (kind === 'pdf') return 'This is a PDF. A file has to be .csv or .xlsx.'
  if (kind === 'gzip') return 'This file is compressed. Unpack it first.'
  if (kind === 'xlsx')
    return xlsx ? null : 'This is a workbook (.xlsx), though its name says .csv. Rename it, or save it as .csv.'
  return xlsx ? 'This is no workbook, though its name says .xlsx. It looks like text: rename it to .csv.' : null
}

/** The encoding by the first bytes of a text: by its byte order mark, or by the zero bytes that UTF-16 has beside Latin letters. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (begins(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (begins(bytes, 0xfe, 0xff)) return 'utf-16be'
  const pairs = Math.min(bytes.length >> 1, 500)
  if (pairs < 2) return 'utf-8'
  const zeros = [0, 0]
  for (let at = 0; at < pairs * 2; at += 1) if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even === 0 && odd * 2 > pairs) return 'utf-16le'
  return odd === 0 && even * 2 > pairs ? 'utf-16be' : 'utf-8'
}

/** Bytes without a character in Windows-1252. */
const noSign = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d])
/** Bytes that are letters in Latin-9 and other characters in Windows-1252: Š š Ž ž Œ œ Ÿ. */
const latin9Letters = new Set([0xa6, 0xa8, 0xb4, 0xb8, 0xbc, 0xbd, 0xbe])
/** The acute accent of Windows-1252 is one of them, and is often typed as an apostrophe: O´Brien. */
const acute = 0xb4
const isSmall = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0xdf && byte !== 0xf7)
const isLetter = (byte: number): boolean =>
  isSmall(byte) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7)

function isAscii(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) >= 0x80) return false
  return true
}

/**
 * Detects the encoding of a text from all of its bytes, which `see` takes in chunks. A text that is not valid UTF-8 is
 * Windows-1252 or Latin-9, unless some of its letters are UTF-8: such a text is damaged, and any other encoding would garble
 * it.
 */
export function encodingFinder() {
  let known: Encoding | null = null
  let isUtf8 = true
  let hasUtf8Letters = false
  let hasUnknown = false
  let hasWindowsSigns = false
  let hasLatin9Letters = false
  /** Number of continuation bytes still expected, and the minimum of the next one. */
  let lacking = 0
  let [low, high] = [0x80, 0xbf]
  let [beforeThat, before] = [0, 0]

  const seeUtf8 = (byte: number): void => {
    if (lacking > 0) {
      if (byte < low || byte > high) {
        isUtf8 = false
        lacking = 0
      } else {
        lacking -= 1
        if (lacking === 0) hasUtf8Letters = true
      }
      low = 0x80
      high = 0xbf
      return
    }
    if (byte < 0x80) return
    lacking = byte >= 0xc2 && byte <= 0xdf ? 1 : byte >= 0xe0 && byte <= 0xef ? 2 : byte >= 0xf0 && byte <= 0xf4 ? 3 : 0
    if (lacking === 0) isUtf8 = false
    low = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80
    high = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf
  }

  const see = (bytes: Uint8Array): void => {
    known ??= encodingOf(bytes)
    if (known !== 'utf-8') return
    // Fast path: most texts are ASCII, of which only the last two bytes can affect what follows.
    if (lacking === 0 && before < 0x80 && bytes.length >= 2 && isAscii(bytes)) {
      ;[beforeThat, before] = [bytes.at(-2) as number, bytes.at(-1) as number]
      return
    }
    for (const byte of bytes) {
      if (byte >= 0x80 || lacking > 0) seeUtf8(byte)
      if (noSign.has(byte)) hasUnknown = true
      else if (byte >= 0x80 && byte < 0xa0) hasWindowsSigns = true
      else if (byte !== acute && latin9Letters.has(byte) && isLetter(before)) hasLatin9Letters = true
      if (latin9Letters.has(before) && isSmall(byte) && !isLetter(beforeThat)) hasLatin9Letters = true
      beforeThat = before
      before = byte
    }
  }

  const encoding = (): Encoding => {
    if (known !== 'utf-8') return known ?? 'utf-8'
    if ((isUtf8 && lacking === 0) || hasUtf8Letters || hasUnknown) return 'utf-8'
    return hasLatin9Letters && !hasWindowsSigns ? 'iso-8859-15' : 'windows-1252'
  }
  return { see, encoding }
}

/** Why and where a text cannot be read: line and column from 1. */
export class Unreadable extends Error {
  readonly line: number
  readonly column: number | null
  constructor(message: string, line: number, column: number | null = null) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** A column by its number, if its header is unknown. */
export const placeOf = (column: number | null): string | null => (column === null ? null : `column ${column}`)

const notUtf8 = 'The text is not UTF-8. Save the file as “CSV UTF-8”.'
const binary = 'The file has bytes that are no text. Save it as “CSV UTF-8”.'

/** Decodes the bytes of a text file in chunks. Throws `Unreadable` with the position of the first invalid byte. */
export function textReader(encoding: Encoding): (bytes: Uint8Array, last: boolean) => string {
  const decode = decoderOf(encoding)
  let line = 1
  let column = 1
  return (bytes, last) => {
    const text = decode(bytes, last)
    // The file itself may contain the replacement character; that is rare enough to be rejected as well.
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

const separators = [',', ';', '\t', '|'] as const

/** The most frequent number of a non-empty list; on a tie the largest. */
function modeOf(numbers: readonly number[]): { value: number; count: number } {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .reduce((best, next) => (next.count > best.count || (next.count === best.count && next.value > best.value) ? next : best))
}

/**
 * The cell separator of a text, by its first lines: the character that occurs equally often in the header line and most other
 * lines, else the one by which most lines have most cells. A title above the headers, or a decimal comma below them, is
 * outvoted.
 */
export function separatorOf(lines: readonly string[]): string {
  const bare = lines.filter((line) => line.trim() !== '').map((line) => line.replace(/"[^"]*"?/g, ''))
  const scored = separators.map((sign) => {
    const counts = bare.map((line) => line.split(sign).length - 1)
    const used = counts.filter((count) => count > 0)
    const { value, count } = used.length > 0 ? modeOf(used) : { value: 0, count: 0 }
    const agrees = value > 0 && counts[0] === value && count * 2 >= bare.length
    return { sign, score: value * count, agrees }
  })
  const agreeing = scored.filter(({ agrees }) => agrees)
  return (agreeing.length > 0 ? agreeing : scored).reduce((best, next) => (next.score > best.score ? next : best)).sign
}

/** The separator declared in a first line as spreadsheet programs write it, `sep=;`; null for any other line. */
export const namedSeparator = (line: string): string | null => /^\ufeff?"?sep=([^"])"?$/i.exec(line)?.[1] ?? null

/** Maximum length of a line, or a record over several lines, in characters, including separators and quotes. */
export const maxRecordLength = 1_000_000
/** Maximum number of cells; the number of columns of a spreadsheet. */
export const maxCells = 16_384

/** Options of the parser library, here and on the server. */
export const csvOptions = (separator: string) => ({
  bom: true,
  delimiter: separator,
  // All three, so that a file may mix them.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  // Misplaced quotes are checked below, with the text of the line.
  relax_quotes: true,
  raw: true as const,
  // An unclosed quote would be one endless cell. The limit counts the characters of cells without separators.
  max_record_size: maxRecordLength,
})

/** The error in the quotes of a line, and the number of the cell, from 1. */
export interface QuoteFault {
  code: string
  column: number
}

/**
 * The error in the quotes of a record; null if they are well-formed. Paired quotes inside an unquoted cell are a nickname that
 * a payroll system did not escape, which is unambiguous. Any other misplaced quote may have shifted the cells after it. The
 * library reports neither, so each cell is searched for in the form it would have been written in.
 */
export function quoteFault(cells: readonly string[], raw: string): QuoteFault | null {
  // Cells are in order: searching for each from the beginning would be quadratic in the length of the line.
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

/** The error for a text that cannot be parsed; `line` is where the record starts. */
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
