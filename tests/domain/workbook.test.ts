import { strFromU8, strToU8, type Zippable, zipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { Unreadable } from '#domain/file-text.ts'
import { sheetLines } from '#domain/workbook.ts'
import { workbook, workbookParts, withSheets } from '#tests/support/workbook.ts'

const read = async (bytes: Uint8Array) => {
  try {
    return await sheetLines(bytes)
  } catch (error) {
    if (error instanceof Unreadable) return `${error.line}: ${error.message}`
    throw error
  }
}
const damaged = '1: The workbook is damaged. Open it in a spreadsheet program and save it again.'
const tooLarge = '1: The workbook is too large when it is unpacked. Save its first sheet as .csv.'

test('[MAP-047] [MAP-051] a workbook is read like a .csv file: text, stored numbers, dates', async () => {
  const cells = await read(
    workbook([
      ['Code', 'Hired', 'Rate', 'Id'],
      ['A & <1>', { number: 46_027, date: true }, { number: 20.5 }, { number: 88_121 }],
      ['A2', '1/6/2026', { number: 1234 }, '0042'],
    ]),
  )
  expect(cells).toEqual([
    ['Code', 'Hired', 'Rate', 'Id'],
    ['A & <1>', '2026-01-05', '20.5', '88121'],
    ['A2', '1/6/2026', '1234', '0042'],
  ])
})

test('a workbook that defines entities is refused, since their names would be read as text', async () => {
  const parts = workbookParts([
    ['Code', 'Name'],
    ['A1', 'NAME'],
  ])
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
  const defined = '<!DOCTYPE worksheet [<!ENTITY e SYSTEM "file:///etc/hostname">]><worksheet'
  const text = sheet.replace('<worksheet', defined).replace('NAME', '&e;')
  expect(await read(zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(text) }))).toMatch(/^1: The workbook defines texts/)
})

test('cells without a reference follow each other, also without a style', async () => {
  const parts = workbookParts([['Code', 'Rate', 'Id'], ['A1', { number: 20.5 }, 'Å'], ['A2']])
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] as Uint8Array)
  const { 'xl/styles.xml': _, ...rest } = parts
  const bare = (text: string) => zipSync({ ...rest, 'xl/worksheets/sheet1.xml': strToU8(text) })
  const cells = [
    ['Code', 'Rate', 'Id'],
    ['A1', '20.5', 'Å'],
    ['A2', '', ''],
  ]
  expect(await read(bare(sheet.replace(/ r="[A-Z]*\d+"/g, '')))).toEqual(cells)
  // Some have one: those after them continue from there.
  expect(await read(bare(sheet.replace(/ r="(?!B2)[A-Z]+\d+"/g, '').replace('<row r="2">', '<row>')))).toEqual([
    ['Code', 'Rate', 'Id'],
    ['A1', '20.5', 'Å'],
    ['A2', '', ''],
  ])
})

test('a number of a workbook is the one shown, and a text stays as typed', async () => {
  const cells = await read(
    workbook([
      ['1E5', '12e-3'],
      [{ number: 0.1 + 0.2 }, { number: 1.1 * 3 }],
      [{ number: 1e-7 }, { number: 123_456_789_012.25 }],
    ]),
  )
  expect(cells).toEqual([
    ['1E5', '12e-3'],
    ['0.3', '3.3'],
    ['1e-7', '123456789012.25'],
  ])
})

test('a number beyond the calendar is read as a spreadsheet shows it, and others normally', async () => {
  const cells = await read(
    workbook([
      ['Hired', 'Code'],
      [{ number: 1e300, date: true }, 'A1'],
      [{ number: -5, date: true }, 'A2'],
    ]),
  )
  expect(cells).toEqual([
    ['Hired', 'Code'],
    ['########', 'A1'],
    ['1899-12-25', 'A2'],
  ])
})

test('the stored result of a formula is read, and nothing is calculated', async () => {
  expect(await read(workbook([['Sum'], [{ number: 3, formula: 'WEBSERVICE("http://example.com")' }]]))).toEqual([['Sum'], ['3']])
})

test('a file that is not a workbook, or is truncated, is reported', async () => {
  expect(await read(zipSync({ 'readme.txt': new Uint8Array([1, 2, 3]) }))).toBe(damaged)
  expect(await read(workbook([['a']]).slice(0, 400))).toBe(damaged)
  expect(await read(new Uint8Array([0x50, 0x4b, 3, 4, 9, 9, 9]))).toBe(damaged)
})

test('a zip bomb is refused before it is unpacked, also one of many parts', async () => {
  const bomb: Zippable = { ...workbookParts([['a']]), 'xl/worksheets/sheet1.xml': new Uint8Array(120 * 1024 * 1024).fill(32) }
  const bytes = zipSync(bomb)
  expect(bytes.length).toBeLessThan(1024 * 1024)
  // Most of the file is this part: unpacking it would fail, since it is damaged.
  bytes.fill(255, bytes.length / 2, bytes.length / 2 + 1_000)
  expect(await read(bytes)).toBe(tooLarge)
  const parts = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`xl/part${at}.xml`, new Uint8Array([60])]))
  expect(await read(zipSync({ ...workbookParts([['a']]), ...parts }))).toBe(tooLarge)
})

test('a part that understates its size is read no further than its stated size', async () => {
  const real = 30 * 1024 * 1024
  const bytes = zipSync({ ...workbookParts([['a']]), 'xl/worksheets/sheet1.xml': new Uint8Array(real).fill(32) })
  // The size is in the central directory and before the part: both are set to 64 bytes.
  const size = [real & 255, (real >> 8) & 255, (real >> 16) & 255, (real >> 24) & 255]
  for (let at = 0; at < bytes.length - 4; at += 1)
    if (size.every((byte, place) => bytes[at + place] === byte)) bytes.set([64, 0, 0, 0], at)
  const before = process.memoryUsage().rss
  expect(await read(bytes)).toBe(damaged)
  expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024)
})

test('on a machine so busy that every chunk takes long, a large one is still read', async () => {
  const rows = Array.from({ length: 3_000 }, (_, at) => [`E${at}`, 'Active', 'Ada Lovelace'])
  let time = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (time += 10))
  expect(await read(workbook(rows))).toEqual(rows)
  vi.restoreAllMocks()
  expect(Math.abs(Date.now() - time)).toBeLessThan(600_000)
})

test('a sheet with a few distant cells is refused with the place, before gaps are filled', async () => {
  const sheet = (cells: string, rows = '') => {
    const parts = workbookParts([['a']])
    const xml = `<worksheet><sheetData><row r="1">${cells}</row>${rows}</sheetData></worksheet>`
    return zipSync({ ...parts, 'xl/worksheets/sheet1.xml': strToU8(xml) })
  }
  const one = (at: string) => `<c r="${at}"><v>1</v></c>`
  const row = (line: number, cells: string) => `<row r="${line}">${cells}</row>`
  const far = 'Delete what is outside of the table, or save it as .csv.'
  expect(await read(sheet(one('A1') + one('XFD1'), row(200_000, one('A200000'))))).toBe(
    `200000: The sheet reaches to line 200,000 and column XFD. ${far}`,
  )
  expect(await read(sheet(one('A1'), row(1_048_577, one('A1048577'))))).toMatch(/^1048577: The sheet reaches to line 1,048,577/)
  for (const at of ['ZZZZZZ1', '&#90;ZZZ1', 'A999999999', '\u4e001']) expect(await read(sheet(one(at)))).toBe(damaged)
  expect(await read(sheet(one('A1') + one('XFD1')))).toHaveProperty('0.16383', '1')
})

test('a huge range on another sheet is ignored, and that sheet is not read', async () => {
  const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
  const odd = '<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>'
  const rows = [
    ['Code', 'Status'],
    ['A1', 'Active'],
  ]
  const before = process.memoryUsage().rss
  expect(await read(zipSync(withSheets(workbookParts(rows), far, odd)))).toEqual(rows)
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
  // The first is the one that the workbook lists first, whatever its part is called.
  const parts = withSheets(workbookParts(rows), far)
  const swapped = strFromU8(parts['xl/workbook.xml'] as Uint8Array).replace(/(<sheet .*?\/>)(<sheet .*?\/>)/, '$2$1')
  expect(await read(zipSync({ ...parts, 'xl/workbook.xml': strToU8(swapped) }))).toMatch(
    /^1048576: The sheet reaches to line 1,048,576 and column XFD\./,
  )
})

test('one shared text used in very many cells is refused, and not expanded for each', async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c></row>`).join('')
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const shared = (characters: number, count: number) => {
    const parts = workbookParts([])
    const relations = strFromU8(parts['xl/_rels/workbook.xml.rels'] as Uint8Array)
    const more = `<Relationship Id="rId9" Type="${related}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
    return zipSync({
      ...parts,
      'xl/_rels/workbook.xml.rels': strToU8(relations.replace('</Relationships>', more)),
      'xl/sharedStrings.xml': strToU8(`<sst><si><t>${'a'.repeat(characters)}</t></si></sst>`),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows(count)}</sheetData></worksheet>`),
    })
  }
  expect(await read(shared(3, 2))).toEqual([['aaa'], ['aaa']])
  expect(await read(shared(50_000_000, 110))).toBe('1: The line has over 1,000,000 characters.')
  expect(await read(shared(1_000_000, 101))).toBe(
    '101: The cells down to this line have over 100,000,000 characters. Import the table in parts.',
  )
})
