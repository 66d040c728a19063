import { strToU8, unzipSync, zipSync } from 'fflate'
import { readSheet } from 'read-excel-file/universal'
import { maxRecordLength, Unreadable } from '#domain/file-text.ts'
import { wholeNumber } from '#domain/text.ts'
import { cellWriter, packCells, unpackCell } from '#domain/workbook-cells.ts'
import { headOfSheet, lettersOf, maxOtherSheets, type SheetHead, type SheetNotes, visibleSheet } from '#domain/workbook-sheets.ts'

/** Bytes that the parts of a workbook may come to when they are unpacked. */
const maxUnpacked = 100 * 1024 * 1024
const maxParts = 2_000

const damaged = 'The workbook is damaged. Open it in a spreadsheet program and save it again.'

/**
 * The parts of a workbook that its reader wants, unpacked here: what they come to is known before the first byte is unpacked,
 * and no more than that is. The reader itself would start workers from text, which the portal's policy does not let it.
 */
function unpacked(bytes: Uint8Array): Record<string, Uint8Array> {
  let size = 0
  let parts = 0
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        parts += 1
        if (!/\.xml(\.rels)?$/.test(name)) return false
        size += originalSize
        if (size > maxUnpacked || parts > maxParts)
          throw new Unreadable('The workbook is too large when it is unpacked. Save its first sheet as .csv.', 1)
        return true
      },
    })
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(damaged, 1)
  }
}

/** Characters that the cells of a sheet may come to: a text that stands in a workbook once may be in any number of cells. */
const maxCharacters = 100_000_000

/** The cells as a .csv file would have them. Throws `Unreadable` where a line, or all of them, have more text than one may. */
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

/** Lines that a spreadsheet has at most. */
const maxLines = 1_048_576
/** Cells that a sheet may come to: the reader makes one for each line and column as far as the last that has something. */
const maxCells = 10_000_000

/** A cell that does not say where it is. */
const unplaced = /<(?:[\w.-]+:)?c(?=[\s/>])(?![^<]*[\s:"']r\s*=)/

/** A row or a cell of a sheet, up to the next tag: an attribute may have a sign that ends one. */
const placed = /<((?:[\w.-]+:)?(?:row|c))(?=[\s/>])([^<]*)/g
const placeIn = (tag: string): string | undefined => /[\s:"']r\s*=\s*(["'])(.*?)\1/s.exec(tag)?.[2]
const columnOf = (letters: string): number => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

/**
 * A sheet whose cells say where they are. They need not: a row without a number is the one behind the row before it, and a cell without
 * a place the one behind the cell before it (ECMA-376, 18.3.1.4 and 18.3.1.73). The reader knows nothing of that.
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

/** What is wrong with a sheet that says to reach further than what it has could: a few bytes would otherwise become any number of cells. */
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

/** The one cell of what stands in the place of a sheet that reaches too far; its first sign is in no text. */
const placeOf = (at: number): string => `\ue000${at}`

/**
 * Rewrites the sheets for the reader: cells say where they are, and carry their kind and style along with their value. A sheet that
 * reaches too far is replaced by one of a single cell, since only the reader knows which part is the first sheet: the answer maps
 * the text of that cell to the refusal. The other sheets are not read at all, and may have anything anywhere.
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
 * What the reader answers while its clock stands. It takes a sheet in pieces, each inside of the one before, and halves them where
 * one took longer than a few milliseconds: on a busy machine it ran out of stack, and a good workbook seemed damaged. Where no time
 * passes it doubles them. The clock is that of the thread, which reads one sheet at a time and does nothing else.
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

/** The part whose name ends so, as text; empty where there is none. */
function partText(parts: Record<string, Uint8Array>, ending: string): string {
  const name = Object.keys(parts).find((each) => each.endsWith(ending))
  return name === undefined ? '' : new TextDecoder().decode(parts[name])
}

/** A sheet as it is read: its cells line by line, and what is hidden around it and in it. */
export interface SheetRead {
  lines: string[][]
  notes: SheetNotes
}

/**
 * Reads a sheet of a workbook, the first visible one unless `chosen` names another visible one, and the first lines of the other visible
 * ones; of a formula, its last result. Throws `Unreadable`.
 */
export async function readVisibleSheet(bytes: Uint8Array, chosen: string | null = null): Promise<SheetRead> {
  const parts = unpacked(bytes)
  const notes = visibleSheet(parts, chosen)
  const prepared = prepare(parts)
  const lines = await linesIn(prepared, notes.place)
  return { lines, notes: { ...notes, otherHeads: await headsOf(prepared, notes.otherSheets) } }
}

/** The cells of the first visible sheet of a workbook, line by line, as `cellWriter` writes them. Throws `Unreadable`. */
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

/** The first lines of some sheets; a sheet that cannot be read has none. */
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
  // Not compressed, so that the reader unpacks it without a worker.
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
