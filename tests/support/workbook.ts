import { strFromU8, strToU8, type Zippable, zipSync } from 'fflate'

const sheetMime = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const rels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A cell of the sheet; a string stands for text. */
export type Cell = string | { number: number; date?: true; formula?: string }

const cellXml = (cell: Cell, at: string): string => {
  if (typeof cell === 'string')
    return `<c r="${at}" t="inlineStr"><is><t>${cell.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;'))}</t></is></c>`
  const formula = cell.formula ? `<f>${cell.formula}</f>` : ''
  return `<c r="${at}"${cell.date ? ' s="1"' : ''}>${formula}<v>${cell.number}</v></c>`
}

/** The parts of a workbook with one sheet. */
export function workbookParts(rows: readonly (readonly Cell[])[]): Zippable {
  const lines = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${row + 1}`)).join('')}</row>`,
  )
  const parts: Record<string, string> = {
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetMime}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${sheetMime}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${sheetMime}.styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rels}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${rels}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rels}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${rels}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
  }
  return Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))
}

/** A workbook with one sheet, as bytes. */
export const workbook = (rows: readonly (readonly Cell[])[]): Uint8Array => zipSync(workbookParts(rows))

/** The parts of a workbook with more sheets after the first; these are given as the XML of each row. */
export function withSheets(parts: Zippable, ...more: readonly string[]): Zippable {
  const text = (name: string) => strFromU8(parts[name] as Uint8Array)
  const relation = (at: number) => `<Relationship Id="more${at}" Type="${rels}/worksheet" Target="worksheets/more${at}.xml"/>`
  return {
    ...parts,
    'xl/workbook.xml': strToU8(
      text('xl/workbook.xml').replace(
        '</sheets>',
        `${more.map((_, at) => `<sheet name="More ${at}" sheetId="${at + 2}" r:id="more${at}"/>`).join('')}</sheets>`,
      ),
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      text('xl/_rels/workbook.xml.rels').replace(
        '</Relationships>',
        `${more.map((_, at) => relation(at)).join('')}</Relationships>`,
      ),
    ),
    ...Object.fromEntries(
      more.map((rows, at) => [
        `xl/worksheets/more${at}.xml`,
        strToU8(`${head}<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
      ]),
    ),
  }
}
