import { strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { maxRecordLength, Unreadable } from '#domain/file-text.ts'
import { wholeNumber } from '#domain/text.ts'
import { cellWriter, packCells, unpackCell } from '#domain/workbook-cells.ts'
import { headOfSheet, lettersOf, maxOtherSheets, type SheetHead, type SheetNotes, visibleSheet } from '#domain/workbook-sheets.ts'

/** Maximum unpacked size of a workbook's parts, in bytes. */
const maxUnpacked = 100 * 1024 * 1024
const maxParts = 2_000

const damaged = 'The workbook is damaged. Open it in a spreadsheet program and save it again.'

const declaring =
  'The workbook defines texts outside of its cells, which spreadsheet programs never do. Open it in one and save it again.'

/** Whether a part has a document type: workbooks must not, and the names of texts that it defines would be read as text. */
const declaresType = (part: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(part.subarray(0, 4_096)).includes('<!DOCTYPE')

/**
 * Unpacks the parts of a workbook that its reader needs. The total size is checked before anything is unpacked. The reader
 * itself would start workers from strings, which the portal's content security policy forbids.
 */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  let size = 0
  let parts = 0
  try {
    const found = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        parts += 1
        if (!/\.xml(\.rels)?$/.test(name)) return false
        size += originalSize
        if (size > maxUnpacked || parts > maxParts)
          throw new Unreadable('The workbook is too large when it is unpacked. Save its first sheet as .csv.', 1)
        return true
      },
    })
    if (Object.values(found).some(declaresType)) throw new Unreadable(declaring, 1)
    return found
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(damaged, 1)
  }
}

/** Maximum number of characters in the cells of a sheet: a text stored once in a workbook may be used by any number of cells. */
const maxCharacters = 100_000_000

/** The cells as in a .csv file. Throws `Unreadable` if a line, or the whole sheet, exceeds the maximum length. */
function linesOf(sheet: readonly (readonly unknown[])[]): string[][] {
  let all = 0
  return sheet.map((cells, at) => {
    let length = 0
    const texts = cells.map((cell) => {
      const text = typeof cell === 'string' ? cell : ''
      length += text.length
      return text
    })
    all += length
    if (length > maxRecordLength) throw new Unreadable('The line has over 1,000,000 characters.', at + 1)
    if (all > maxCharacters)
      throw new Unreadable('The cells down to this line have over 100,000,000 characters. Import the table in parts.', at + 1)
    return texts
  })
}

/** Maximum number of lines in a spreadsheet. */
const maxLines = 1_048_576
/** Maximum number of cells of a sheet: the reader creates one for each row and column up to the last non-empty one. */
const maxCells = 10_000_000

/** A cell without a reference. */
const unplaced = /<(?:[\w.-]+:)?c(?=[\s/>])(?![^<]*[\s:"']r\s*=)/

/** A row or cell tag up to the next tag, since attributes may contain `>`. */
const placed = /<((?:[\w.-]+:)?(?:row|c))(?=[\s/>])([^<]*)/g
const placeIn = (tag: string): string | undefined => /[\s:"']r\s*=\s*(["'])(.*?)\1/s.exec(tag)?.[2]
const columnOf = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/**
 * Adds references to rows and cells that lack them, which is allowed: a row without a number follows the previous row, a cell
 * without a reference follows the previous cell (ECMA-376, 18.3.1.4 and 18.3.1.73). The reader does not support that.
 */
function withPlaces(text: string): string {
  let [line, column] = [0, 0]
  return text.replace(placed, (tag: string, name: string, rest: string) => {
    const at = placeIn(tag)
    if (name.endsWith('row')) {
      line = at === undefined ? line + 1 : Number(at)
      column = 0
      return at === undefined ? `<${name} r="${line}"${rest}` : tag
    }
    column = at === undefined ? column + 1 : columnOf(at.replace(/\d+$/, ''))
    return at === undefined ? `<${name} r="${lettersOf(column)}${line}"${rest}` : tag
  })
}

/** The error for a sheet whose references reach beyond any plausible size: a few bytes would otherwise create any number of cells. */
function validateReach(text: string): Unreadable | null {
  let [line, column] = [1, 1]
  for (const [tag] of text.matchAll(placed)) {
    const at = placeIn(tag)
    if (at === undefined) continue
    const [, letters, number] = /^([A-Z]{0,3})(\d{1,7})$/.exec(at) ?? []
    if (letters === undefined) return new Unreadable(damaged, 1)
    line = Math.max(line, Number(number))
    column = Math.max(column, columnOf(letters))
  }
  if (line <= maxLines && line * column <= maxCells) return null
  return new Unreadable(
    `The sheet reaches to line ${wholeNumber(line)} and column ${lettersOf(column)}. Delete what is outside of the table, or save it as .csv.`,
    line,
    column,
  )
}

/** The only cell of the placeholder for a sheet that reaches too far; its first character occurs in no text. */
const placeOf = (at: number): string => `\ue000${at}`

/**
 * Prepares the sheets for the reader: adds references, and packs kind and style into the value. A sheet that reaches too far is
 * replaced by a placeholder of one cell, since only the reader knows which part is the first sheet: the returned map has the
 * error by the text of that cell. The other sheets are not read and may contain anything.
 */
function prepareSheets(parts: Record<string, Uint8Array>) {
  const decoder = new TextDecoder('latin1')
  const refused = new Map<string, Unreadable>()
  for (const [name, part] of Object.entries(parts)) {
    const read = decoder.decode(part)
    if (!read.includes('sheetData')) continue
    const text = unplaced.test(read) ? withPlaces(read) : read
    const wrong = validateReach(text)
    if (!wrong) {
      const sheet = new TextDecoder().decode(part)
      parts[name] = strToU8(packCells(text === read ? sheet : withPlaces(sheet)))
      continue
    }
    const place = placeOf(refused.size)
    refused.set(place, wrong)
    parts[name] = strToU8(
      `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${place}</t></is></c></row></sheetData></worksheet>`,
    )
  }
  return refused
}

let reading: Promise<unknown> = Promise.resolve()

/**
 * Runs the reader with a stopped clock. It reads a sheet in nested chunks and halves their size if one took longer than a few
 * milliseconds: on a busy machine it ran out of stack, and a valid workbook seemed damaged. If no time passes it doubles the
 * size. The clock belongs to the thread, which reads one sheet at a time and does nothing else.
 */
function inOnePass<Answer>(read: () => Promise<Answer>): Promise<Answer> {
  const next = reading.then(async () => {
    const { now } = Date
    const began = now()
    Date.now = () => began
    try {
      return await read()
    } finally {
      Date.now = now
    }
  })
  reading = next.catch(() => undefined)
  return next
}

/** The part whose name ends like this, as text; empty if there is none. */
function partText(parts: Record<string, Uint8Array>, ending: string): string {
  const name = Object.keys(parts).find((each) => each.endsWith(ending))
  return name === undefined ? '' : new TextDecoder().decode(parts[name])
}

/** A sheet that was read: its cells line by line, and what is hidden around and in it. */
export interface SheetRead {
  lines: string[][]
  notes: SheetNotes
}

/**
 * Reads a sheet of a workbook, the first visible one unless `chosen` names another visible one, and the first lines of the
 * other visible ones; formulas have their last result. Throws `Unreadable`.
 */
export async function readVisibleSheet(bytes: Uint8Array, chosen: string | null = null): Promise<SheetRead> {
  const parts = unpacked(bytes)
  const notes = visibleSheet(parts, chosen)
  const prepared = prepare(parts)
  const lines = await linesIn(prepared, notes.place)
  return { lines, notes: { ...notes, otherHeads: await headsOf(prepared, notes.otherSheets) } }
}

/** The cells of the first visible sheet of a workbook, line by line, as formatted by `cellWriter`. Throws `Unreadable`. */
export const sheetLines = async (bytes: Uint8Array): Promise<string[][]> => (await readVisibleSheet(bytes)).lines

interface Prepared {
  parts: Record<string, Uint8Array>
  textOf: ReturnType<typeof cellWriter>
  refused: ReadonlyMap<string, Unreadable>
}

function prepare(parts: Record<string, Uint8Array>): Prepared {
  const textOf = cellWriter(partText(parts, 'styles.xml'), partText(parts, 'xl/workbook.xml'))
  return { parts, textOf, refused: prepareSheets(parts) }
}

/** The first lines of some sheets; empty for a sheet that cannot be read. */
async function headsOf(prepared: Prepared, names: readonly string[]): Promise<SheetHead[]> {
  if (names.length === 0) return []
  const parts = Object.fromEntries(
    Object.entries(prepared.parts).map(([name, part]) => [
      name,
      /worksheets\//.test(name) ? strToU8(headOfSheet(new TextDecoder().decode(part))) : part,
    ]),
  )
  const heads: SheetHead[] = []
  for (const name of names.slice(0, maxOtherSheets)) {
    const { place } = visibleSheet(parts, name)
    heads.push({ name, lines: await linesIn({ ...prepared, parts }, place).catch(() => []) })
  }
  return heads
}

async function linesIn({ parts, textOf, refused }: Prepared, place: number): Promise<string[][]> {
  // Uncompressed, so that the reader unpacks it without a worker.
  const plain = zipSync(parts, { level: 0 })
  const sheet = await inOnePass(() =>
    readSheet(plain.slice().buffer, place, {
      parseNumber: (text: string) => {
        const { kind, style, kept } = unpackCell(text)
        return textOf(kind, style, kept)
      },
      trim: true,
    }),
  ).catch(() => {
    throw new Unreadable(damaged, 1)
  })
  const wrong = refused.get(String(sheet[0]?.[0]))
  if (wrong) throw wrong
  return linesOf(sheet)
}
