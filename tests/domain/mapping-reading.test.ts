import { parse } from 'csv-parse'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { type FileParts, readLines } from '#domain/file-reading.ts'
import { Unreadable } from '#domain/file-text.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { cellText, codeText, understand } from '#domain/mapping-cells.ts'
import { cellTypeOf, fieldsOfKind, type MappingField, type MappingKind } from '#domain/mapping-fields.ts'
import { isSummary } from '#domain/record-lines.ts'
import { proposals } from '#domain/mapping-proposals.ts'
import { faultInWords, type MappedRow, mappingReader, maxFaults } from '#domain/mapping-reading.ts'

const utf8 = new TextEncoder()
const partsOf = (content: string | Uint8Array, { name = 'acme_ee.csv', size = 7 } = {}): FileParts => {
  const bytes = typeof content === 'string' ? utf8.encode(content) : content
  return {
    name,
    parser: (options) => parse(options) as unknown as ReturnType<FileParts['parser']>,
    sheet: () => Promise.reject(new Error('There is no workbook here.')),
    chunks: (async function* () {
      // Small enough that byte order marks, line ends and letters are split.
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    })(),
  }
}

/** The lines of a file, with errors in place of broken ones, or the error of the file. */
async function linesOf(content: string | Uint8Array, more: { name?: string; size?: number } = {}) {
  const lines: [number, ...string[]][] = []
  try {
    await readLines(
      partsOf(content, more),
      (cells, line) => lines.push([line, ...cells]) > 0,
      ({ line, column, message }, cells) => lines.push([line, `${column ?? ''} ${message}`, ...cells]),
    )
    return lines
  } catch (error) {
    if (error instanceof Unreadable) return `${error.line}:${error.column ?? ''} ${error.message}`
    throw error
  }
}

const people: readonly MappingColumn[] = [
  { header: 'Code', field: 'employee_code' },
  { header: 'Status', field: 'status' },
  { header: 'Hired', field: 'hire_date' },
  { header: 'Rate', field: 'rate' },
]
const time: readonly MappingColumn[] = [
  { header: 'Code', field: 'employee_code' },
  { header: 'Day', field: 'work_date', day_adjustment: -1 },
  { header: 'Other day', field: 'work_date', day_adjustment: -1 },
  { header: 'Hours', field: 'work_hours' },
  { field: 'location_code', static: true, static_value: 'HQ' },
]

function read(kind: MappingKind, columns: readonly MappingColumn[], text: string) {
  const reader = mappingReader(kind, columns)
  const rows: MappedRow[] = []
  const [head = '', ...lines] = text.split('\n')
  if (reader.head(head.split(','), 1))
    for (const [at, line] of lines.entries()) {
      const row = reader.row(line.split(','), at + 2)
      if (row) rows.push(row)
    }
  const { faults, refused, ...counts } = reader.result
  return { rows, faults: faults.map(faultInWords), refused: refused && faultInWords(refused), ...counts }
}

describe('the lines of a file', () => {
  const plain = [
    [1, 'a', 'b'],
    [2, '1', 'é'],
    [3, '3', '4'],
  ]

  test.each([
    // A break in the transfer, but not a last line without a line break, nor lines of different lengths.
    ['a,b,c\n1,2,3\n4,5', [false, false, true]],
    ['a,b,c\n1,2,3\n4,5\n', [false, false, false]],
    ['a,b,c\n1,2,3\n4,5,6', [false, false, false]],
    ['a,b,c\n1,2\n4,5', [false, false, false]],
    ['a,b,c\n4,5', [false, false]],
    // The mark of DOS at the end is no line.
    ['a,b,c\r\n1,2,3\r\n\u001a', [false, false]],
  ])('%j ends within a line: %j', async (content, expected) => {
    const cut: boolean[] = []
    await readLines(
      partsOf(content),
      (_cells, _line, isCut = false) => cut.push(isCut) > 0,
      () => undefined,
    )
    expect(cut).toEqual(expected)
  })

  test.each([1, 2, 3, 7, 1_000])('are the same in every encoding with a byte order mark, in chunks of %i bytes', async (size) => {
    const text = 'a,b\n1,é\n3,4\n'
    const le = new Uint8Array([
      ...new Uint8Array([0xff, 0xfe]),
      ...new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer),
    ])
    const be = le.map((_, at) => le[at % 2 ? at - 1 : at + 1] as number)
    expect(await linesOf(text, { size })).toEqual(plain)
    expect(await linesOf(`\ufeff${text}`, { size })).toEqual(plain)
    if (size > 1) expect(await linesOf(le, { size })).toEqual(plain)
    if (size > 1) expect(await linesOf(be, { size })).toEqual(plain)
  })

  test('can end in any mix of ways, also within quotes, and are numbered as in an editor', async () => {
    expect(await linesOf('a,b\r\n1,"x\r\ny"\r\n3,4\r5,6\n\n7,8')).toEqual([
      [1, 'a', 'b'],
      [2, '1', 'x\r\ny'],
      [4, '3', '4'],
      [5, '5', '6'],
      [6, ''],
      [7, '7', '8'],
    ])
  })

  test('are split at the separator that is most frequent in the first one', async () => {
    for (const sign of [',', ';', '\t', '|'])
      expect(await linesOf(`a${sign}b\n1${sign}2`)).toEqual([
        [1, 'a', 'b'],
        [2, '1', '2'],
      ])
  })

  const unclosed = 'A quote is opened here and never closed.'
  const tooLong = 'The line has over 1,000,000 characters. Is a quote opened in it that is never closed?'
  const behind = 'Something stands behind a closing quote. A quote inside of a cell is written twice.'
  const alone = 'A quote stands inside of a cell without a second one. Does the cell lack one at its beginning?'

  test.each([1, 7, 1_000])('doubled quotes within a cell are unescaped, in chunks of %i bytes', async (size) => {
    const text = 'a,b\nRobert "Bob" Smith,1\n"Ann ""A"" Lee",2\n"5"" pipe",3\n""""\r\nZoë "Zed" Ö,"x\ny"\n4,5'
    expect(await linesOf(text, { size })).toEqual([
      [1, 'a', 'b'],
      [2, 'Robert "Bob" Smith', '1'],
      [3, 'Ann "A" Lee', '2'],
      [4, '5" pipe', '3'],
      [5, '"'],
      [6, 'Zoë "Zed" Ö', 'x\ny'],
      [8, '4', '5'],
    ])
  })

  test.each([1, 7, 1_000])('a line with broken quotes is the only one at fault, in chunks of %i bytes', async (size) => {
    // One in the middle, one with text after it, and one missing at the start.
    expect(await linesOf('a,b\n1,x"y\n2,"x"y\n3,Smith, John",z\n4,5\n', { size })).toEqual([
      [1, 'a', 'b'],
      [2, `2 ${alone}`, '1', 'x"y'],
      [3, `2 ${behind}`, '2', '"x"y'],
      [4, `3 ${alone}`, '3', 'Smith', ' John"', 'z'],
      [5, '4', '5'],
    ])
  })

  test.each([1, 7, 1_000])('a quote that swallows lines refuses the file, in chunks of %i bytes', async (size) => {
    // Up to the end, with any line end; up to the next quote; and in the headers.
    for (const end of ['\n', '\r\n', '\r'])
      expect(await linesOf(['a,b', '1,2', '3,"x', '5,6', ''].join(end), { size })).toMatch(`3:2 ${unclosed}`)
    expect(await linesOf('a,b\n1,"é\n2,x\n3,"y"\n4,5\n', { size })).toBe(`2:2 ${behind}`)
    expect(await linesOf('a,"b\n1,2\n3,"x"\n', { size })).toBe(`1:2 ${behind}`)
    expect(await linesOf('a,"b"x\n1,2\n', { size })).toBe(`1:2 ${behind}`)
    expect(await linesOf('a,b"\n1,2\n', { size })).toBe(`1:2 ${alone}`)
  })

  test('a quote that is not closed within 1,000,000 characters refuses the file', async () => {
    expect(await linesOf(`a,b\n1,"${'x'.repeat(1_100_000)}\n`, { size: 64_000 })).toBe(`2:2 ${tooLong}`)
    expect(await linesOf(`a,b\n${'x","\n'.repeat(1_000_000)}`, { size: 65_536 })).toBe(`2: ${tooLong}`)
  })

  test.each([
    ['separators', ',', '1: '],
    ['separators below the headers', ',', '3: ', 'a,b\n1,2\n'],
    ['empty cells that are quoted', '"",', '1: '],
    ['cells of which each has a line break in it', '"\n",,,', '1: '],
    ['nothing that ends a line', 'x', '1:1 '],
  ])('%s without an end are given up after 1,000,000 characters', async (_what, sign, place, head = '') => {
    let given = 0
    const endless = (async function* () {
      yield utf8.encode(head)
      for (;;) {
        given += 1
        yield utf8.encode(sign.repeat(Math.ceil(65_536 / sign.length)))
      }
    })()
    const read = readLines(
      { ...partsOf(''), chunks: endless },
      () => true,
      () => undefined,
    )
    await expect(read.catch(({ line, column, message }) => `${line}:${column ?? ''} ${message}`)).resolves.toBe(
      `${place}${tooLong}`,
    )
    expect(given).toBeLessThan(20)
  })

  test('a line has at most as many cells as a spreadsheet has columns', async () => {
    const line = ','.repeat(16_383)
    expect(await linesOf(`a,b\n${line}\n`, { size: 65_536 })).toMatchObject([[1, 'a', 'b'], { 0: 2, length: 16_385 }])
    expect(await linesOf(`a,b\n${line},\n`, { size: 65_536 })).toBe(
      '2: The line has over 16,384 cells, more than a spreadsheet has columns.',
    )
  })

  test('quotes in very many cells of long lines are parsed quickly', async () => {
    const cell = (at: number) => `"${'y'.repeat(40)}""${at}"`
    const line = Array.from({ length: 16_000 }, (_, at) => cell(at)).join(',')
    const last = `${line.slice(0, -1)}"x`
    const before = process.cpuUsage()
    const read = await linesOf(`a\n${`${line}\n`.repeat(10)}${last}\n`, { size: 65_536 })
    // With quadratic cost it took twelve seconds of CPU time, which does not depend on other load.
    expect(process.cpuUsage(before).user).toBeLessThan(6_000_000)
    expect(read).toHaveLength(12)
    expect((read as unknown[][])[10]?.at(-1)).toBe(`${'y'.repeat(40)}"15999`)
    expect((read as unknown[][])[11]?.[1]).toBe(`16000 ${behind}`)
  })

  test('surrogate pairs stay whole in any chunks, and other tasks run between the chunks', async () => {
    const texts: string[] = []
    let pauses = 0
    for (const shift of ['', 'x'])
      await readLines(
        { ...partsOf(`${shift}${'😀'.repeat(10_000)}\n`, { size: 65_536 }), pause: async () => ++pauses },
        (cells) => texts.push(...cells) > 0,
        () => undefined,
      )
    expect(texts).toEqual(['😀'.repeat(10_000), `x${'😀'.repeat(10_000)}`])
    expect(pauses).toBeGreaterThan(8)
  })

  test('bytes that are not UTF-8 or not text are reported with line and column', async () => {
    expect(await linesOf(new Uint8Array([...utf8.encode('a,b\nx,caf'), 0xe9, 10]))).toBe(
      '2:6 The text is not UTF-8. Save the file as “CSV UTF-8”.',
    )
    expect(await linesOf('a,b\n1,\u0000')).toBe('2:3 The file has bytes that are no text. Save it as “CSV UTF-8”.')
  })

  test('the type of a file is that of its name', async () => {
    const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0])
    expect(await linesOf(zip)).toBe('1: This is a workbook (.xlsx), though its name says .csv. Rename it, or save it as .csv.')
    expect(await linesOf('a,b\n', { name: 'acme_ee.xlsx' })).toBe(
      '1: This is no workbook, though its name says .xlsx. It looks like text: rename it to .csv.',
    )
    expect(await linesOf(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3]), { name: 'a_ee.xlsx' })).toBe(
      '1: This is a workbook of an old kind, or one with a password. Save it as .xlsx without a password, or as .csv.',
    )
    for (const name of ['a_ee.csv', 'a_ee.xlsx'])
      expect(await linesOf(zipSync({ 'acme.csv': utf8.encode('a,b') }), { name, size: 500 })).toBe(
        '1: This is a zip archive. Unpack it, and send the .csv or .xlsx file in it.',
      )
    for (const page of ['<html><table>', '\ufeff<?xml version="1.0"?>', '\n<!DOCTYPE html>'])
      expect(await linesOf(page, { name: 'a_ee.csv', size: 500 })).toMatch(/^1: This is a web page or XML/)
    expect(await linesOf(utf8.encode('%PDF-1.7 etc'))).toMatch(/PDF/)
    expect(await linesOf(new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]))).toMatch(/compressed/)
  })

  test('an empty file has none', async () => {
    expect(await linesOf('')).toEqual([])
    expect(await linesOf('\ufeff')).toEqual([])
  })

  test('reading stops with the last wanted line, however long the file is', async () => {
    let lines = 0
    let pieces = 0
    const endless = (async function* () {
      for (;;) {
        pieces += 1
        yield utf8.encode('1,2\n'.repeat(1_000))
      }
    })()
    await readLines(
      { ...partsOf(''), chunks: endless },
      () => ++lines < 10,
      () => undefined,
    )
    expect([lines, pieces < 4]).toEqual([10, true])
  })
})

describe('the content of a cell', () => {
  test.each([
    ['2026-11-20', '2026-11-20'],
    ['11/20/2026', '2026-11-20'],
    ['1/2/26', '2026-01-02'],
    ['20261120', '2026-11-20'],
    ['20-Nov-2026', '2026-11-20'],
    ['Nov 20, 2026', '2026-11-20'],
    ['2026-11-20T00:00:00', '2026-11-20'],
    ['7/4/68', '1968-07-04'],
  ])('the date %s', (text, value) => expect(understand('date', text)).toEqual({ value }))

  test('impossible dates and day-first dates are not dates', () => {
    for (const text of ['2026-02-30', '2/29/2026', '20261301', 'soon', '18263', '73416', '450000'])
      expect(understand('date', text)).toHaveProperty('fault')
    expect(understand('date', '20/11/2026')).toEqual({ fault: '“20/11/2026” is no date: the month comes first.' })
    expect(understand('date', '12/31/2026', { days: 1 })).toEqual({ value: '2027-01-01' })
  })

  test('reads amounts as cents, hours in hundredths or minutes, and 24-hour times', () => {
    expect(['$1,234.50', '1234.5', '0', '12.345'].map((text) => understand('money', text))).toEqual([
      { value: 123_450 },
      { value: 123_450 },
      { value: 0 },
      { value: 1_235 },
    ])
    for (const text of ['-1', '(5.00)', '1,23', 'free', '1e3']) expect(understand('money', text)).toHaveProperty('fault')
    // Half a cent is rounded up, independent of floating point.
    expect(
      ['1.005', '8.575', '1,234.565', '0.285', '0.30000000000000004', '99999999.99', '999,999,999.994', '-0.00'].map((text) =>
        understand('money', text),
      ),
    ).toEqual([101, 858, 123_457, 29, 30, 99_999_999_99, 999_999_999_99, 0].map((value) => ({ value })))
    expect(understand('money', '-0.001')).toEqual({ fault: 'An amount is not below zero.' })
    for (const text of ['1,000,000,000', '9'.repeat(30), '99,999,999,999,999,999,999.00'])
      expect(understand('money', text)).toEqual({ fault: 'An amount is below 1,000,000,000.' })
    expect(understand('hours', '1.005')).toEqual({ value: 1.01 * 300 })
    expect(
      ['7.5', '7:30', '7:50', '7.83', '24', '7:30:00', '.5', '24:00:00', '8 h'].map((text) => understand('hours', text)),
    ).toEqual([2_250, 2_250, 2_350, 2_349, 7_200, 2_250, 150, 7_200, 2_400].map((value) => ({ value })))
    expect(understand('hours', '24.01')).toEqual({ fault: 'A day has at most 24 hours.' })
    expect(['8:30', '08:30:15', '12:05 am', '1:00 PM', '2026-11-20 17:45'].map((text) => understand('time', text))).toEqual(
      ['08:30', '08:30:15', '00:05', '13:00', '2026-11-20 17:45'].map((value) => ({ value })),
    )
    for (const text of ['24:01', '13:00 PM', 'noon', '8:60', '8', '2026-11-20'])
      expect(understand('time', text)).toHaveProperty('fault')
  })

  test.each([
    ['date', '45992', '2025-12-01'],
    ['date', '45992.375', '2025-12-01'],
    ['date', '2026-11-27 13:45', '2026-11-27'],
    ['date', '11/27/2026 12:00:00 AM', '2026-11-27'],
    ['time', '0800', '08:00'],
    ['time', '8:00 a.m.', '08:00'],
    ['time', '8:00 AM', '08:00'],
    ['time', '4 PM', '16:00'],
    ['time', '12 am', '00:00'],
    ['time', '24:00', '24:00'],
    ['time', '23:59:59.6', '24:00'],
    ['time', '2026-11-27T13:00:00Z', '2026-11-27 13:00+00:00'],
    ['time', '2026-11-27T16:00:00-05:00', '2026-11-27 16:00-05:00'],
    ['time', '11/27/2026 8:05 PM', '2026-11-27 20:05'],
    ['time', '1/0/1900 8:00', '08:00'],
    ['time', '1899-12-30T08:00:00', '08:00'],
    ['time', '2026-11-27 08:00:00-05', '2026-11-27 08:00-05:00'],
    ['hours', '7h 30m', 2_250],
    ['hours', '7h30', 2_250],
    ['money', '$21.50/hr', 2_150],
    ['money', '21.50 USD', 2_150],
    ['money', 'USD 21.50', 2_150],
    ['money', '.75', 75],
    ['money', '$.75', 75],
    ['money', '1 021.50', 102_150],
    ['e-mail', 'N/A', ''],
    ['e-mail', '-', ''],
    ['phone', 'n/a', ''],
    ['phone', 'none', ''],
    ['name', '-Smith', '-Smith'],
    ['code', '219E01', '219E01'],
    ['code', '3-13', '3-13'],
    ['code', '12-Mar', '12-Mar'],
    ['code', '00417', '00417'],
    ['code', '1234567890123456', '1234567890123456'],
  ] as const)('reads the %s %s as %s', (type, text, value) => expect(understand(type, text)).toEqual({ value }))

  test.each([
    '1.23457E+15',
    '1,23457E+15',
    '1E+05',
    '2026-03-12',
    '2026-03-12 08:00:00',
    '3/13/2026',
    '13.03.2026',
    '12-Mar-26',
    '30:00:00',
    'TRUE',
    '#N/A',
    '#REF!',
    '########',
    '2026/03/12',
    '#BEZUG!',
    '#NAME?',
    '#N/D',
    '123456789012345000',
  ])('rejects the code %s, which a spreadsheet changed', (text) => {
    const fault = `The cell shows “${text}”: the spreadsheet changed this code. Format the column as text, enter the code again and send the file again.`
    expect(understand('code', text)).toEqual({ fault })
  })

  test('reads a code that a program wrote as text for spreadsheets', () => {
    expect(['="00417"', "'00417", ' 00417 ', "'t Hooft", '="A""B"'].map(cellText)).toEqual([
      '00417',
      '00417',
      '00417',
      "'t Hooft",
      '="A""B"',
    ])
    expect(understand('code', cellText('="=1+1"'))).toEqual({ fault: '“=1+1” is a formula, which is not carried out.' })
  })

  test('reads no spreadsheet error as a name or text, and no phone in scientific notation', () => {
    expect(understand('name', '#N/A')).toEqual({ fault: '“#N/A” is no name.' })
    expect(understand('text', '#REF!')).toEqual({ fault: 'The cell shows “#REF!”, an error of the spreadsheet.' })
    expect(understand('phone', '2.12555E+09')).toHaveProperty(
      'fault',
      expect.stringContaining('the spreadsheet changed this code'),
    )
  })

  test('explains how to correct a day for negative hours', () => {
    for (const text of ['-2', '-0:30', '(1.5)', '2-'])
      expect(understand('hours', text)).toEqual({ fault: `“${text}” is below zero. To correct a day, send the day's new total.` })
    expect(understand('hours', '24:00:01')).toEqual({ fault: 'A day has at most 24 hours.' })
  })

  test('distinguishes totals, footers and other headers from identifiers', () => {
    const ends = [
      'Total',
      'Dept 100 Total',
      'Employees: 3',
      '3 records',
      'Number of records: 3',
      'EOF',
      'TRAILER',
      'Sum',
      'Page1',
    ]
    for (const text of [...ends, 'Report Date: 11/29/2026', '(*) Total', 'Headcount']) expect(isSummary(text), text).toBe(true)
    const codes = ['SUM-1', 'EOF-2', 'Totalis', '3', '12 Records Ave', 'EMPLOYEES-7', 'AVERAGEJOE', 'T', 'Subtotality']
    for (const text of codes) expect(isSummary(text), text).toBe(false)
    expect(read('EMPLOYEE', people, 'Code,Status,Hired,Rate\nA1,Active,,\nCODE,State,,\n')).toMatchObject({
      good: 1,
      faults: ['Line 3: “CODE” is the header of this column, and names nobody.'],
    })
  })

  test('restores the leading zeros of US zip codes only', () => {
    const columns: readonly MappingColumn[] = [
      ...people.slice(0, 2),
      { header: 'Zip', field: 'zip' },
      { header: 'Country', field: 'country' },
    ]
    const lines = ['A1,Active,2134,', 'A2,Active,601,USA', 'A3,Active,2134-1000,us', 'A4,Active,8001,CH', 'A5,Active,02134,']
    const { rows } = read('EMPLOYEE', columns, `Code,Status,Zip,Country\n${lines.join('\n')}`)
    expect(rows.map(({ values }) => values.zip)).toEqual(['02134', '00601', '02134-1000', '8001', '02134'])
  })

  test('a line break in a workbook cell is not caused by a quote', () => {
    const reader = mappingReader('EMPLOYEE', people, { workbook: true })
    reader.head(['Code', 'Status', 'Hired', 'Rate', 'Notes'], 1)
    expect(reader.row(['A1', 'Active\nsince May', '', '', ''], 2)).toBeNull()
    expect(reader.row(['A2', 'Active', '', '', 'one,two,three,four,five\nsix'], 3)).toMatchObject({ identifier: 'A2' })
    expect(reader.result.faults.map(faultInWords)).toEqual(['Line 2, Status: The cell has a line break. Write it in one line.'])
  })

  test('reads placeholders as no code, and a code without the quotes around it', () => {
    for (const nothing of ['N/A', 'null', '(null)', 'NaN', '--', '???', '#', '“”']) expect(codeText(nothing)).toBe('')
    for (const code of ['NULL-1', 'NA', '0', 'A/N', '#N/A', 'Ñ']) expect(codeText(code)).toBe(code)
    expect(['“A-1”', "'A-1", '’’7', '"A"'].map(codeText)).toEqual(['A-1', 'A-1', '7', 'A'])
  })

  test('learns nothing about an hours column from a subtotal, which has no day', () => {
    const reader = mappingReader('TIMEKEEPING', time)
    reader.head(['Code', 'Day', 'Other day', 'Hours'], 1)
    reader.row(['A-1', '2026-11-09', '', '0.3125'], 2)
    reader.row(['A-1', '', '', '1.25'], 3)
    const hours = reader.columnsSeen().find(({ title }) => title === 'Hours')
    expect(hours?.evidence.decide(null).question).toMatch(/^Hours: these look like shares of a day/)
  })

  test('reads a column day first, with a decimal comma, or in fractions of a day where chosen', () => {
    const dayFirst = { reading: { dateOrder: 'day-first' } } as const
    expect(['25/04/2024', '03/04/24', '7.5.2024', '2024-04-03'].map((text) => understand('date', text, dayFirst))).toEqual(
      ['2024-04-25', '2024-04-03', '2024-05-07', '2024-04-03'].map((value) => ({ value })),
    )
    expect(understand('date', '04/25/2024', dayFirst)).toEqual({ fault: '“04/25/2024” is no date: the day comes first.' })
    expect(understand('time', '25/04/2024 08:00', dayFirst)).toEqual({ value: '2024-04-25 08:00' })
    const comma = { reading: { decimalMark: 'comma' } } as const
    expect(
      ['21,50', '1.021,50', '1.021', '1 021,50', "1'021,50", ',5', '21.5'].map((text) => understand('money', text, comma)),
    ).toEqual([2_150, 102_150, 102_100, 102_150, 102_150, 50, 2_150].map((value) => ({ value })))
    expect(['7,5', '0.375', '7:30'].map((text) => understand('hours', text, comma))).toEqual(
      [2_250, 114, 2_250].map((value) => ({ value })),
    )
    expect(understand('money', '1,021.50', comma)).toHaveProperty('fault')
    const days = { reading: { hoursUnit: 'days' } } as const
    expect(['0.3125', '0.3333', '1', '7:30'].map((text) => understand('hours', text, days))).toEqual(
      [2_250, 2_400, 7_200, 2_250].map((value) => ({ value })),
    )
    expect(understand('hours', '1.25', days)).toEqual({ fault: 'A day has at most 24 hours.' })
  })

  test('a formula is not executed, and a signed number is not a formula', () => {
    for (const text of ['=1+1', '@SUM(A1)', '+cmd|x', '-A1'])
      expect(understand('text', text)).toEqual({ fault: `“${text}” is a formula, which is not carried out.` })
    expect(understand('phone', '+1 (212) 555-0111')).toEqual({ value: '+1 (212) 555-0111' })
    expect(understand('text', 'a\u0007')).toEqual({ fault: 'Control characters are not allowed.' })
    expect(understand('text', 'x'.repeat(501))).toEqual({ fault: 'A cell has at most 500 characters.' })
  })

  const samples: Partial<Record<ReturnType<typeof cellTypeOf>, string>> = {
    date: '2026-01-05',
    time: '08:30',
    hours: '7.5',
    money: '12.50',
    'e-mail': 'ada@example.com',
    phone: '(212) 555-0111',
  }
  const timedFields = ['clock_in', 'clock_out', 'earned_wage', 'work_date', 'work_hours'] as const
  test.each([...fieldsOfKind('EMPLOYEE'), ...timedFields])('reads a column for %s', (field) => {
    const cell = samples[cellTypeOf(field)] ?? 'Abc'
    const timed = (timedFields as readonly string[]).includes(field)
    const kind = timed ? 'TIMEKEEPING' : 'EMPLOYEE'
    const others: Record<string, string> = timed
      ? { employee_code: 'A1', work_date: '2026-01-05', work_hours: '8' }
      : { employee_code: 'A1', status: 'Active' }
    const cells = { ...others, [field]: cell }
    const columns = Object.keys(cells).map((name) => ({ header: `h ${name}`, field: name as MappingField }))
    const { rows: mapped, faults } = read(
      kind,
      columns,
      [columns.map(({ header }) => header).join(','), Object.values(cells).join(',')].join('\n'),
    )
    expect(faults).toEqual([])
    expect(mapped[0]?.values[field]).toEqual((understand(cellTypeOf(field), cell) as { value: unknown }).value)
  })
})

describe('a file with its mapping', () => {
  test('[MAP-029] rows follow the mapping, whatever the order and case of the headers', () => {
    const text = 'hired,RATE , code,More,status\n1/5/2026,"x",A1,,Active\n2026-01-06,$20.50,A2,z,Term'
    const { rows, faults, lines, good } = read('EMPLOYEE', people, text)
    expect([lines, good]).toEqual([2, 1])
    expect(faults).toEqual(['Line 2, Rate: “"x"” is no amount, such as 1,234.50.'])
    expect(rows).toEqual([
      {
        line: 3,
        by: 'employee_code',
        identifier: 'A2',
        values: { employee_code: 'A2', status: 'Term', hire_date: '2026-01-06', rate: 2_050 },
      },
    ])
  })

  test('time: the first available of several dates, adjusted, and static values', () => {
    const { rows, faults } = read(
      'TIMEKEEPING',
      time,
      'Code,Day,Other day,Hours\nA1,1/5/2026,,8\nA1,,1/7/2026,7:30\nA1,,,8\nA2,1/5/2026,,',
    )
    expect(rows.map(({ values }) => [values.work_date, values.work_hours, values.location_code])).toEqual([
      ['2026-01-04', 8 * 300, 'HQ'],
      ['2026-01-06', 7.5 * 300, 'HQ'],
    ])
    expect(faults).toEqual([
      'Line 4: The work date is missing.',
      'Line 5: It says neither hours, nor clock in and out, nor the earned wage.',
    ])
  })

  test('[MAP-032] confirmations: the withheld and the missing amount', () => {
    const columns: readonly MappingColumn[] = [
      { header: 'Code', field: 'external_tk_id' },
      { header: 'Taken', field: 'deduction_withheld' },
      { header: 'Not', field: 'deduction_not_withheld' },
    ]
    const { rows, faults } = read('CONFIRMATION', columns, 'Code,Taken,Not\nT1,12.50,\nT2,,3\nT3,,')
    expect(rows.map(({ identifier, values }) => [identifier, values.deduction_withheld, values.deduction_not_withheld])).toEqual([
      ['T1', 1_250, undefined],
      ['T2', undefined, 300],
    ])
    expect(faults).toEqual(['Line 4: It says neither what was withheld nor what was not.'])
  })

  test('a missing column refuses the file by name; so do duplicate, empty and too many headers', () => {
    expect(read('EMPLOYEE', people, 'Code,Status,Rate\nA1,Active,1')).toMatchObject({
      refused: 'Line 1, Hired: The file has no such column.',
      missing: ['Hired'],
      lines: 0,
    })
    expect(read('EMPLOYEE', people, 'Code,Status,Hired,Rate,code').refused).toBe('Line 1, code: Two columns have this header.')
    expect(read('EMPLOYEE', people, 'Code,,Status,Hired,Rate').refused).toBe('Line 1, column 2: The header is empty.')
    expect(read('EMPLOYEE', people, '').refused).toBe('Line 1: The first line has no headers.')
    const many = Array.from({ length: 10_000 }, (_, at) => `h${at}`).join(',')
    expect(read('EMPLOYEE', people, many).refused).toBe('Line 1: It has 10,000 columns, and a file has at most 1,000.')
    // Empty cells that a spreadsheet leaves after the last header are ignored.
    expect(read('EMPLOYEE', people, 'Code,Status,Hired,Rate,,\nA1,Active,,,,').good).toBe(1)
  })

  test('lines without identifier, in conflict or too long are reported, blank ones are not', () => {
    const { faults, duplicates, lines } = read(
      'EMPLOYEE',
      people,
      'Code,Status,Hired,Rate\nA1,Active,,\n,Active,,\n,,,\nA1,Term,,\nA2,,,\nA3,Active,,,x',
    )
    expect([lines, duplicates]).toEqual([5, 2])
    expect(faults).toEqual([
      'Line 3: The employee identifier is missing.',
      'Line 2: Line 5 has other values for the same employee. Keep one of the lines.',
      'Line 5: Line 2 has other values for the same employee. Keep one of the lines.',
      'Line 6: The status is missing.',
      'Line 7, column 5: The line has more cells than the 4 headers.',
    ])
  })

  test('of contradicting lines none is accepted, of identical ones the first', () => {
    const { faults, duplicates, good } = read(
      'EMPLOYEE',
      people,
      'Code,Status,Hired,Rate\nA1,Active,,20\nA1,Active,,20\nA2,Active,,20\nA2,Active,,30\nA2,Active,,20\nA2,Term,,',
    )
    expect([good, duplicates]).toEqual([1, 5])
    expect(faults).toEqual([
      'Line 3: It repeats line 2.',
      'Line 4: Line 5 has other values for the same employee. Keep one of the lines.',
      'Line 5: Line 4 has other values for the same employee. Keep one of the lines.',
      'Line 6: It repeats line 4.',
      'Line 7: Line 4 has other values for the same employee. Keep one of the lines.',
    ])
  })

  test('with many faults, some are kept and all are counted', () => {
    const { faults, faultCount } = read('EMPLOYEE', people, `Code,Status,Hired,Rate\n${',x,,\n'.repeat(5_000)}`)
    expect([faults.length, faultCount]).toEqual([maxFaults, 5_000])
  })
})

test('a rejected line that is corrected and sent again keeps its values', () => {
  expect(understand('phone', "'+1 212 555 0142")).toEqual({ value: '+1 212 555 0142' })
  expect(understand('text', "'-")).toEqual({ value: '-' })
  expect(understand('name', "'t Hooft")).toEqual({ value: "'t Hooft" })
  expect(understand('text', "'=1+1")).toEqual(understand('text', '=1+1'))
})

describe('the times of a time line', () => {
  const columns = [
    { header: 'Code', field: 'employee_code' },
    { header: 'Day', field: 'work_date' },
    { header: 'In', field: 'clock_in' },
    { header: 'Out', field: 'clock_out' },
  ] as const
  const worked = (clockIn: string, clockOut: string, days = 0) => {
    const reader = mappingReader(
      'TIMEKEEPING',
      columns.map((column) => ({ ...column, day_adjustment: column.field === 'work_date' ? days : undefined })) as never,
    )
    reader.head(['Code', 'Day', 'In', 'Out'], 1)
    const row = reader.row(['A-1', '2026-11-27', clockIn, clockOut], 2)
    return row ? Number(row.values.work_hours) / 300 : reader.result.faults[0]?.message
  }

  test('give the hours between them, past midnight without dates', () => {
    expect(worked('08:00', '16:30')).toBe(8.5)
    expect(worked('22:00', '06:00')).toBe(8)
    expect(worked('16:00', '24:00')).toBe(8)
    expect(worked('00:00', '24:00')).toBe(24)
    expect(worked('07:00:40', '15:01:20')).toBe(8 + 1 / 60)
  })

  test('give the elapsed time if both have a date', () => {
    expect(worked('2026-11-27 22:00', '2026-11-28 06:00')).toBe(8)
    expect(worked('2026-11-27 16:00:00', '2026-11-28 00:00:00')).toBe(8)
    expect(worked('2026-11-27 00:00', '2026-11-28 00:00')).toBe(24)
    expect(worked('2026-11-27T13:00:00Z', '2026-11-27T16:00:00-05:00')).toBe(8)
    expect(worked('2026-11-28 00:30', '2026-11-28 06:00')).toBe(5.5)
  })

  test('reject a line that they contradict, and both are named', () => {
    expect(worked('2026-11-27 08:00', '2026-11-29 09:00')).toBe(
      'From clock in (2026-11-27 08:00) to clock out (2026-11-29 09:00) is 49 h. A day has at most 24 hours.',
    )
    expect(worked('2026-11-27 16:00', '2026-11-27 08:00')).toBe(
      'Clock out (2026-11-27 08:00) is before clock in (2026-11-27 16:00).',
    )
    expect(worked('2026-11-20 08:00', '2026-11-20 16:00')).toBe(
      'Clock in (2026-11-20 08:00) is not on the work date 2026-11-27. Correct one of the two dates.',
    )
    expect(worked('2026-11-27T13:00Z', '2026-11-27 16:00')).toBe(
      'Only one of clock in (2026-11-27 13:00+00:00) and clock out (2026-11-27 16:00) has a time zone. Send both with it, or neither.',
    )
  })

  test('are compared with the work date before the mapping adjusts it', () => {
    expect(worked('2026-11-27 08:00', '2026-11-27 16:00', 7)).toBe(8)
  })
})

describe('the guessed field of a column', () => {
  const by = (kind: MappingKind, sample: Record<string, string[]>, taken?: ReadonlySet<MappingField>) =>
    proposals(
      kind,
      Object.entries(sample).map(([header, cells]) => ({ header, cells })),
      { today: '2026-11-29', ...(taken ? { taken } : {}) },
    )

  test('is no birth date if its days are in the future, whatever its header', () => {
    expect(by('EMPLOYEE', { Birthday: ['2027-01-05', '2027-02-11'] })).toEqual(['hire_date'])
    expect(by('EMPLOYEE', { Next: ['2027-01-05', '2027-02-11'] })).toEqual(['hire_date'])
    expect(by('EMPLOYEE', { DOB: ['1990-01-05', '2003-02-11', '2033-01-01'] })).toEqual(['birth_date'])
  })

  test('is no phone if its cells are days', () => {
    expect(by('EMPLOYEE', { Eintritt: ['2024-01-02', '2023-11-30'] })).not.toContain('phone')
    expect(by('EMPLOYEE', { Eintritt: ['212-555-0142', '212-555-0143'] })).toEqual(['phone'])
  })

  test('comes from the header without brackets, for a phone also with its country', () => {
    expect(
      by('EMPLOYEE', { 'Status (HR)': ['Active'], 'Rate [USD]': ['21.50'], Handy: ['(212) 555-0101', '+12125550103'] }),
    ).toEqual(['status', 'rate', 'phone'])
    expect(by('EMPLOYEE', { '(Status)': ['7'] })).toEqual(['status'])
  })

  test('comes from the header, with a vendor’s own words first', () => {
    expect(by('EMPLOYEE', { 'Employee No.': ['7'], Surname: ['Ortiz'], 'E-mail': [], DOB: ['1/5/1990'], Shoe: ['44'] })).toEqual([
      'employee_code',
      'last_name',
      'email',
      'birth_date',
      null,
    ])
    expect(by('TIMEKEEPING', { worker_id: ['7'], shift_date: ['2026-01-05'], paid_hours: ['8'] })).toEqual([
      'employee_code',
      'work_date',
      'work_hours',
    ])
  })

  test('a column with one value for everybody is no identifier, whatever its header', () => {
    const codes = { 'Shift Date': ['2026-01-05', '2026-01-06'], 'Total Hrs': ['8', '7.5'], Code: ['REG', 'REG'] }
    expect(by('TIMEKEEPING', { 'Associate ID': ['ZB1', 'ZB2'], ...codes })).toEqual([
      'employee_code',
      'work_date',
      'work_hours',
      null,
    ])
    expect(by('TIMEKEEPING', codes)).toEqual(['work_date', 'work_hours', null])
    expect(by('TIMEKEEPING', { Code: ['ZB1', 'ZB2'] })).toEqual(['employee_code'])
    expect(by('TIMEKEEPING', { 'Employee code': ['ZB1', 'ZB1'] })).toEqual(['employee_code'])
  })

  test('comes from common words of payroll files', () => {
    const file = {
      'Emp No': ['00117'],
      'Legal First': ['Ana'],
      'Legal Last': ['Ortiz'],
      'Hire Dt': ['3/15/2021'],
      Hourly: ['21.50'],
    }
    expect(by('EMPLOYEE', file)).toEqual(['employee_code', 'first_name', 'last_name', 'hire_date', 'rate'])
  })

  test('and from its cells, unless they contradict', () => {
    expect(by('EMPLOYEE', { A: ['ada@example.com', 'bo@example.com'], B: ['(212) 555-0111'], 'Hire date': ['soon'] })).toEqual([
      'email',
      'phone',
      null,
    ])
    expect(by('EMPLOYEE', { Code: [], Id: ['1'] }, new Set(['employee_code']))).toEqual([null, null])
  })
})

test('two digits of a year of birth are in the past, of any other date up to 2049', () => {
  const columns: readonly MappingColumn[] = [...people.slice(0, 3), { header: 'Born', field: 'birth_date' }]
  const { rows, faults } = read(
    'EMPLOYEE',
    columns,
    'Code,Status,Hired,Born\nA,x,03/16/24,03/14/45\nB,x,03/16/26,14-Mar-61\nC,x,03/16/99,03/14/04\nD,x,03/16/24,03/14/2026',
  )
  expect(faults).toEqual([])
  expect(rows.map(({ values }) => [values.hire_date, values.birth_date])).toEqual([
    ['2024-03-16', '1945-03-14'],
    ['2026-03-16', '1961-03-14'],
    ['1999-03-16', '2004-03-14'],
    ['2024-03-16', '2026-03-14'],
  ])
})
