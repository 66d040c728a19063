import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { minutesBetween } from '#domain/clock.ts'
import { understand } from '#domain/mapping-cells.ts'
import { sheetLines } from '#domain/workbook.ts'
import { workbookParts } from '#tests/support/workbook.ts'

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')

/** Cells with their number format (a code, or the id of a built-in one), as a workbook with one line shows them. */
async function shownCells(
  cells: readonly { format?: string | number; value?: string | number; type?: string; inner?: string }[],
  { date1904 = false, extra = '' } = {},
): Promise<string[]> {
  const formats = cells.map(({ format }) => format ?? 0)
  const numFmts = formats.map((format, at) =>
    typeof format === 'string' ? `<numFmt numFmtId="${164 + at}" formatCode="${escaped(format)}"/>` : '',
  )
  const xfs = formats.map((format, at) => `<xf numFmtId="${typeof format === 'string' ? 164 + at : format}" xfId="0"/>`)
  const xml = cells.map(({ value, type, inner }, at) => {
    const content = inner ?? (value === undefined ? '' : `<v>${escaped(String(value))}</v>`)
    return `<c r="${String.fromCharCode(65 + at)}1" s="${at}"${type ? ` t="${type}"` : ''}>${content}</c>`
  })
  const parts = workbookParts([])
  const workbook = new TextDecoder().decode(parts['xl/workbook.xml'] as Uint8Array)
  const [line = []] = await sheetLines(
    zipSync({
      ...parts,
      'xl/workbook.xml': strToU8(date1904 ? workbook.replace('<sheets>', '<workbookPr date1904="1"/><sheets>') : workbook),
      'xl/styles.xml': strToU8(
        `<styleSheet><numFmts>${numFmts.join('')}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`,
      ),
      'xl/worksheets/sheet1.xml': strToU8(
        `<worksheet>${extra}<sheetData><row r="1">${xml.join('')}</row></sheetData></worksheet>`,
      ),
    }),
  )
  return line
}
const shownText = async (format: string | number, value: string | number) => (await shownCells([{ format, value }]))[0]

test.each([
  ['00000', 417, '00417'],
  ['000-00-0000', 123_456_789, '123-45-6789'],
  ['"E"0000', 417, 'E0417'],
  ['00000\\-0000', 21_340_001, '02134-0001'],
  ['[<=9999999]###\\-####;\\(###\\)\\ ###\\-####', 2_125_550_111, '(212) 555-0111'],
  ['00000;[Red]-00000', 417, '00417'],
  ['00":"00', 800, '08:00'],
  [1, 417, '417'],
  [0, 417, '417'],
  [0, '417.0', '417'],
  [49, 417, '417'],
  // Grouping and rounding change how a number looks, not the number.
  ['#,##0', 12_345, '12345'],
  ['0.00', 417, '417'],
  ['0', 7.5, '7.5'],
  ['_("$"* #,##0.00_)', 1021.5, '1021.5'],
  ['[$$-409]#,##0.00', 1021.5, '1021.5'],
  ['0.00" USD"', 33, '33'],
  ['0.00" h"', 7.5, '7.5'],
  // No dollars.
  ['[$€-407] #,##0.00', 33, '€ 33'],
  ['0.00" EUR"', 33, 'EUR 33'],
  ['[$CHF] #,##0', 33, 'CHF 33'],
  ['"CAD"0000', 417, 'CAD0417'],
  ['0%', 0.05, '5%'],
  // What a spreadsheet made of 219E01.
  [11, 2_190, '2.19E+03'],
  [0, '1.2345678901234501E+18', '1.23457E+18'],
  [0, '1234567890123456', '1.23457E+15'],
  [0, '123456789012345', '123456789012345'],
])('[MAP-047] a number of format %s and value %s is the text %s', async (format, value, text) => {
  expect(await shownText(format, value)).toBe(text)
})

test.each([
  ['[h]:mm', 1.25, '30:00:00'],
  ['[h]:mm', 1, '24:00:00'],
  ['[h]:mm:ss', 0.3125, '07:30:00'],
  [46, 1.666666666666667, '40:00:00'],
  ['[mm]', 0.3125, '07:30:00'],
  ['[ss]', 0.3125, '07:30:00'],
  [45, 0.3125, '07:30:00'],
  [47, 0.3125, '07:30:00'],
  ['h:mm', 1.25, '30:00:00'],
  [20, 0, '00:00:00'],
  [18, 0.666666666666667, '16:00:00'],
  ['hh:mm AM/PM', 0.29236111111, '07:01:00'],
  ['h:mm', 46_353.916666666664, '2026-11-27 22:00:00'],
  [22, 46_353.916666666664, '2026-11-27 22:00:00'],
  ['yyyy-mm-dd h:mm:ss', 46_354, '2026-11-28 00:00:00'],
  ['yyyy-mm-dd h:mm:ss', 46_353.999_999, '2026-11-28 00:00:00'],
  ['[$-409]m/d/yy h:mm AM/PM;@', 46_353.5, '2026-11-27 12:00:00'],
  ['[h]:mm', -0.25, '-06:00:00'],
  [14, 46_353, '2026-11-27'],
  [16, 46_093, '2026-03-12'],
  ['dd.mm.yyyy', 46_353, '2026-11-27'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 46_353, '2026-11-27'],
  [14, 46_353.375, '2026-11-27 09:00:00'],
  [14, 1, '1900-01-01'],
])('[MAP-047] a date or time of format %s and value %s is the text %s', async (format, value, text) => {
  expect(await shownText(format, value)).toBe(text)
})

test('a workbook with the 1904 date system has its own days, and the same durations', async () => {
  const cells = [
    { format: 14, value: 44_891 },
    { format: 'yyyy-mm-dd h:mm', value: 44_891.5 },
    { format: '[h]:mm', value: 1.25 },
    { format: 'h:mm', value: 0.5 },
  ]
  expect(await shownCells(cells, { date1904: true })).toEqual(['2026-11-27', '2026-11-27 12:00:00', '30:00:00', '12:00:00'])
})

test('all kinds of cells are read as shown: text, booleans, errors, ISO dates, formula results', async () => {
  const cells = [
    { type: 'b', value: 1 },
    { type: 'b', value: 0 },
    { type: 'e', value: '#N/A' },
    { type: 'e', inner: '<f>VLOOKUP(A1,Staff!A:B,2)</f><v>#REF!</v>' },
    { type: 'str', inner: '<f>"A"&amp;1</f><v>A1</v>' },
    { type: 'd', value: '2026-03-12' },
    { type: 'd', value: '2026-03-12T08:29:59.700Z' },
    { type: 'd', value: '2026-03-12T00:00:00' },
    { type: 'd', value: 'T08:30:00' },
    { type: 'inlineStr', inner: '<is><t>3-13</t></is>' },
    { inner: '' },
  ]
  expect(await shownCells(cells)).toEqual([
    'TRUE',
    'FALSE',
    '#N/A',
    '#REF!',
    'A1',
    '2026-03-12',
    '2026-03-12 08:30:00',
    '2026-03-12',
    '08:30:00',
    '3-13',
  ])
})

test('a formula that was never calculated is its own text, which no field accepts', async () => {
  const cells = [
    { inner: '<f>B2*C2</f><v></v>' },
    { inner: '<f>B2*C2</f><v/>' },
    { inner: '<f>B2*C2</f>' },
    { type: 'str', inner: '<f>A1</f>' },
  ]
  expect(await shownCells(cells)).toEqual(['=B2*C2', '=B2*C2', '=B2*C2', '=A1'])
  expect(understand('money', '=B2*C2')).toHaveProperty('fault')
})

const fixture = async (name: string) =>
  sheetLines(new Uint8Array(readFileSync(new URL(`../support/cases/${name}`, import.meta.url))))

test('files of real spreadsheets have the content that their cells show', async () => {
  expect((await fixture('ee-leading-zeros.xlsx')).map(([code]) => code)).toEqual(['Emp ID', '00417', '00018'])
  expect((await fixture('ee-date-as-code.xlsx')).map(([code]) => code)).toEqual(['Emp ID', '2026-03-12', '3-13'])
  expect((await fixture('tk-hours-above-24.xlsx')).map((cells) => cells[2])).toEqual([
    'Hours',
    '30:00:00',
    '40:00:00',
    '24:00:00',
    '07:30:00',
  ])
  const clocks = await fixture('tk-clock-datetime.xlsx')
  const minutes = clocks.slice(1).map(([, day = '', clockIn = '', clockOut = '']) => {
    const read = (text: string) => String((understand('time', text) as { value: string }).value)
    return minutesBetween(read(clockIn), read(clockOut), day)
  })
  expect(minutes).toEqual([480, 480, 480])
})

const secondOfDay = fc.integer({ min: 0, max: 86_399 })
const pad = (number: number) => String(number).padStart(2, '0')

test('every duration up to a week, stored as a fraction of days, is exact to the second', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 7 * 86_400 }),
      fc.constantFrom('[h]:mm', '[h]:mm:ss', '[mm]', '[ss]', 46),
      async (seconds, format) => {
        const text = `${pad(Math.floor(seconds / 3_600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`
        expect(await shownText(format, seconds / 86_400)).toBe(text)
        const parts = understand('hours', text)
        if (seconds <= 86_400) expect(parts).toEqual({ value: Math.round(seconds / 12) })
        else expect(parts).toEqual({ fault: 'A day has at most 24 hours.' })
      },
    ),
    { numRuns: 60 },
  )
})

test('every second of this century, stored as a number of days, is exact to the second', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 36_526, max: 73_050 }), secondOfDay, async (day, second) => {
      const date = new Date(Date.UTC(1899, 11, 30 + day)).toISOString().slice(0, 10)
      const time = `${pad(Math.floor(second / 3_600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`
      expect(await shownText(22, day + second / 86_400)).toBe(`${date} ${time}`)
      const read = understand('time', `${date} ${time}`)
      expect(read).toEqual({ value: `${date} ${time.replace(/:00$/, '')}` })
      expect(understand('date', `${date} ${time}`)).toEqual({ value: date })
    }),
    { numRuns: 60 },
  )
})

test('every whole number of up to nine digits keeps the zeros that its format shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 1, max: 12 }), async (number, digits) => {
      expect(await shownText('0'.repeat(digits), number)).toBe(String(number).padStart(digits, '0'))
    }),
    { numRuns: 60 },
  )
})

test('no amount of another currency is dollars, whether in a workbook or as text', async () => {
  for (const format of ['[$€-407] #,##0.00', '0.00" EUR"', '[$£-809]0.00']) {
    const shown = await shownText(format, 33)
    expect([shown, understand('money', shown as string)]).toEqual([shown, { fault: expect.any(String) }])
  }
})
