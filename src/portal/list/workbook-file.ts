import { strToU8, Zip, ZipDeflate } from 'fflate'

/** Maximum length of a cell, and of the name of a sheet. */
const maxCellLength = 32_767
const maxSheetName = 31
/** Number of rows written before yielding to the browser. */
const rowsAtOnce = 1_000
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A cell: text, which is never evaluated, or a number with its format; null if it is empty. */
export type WorkbookCell = { text: string } | { number: number; format: string } | null

/** Text escaped for XML and cut to the maximum length; `_x0041_`, which a workbook would decode, is escaped. */
const xml = (text: string): string =>
  text
    .toWellFormed()
    .slice(0, maxCellLength)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain these
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** The letters of a column from 0: `A`, `Z`, `AA`. */
const lettersOf = (at: number): string =>
  (at >= 26 ? lettersOf(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26))

/** Number formats as cell styles; styles 0 to 2 are plain, column header, and text. */
class Formats {
  readonly #ids = new Map<string, number>()

  styleOf(format: string): number {
    const known = this.#ids.get(format)
    if (known !== undefined) return known
    const style = this.#ids.size + 3
    this.#ids.set(format, style)
    return style
  }

  /** `xl/styles.xml`. Ids of custom formats start at 164; 49 is text. */
  toXml(): string {
    const formats = [...this.#ids].map(([code, style]) => `<numFmt numFmtId="${161 + style}" formatCode="${xml(code)}"/>`)
    const styles = [...this.#ids.values()].map((style) => `<xf numFmtId="${161 + style}" applyNumberFormat="1"/>`)
    return `${head}<styleSheet xmlns="${main}">${formats.length ? `<numFmts count="${formats.length}">${formats.join('')}</numFmts>` : ''}<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${styles.length + 3}"><xf/><xf numFmtId="49" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="49" applyNumberFormat="1"/>${styles.join('')}</cellXfs></styleSheet>`
  }
}

function rowXml(number: number, cells: readonly WorkbookCell[], formats: Formats, textStyle: number): string {
  const written = cells.map((cell, at) => {
    if (cell === null) return ''
    const place = `r="${lettersOf(at)}${number}"`
    return 'text' in cell
      ? `<c ${place} s="${textStyle}" t="inlineStr"><is><t xml:space="preserve">${xml(cell.text)}</t></is></c>`
      : `<c ${place} s="${formats.styleOf(cell.format)}"><v>${cell.number}</v></c>`
  })
  return `<row r="${number}">${written.join('')}</row>`
}

const others: Readonly<Record<string, (sheet: string) => string>> = {
  '[Content_Types].xml': () =>
    `${head}<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookType}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${workbookType}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${workbookType}.styles+xml"/></Types>`,
  '_rels/.rels': () =>
    `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': (sheet) =>
    `${head}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="${xml(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': () =>
    `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
}

/** Width of a column in characters: enough for its title and first cells, 10 to 50. */
function widthOf(title: string, rows: readonly (readonly WorkbookCell[])[], at: number): number {
  const lengths = rows.slice(0, 200).map((row) => {
    const cell = row[at] ?? null
    return cell && 'text' in cell ? cell.text.length : 12
  })
  return Math.min(50, Math.max(10, title.length + 2, ...lengths))
}

const pause = () => new Promise((resolve) => setTimeout(resolve))

/**
 * Writes a workbook of one sheet: a frozen row of titles, and the rows. It is compressed on the main thread, since the content
 * security policy allows no worker from a string, in chunks between which the page stays responsive.
 */
export async function workbookFile(
  name: string,
  titles: readonly string[],
  rows: readonly (readonly WorkbookCell[])[],
): Promise<BlobPart[]> {
  const parts: BlobPart[] = []
  const formats = new Formats()
  const zip = new Zip((error, data) => {
    if (error) throw error
    parts.push(data as Uint8Array<ArrayBuffer>)
  })
  const begin = (path: string): ZipDeflate => {
    const file = new ZipDeflate(path, { level: 6 })
    zip.add(file)
    return file
  }
  const sheetName = name.replace(/[\\/?*[\]:]/g, ' ').slice(0, maxSheetName)
  for (const [path, content] of Object.entries(others)) begin(path).push(strToU8(content(sheetName)), true)
  const sheet = begin('xl/worksheets/sheet1.xml')
  const widths = titles.map(
    (title, at) => `<col min="${at + 1}" max="${at + 1}" width="${widthOf(title, rows, at)}" customWidth="1"/>`,
  )
  sheet.push(
    strToU8(
      `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`,
    ),
  )
  const titleCells = titles.map((text) => ({ text }))
  sheet.push(strToU8(rowXml(1, titleCells, formats, 1)))
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const piece = rows.slice(from, from + rowsAtOnce).map((cells, at) => rowXml(from + at + 2, cells, formats, 2))
    sheet.push(strToU8(piece.join('')))
    await pause()
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  begin('xl/styles.xml').push(strToU8(formats.toXml()), true)
  zip.end()
  return parts
}
