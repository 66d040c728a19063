import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { FileParts } from '#domain/file-reading.ts'
import { encodingFinder, namedSeparator, separatorOf } from '#domain/file-text.ts'
import { garbledPart, hasOtherEncoding, likelyEncodings, mendedText } from '#domain/garbled-text.ts'
import { readMappedFile } from '#domain/mapped-file.ts'
import type { MappingColumn } from '#domain/mapping.ts'
import { faultInWords, type MappedRow } from '#domain/mapping-reading.ts'
import { proposedHeaderLine } from '#domain/mapping-proposals.ts'
import { readVisibleSheet, type SheetRead } from '#domain/workbook.ts'
import { sheetSentences, visibleSheet } from '#domain/workbook-sheets.ts'
import { withSheets, workbookParts } from '#tests/support/workbook.ts'

const columns: readonly MappingColumn[] = [
  { header: 'Emp ID', field: 'employee_code' },
  { header: 'First', field: 'first_name' },
  { header: 'Status', field: 'status' },
]

async function read(
  content: string | Uint8Array,
  more: Partial<Parameters<typeof readMappedFile>[1]> = {},
  answers = {},
  sheet: SheetRead | null = null,
  name = sheet ? 'acme_ee.xlsx' : 'acme_ee.csv',
) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  let rows: MappedRow[] = []
  const { reader, report, questions } = await readMappedFile(
    {
      name,
      open: async function* () {
        yield bytes
      },
      parser: (options) => parse(options) as unknown as ReturnType<FileParts['parser']>,
      sheet: async (unread, chosen) => sheet ?? readVisibleSheet(unread, chosen),
    },
    { kind: 'EMPLOYEE', columns, header_line: 1, ...more },
    answers,
    {
      begin: () => {
        rows = []
      },
      row: (row) => row && rows.push(row),
    },
  )
  const { refused, faults, lines } = reader.result
  return { rows, report, questions, lines, refused: refused && faultInWords(refused), faults: faults.map(faultInWords) }
}

const codesIn = ({ rows }: { rows: readonly MappedRow[] }) => rows.map(({ identifier }) => identifier)
const firstNames = ({ rows }: { rows: readonly MappedRow[] }) => rows.map(({ values }) => values.first_name)
/** Converts a text of characters below 256 to one byte each. */
const oneByteEach = (text: string): Uint8Array => Uint8Array.from([...text].map((sign) => sign.charCodeAt(0)))

test('blank and short lines cost no more than others: the parser makes no error for each of them', async () => {
  const parsers: ReturnType<typeof parse>[] = []
  const open = async function* () {
    yield new TextEncoder().encode(`Emp ID,First,Status\n${'\n'.repeat(50)}A-1,Ann\nA-2,Bo,Active,,\n`)
  }
  const parser: FileParts['parser'] = (options) => {
    const made = parse(options)
    parsers.push(made)
    return made as unknown as ReturnType<FileParts['parser']>
  }
  const file = { name: 'acme_ee.csv', open, parser, sheet: async () => ({ lines: [], notes: visibleSheet({}) }) }
  const { reader } = await readMappedFile(file, { kind: 'EMPLOYEE', columns, header_line: 1 }, {}, { begin: () => {} })
  expect(reader.result.lines).toBe(2)
  expect(parsers.map(({ info }) => info.invalid_field_length)).toEqual([0])
})

describe('the encoding of a file', () => {
  const file = (name: string) => `Emp ID,First,Status\nA-1,${name},Active\n`
  const utf16 = (text: string, mark = false) => {
    const units = [...(mark ? '\ufeff' : ''), ...text].map((sign) => sign.charCodeAt(0))
    return Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]))
  }
  const swapped = (bytes: Uint8Array) => bytes.map((_, at) => bytes[at ^ 1] as number)

  test.each([
    ['UTF-8', new TextEncoder().encode(file('José'))],
    ['UTF-8', new TextEncoder().encode(`\ufeff${file('José')}`)],
    ['UTF-16 LE', utf16(file('José'))],
    ['UTF-16 LE', utf16(file('José'), true)],
    ['UTF-16 BE', swapped(utf16(file('José')))],
    ['UTF-16 BE', swapped(utf16(file('José'), true))],
    ['Windows-1252', oneByteEach(file('Jos\xe9'))],
  ])('is detected and named: %s', async (encoding, bytes) => {
    const done = await read(bytes)
    expect([done.report.encoding, ...firstNames(done)]).toEqual([encoding, 'José'])
  })

  test.each([
    ['Hru\xa8ka', 'Hruška', 'Latin-9 (ISO 8859-15)'],
    ['\xb4ivko', 'Živko', 'Latin-9 (ISO 8859-15)'],
    ['Zo\xeb Bl\xbdm', 'Zoë Blœm', 'Latin-9 (ISO 8859-15)'],
    ['O\xb4Brien', 'O´Brien', 'Windows-1252'],
    ['J\xf6rg \x96 A', 'Jörg – A', 'Windows-1252'],
    ['Mia 7\xbd \xe9', 'Mia 7½ é', 'Windows-1252'],
  ])('with single bytes is detected by the resulting letters: %j', async (written, name, encoding) => {
    const done = await read(oneByteEach(file(written)))
    expect([done.report.encoding, ...firstNames(done)]).toEqual([encoding, name])
  })

  test('stays UTF-8 with a few invalid bytes, in chunks of any size', () => {
    const bytes = [...new TextEncoder().encode('Zoë, Ö'), 0xff]
    for (const size of [1, 2, 3, bytes.length]) {
      const { see, encoding } = encodingFinder()
      for (let at = 0; at < bytes.length; at += size) see(Uint8Array.from(bytes.slice(at, at + size)))
      expect(encoding()).toBe('utf-8')
    }
  })

  test('is detected in chunks of any size, also if all bytes of one are ASCII', () => {
    const plain = 'Ann,Lee;'.repeat(4)
    const named: [string, string][] = [
      [`${plain}Hru\xa8ka${plain}`, 'iso-8859-15'],
      [`${plain}\xb4ivko`, 'iso-8859-15'],
      [`${plain}J\xf6rg \x96 A${plain}`, 'windows-1252'],
      [`${plain}Jos\xc3\xa9${plain}`, 'utf-8'],
      [`${plain}Jos\xc3${plain}`, 'windows-1252'],
    ]
    for (const [text, expected] of named)
      for (const size of [1, 2, 3, 4, 8, 16]) {
        const bytes = oneByteEach(text)
        const { see, encoding } = encodingFinder()
        for (let at = 0; at < bytes.length; at += size) see(bytes.subarray(at, at + size))
        expect([encoding(), text, size]).toEqual([expected, text, size])
      }
  })
})

test('double-encoded texts are repaired, and no others', () => {
  const twice = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))
  for (const name of ['José', 'Nuñez', 'Zoë Müller', 'Łukasz', '李小龍', 'D’Angelo']) {
    expect(mendedText(twice(name)), name).toBe(name)
    expect(mendedText(twice(twice(name))), name).toBe(name)
    expect(mendedText(name), name).toBeNull()
  }
  for (const name of ['Ann Lee', 'JOÃO', 'Â', 'Ã', 'Fañch', '€']) expect(mendedText(name), name).toBeNull()
  expect(garbledPart('JosÃ© Mora')).toEqual({ garbled: 'Ã©', mended: 'é' })
})

test('garbled texts are repaired: UTF-8 read as Mac Roman or DOS, and HTML entities', () => {
  for (const [garbled, name] of [
    ['Jos√©', 'José'],
    ['Mu√±oz', 'Muñoz'],
    ['O‚ÄôBrien', 'O’Brien'],
    ['Jos├®', 'José'],
    ['GarcÃ\u00ada', 'García'],
    ['Ã\u0081ngel', 'Ángel'],
    ['Jos&eacute;', 'José'],
    ['O&#39;Brien', "O'Brien"],
    ['O&amp;#39;Brien', "O'Brien"],
    ['&Ntilde;&#xFA;&oslash;', 'Ñúø'],
  ] as const)
    expect(mendedText(garbled), garbled).toBe(name)
  // Valid UTF-8 in an older encoding, but of other alphabets.
  for (const name of ['Íñigo', 'D’Élia', 'São Ñoño', 'Tom & Ann', 'A&M;']) expect(mendedText(name), name).toBeNull()
})

test('names show by their characters that a file was read in the wrong encoding', () => {
  for (const name of ['JosŽ', 'Mu–oz', 'Garc’a', 'Ram—n', 'Zo‘', 'MŸller', 'Jos‚', 'Mu¤oz', '£ukasz', 'Wiœniewski', 'M‡laga'])
    expect(hasOtherEncoding(name), name).toBe(true)
  for (const name of [
    'José Nuñez',
    'O’Brien',
    'D’Angelo',
    'Ka’ahumanu',
    'Želimir Škoda',
    'Smith–Jones',
    'Müller – Kern',
    'Mª José',
    'Ana “Annie” Mora',
    'Lecœur',
    'Œuvré',
    'JOSÉ MUÑOZ',
    'Gal·la',
    'O´Brien',
  ])
    expect(hasOtherEncoding(name), name).toBe(false)
  const suggestedFilter = (...names: string[]) =>
    likelyEncodings(names, 'windows-1252').map(({ encoding, name }) => [encoding, name])
  expect(suggestedFilter('JosŽ', 'Mu–oz')).toEqual([['macintosh', 'José']])
  expect(suggestedFilter('Jos‚', 'Mu¤oz')).toEqual([['ibm850', 'José']])
  expect(suggestedFilter('£ukasz', 'Wiœniewski')).toEqual([['windows-1250', 'Łukasz']])
  expect(suggestedFilter('A¼B½')).toEqual([])
})

describe('the separator of cells', () => {
  test.each([
    [';', ['Emp ID;First;Rate', 'A-1;Ana;21,50', 'A-2;Ben;1.021,50']],
    [';', ['Name;Rate', 'Ana;21,50']],
    [';', ['a;b', '1,5;2,5', '1,5;3,5']],
    [',', ['Acme; East', 'Staff; 27 Nov', 'Emp ID,First,Last', 'A-1,Ana,Mora', 'A-2,Ben,Ilves']],
    ['\t', ['Acme, Inc., East', 'Emp ID\tFirst\tLast', 'A-1\tAna\tMora']],
    ['|', ['Emp ID|Name', 'A-1|"Mora, Ana, B"']],
    [',', ['Emp ID', 'A-1']],
  ])('is %j in %j', (sign, lines) => expect(separatorOf(lines)).toBe(sign))

  test('is set by a first line sep=', () => {
    expect(['sep=;', 'SEP=,', '"sep=\t"', '\ufeffsep=|', 'sep=', 'sep=ab', 'separator'].map(namedSeparator)).toEqual([
      ';',
      ',',
      '\t',
      '|',
      null,
      null,
      null,
    ])
  })
})

describe('the header line', () => {
  const titled = 'Acme Foods East,,\nStaff,,\nEmp ID,First,Status\nA-1,Ana,Active\n'

  test('is that of the mapping, not counting a line sep=', async () => {
    expect(codesIn(await read(titled, { header_line: 3 }))).toEqual(['A-1'])
    const named = await read(`sep=;\n${titled.replaceAll(',', ';')}`, { header_line: 3 })
    expect([codesIn(named), named.rows[0]?.line]).toEqual([['A-1'], 5])
  })

  test('is a question if another line has the headers, above or below', async () => {
    const [below] = (await read(titled)).questions
    expect(below?.sentence).toBe('Line 1 holds “Acme Foods East”. The headers are in line 3.')
    const above = await read('Emp ID,First,Status\nA-1,Ana,Active\n', { header_line: 2 })
    expect(above.questions[0]).toMatchObject({ id: 'header-line', choices: [{ value: '1' }] })
    const past = await read('Emp ID,First,Status\nA-1,Ana,Active\n', { header_line: 9 })
    expect(past.questions[0]?.sentence).toBe('There is no line 9. The headers are in line 1.')
    expect(codesIn(await read(titled, {}, { 'header-line': '3' }))).toEqual(['A-1'])
  })

  test('is suggested from a sample by common header words', () => {
    const lines = titled.split('\n').map((line, at) => ({ line: at + 1, cells: line.split(',') }))
    expect(proposedHeaderLine('EMPLOYEE', lines)).toBe(3)
    expect(proposedHeaderLine(null, lines)).toBe(3)
    expect(proposedHeaderLine('EMPLOYEE', [{ line: 1, cells: ['x', 'y'] }])).toBeNull()
  })
})

describe('lines of a report', () => {
  test('repeated headers are skipped, totals and footers are not people, but similar codes are', async () => {
    const codes = [
      'A-1',
      'Grand total',
      'TOTAL:',
      '*** End of report ***',
      'Count: 2',
      'Page 2 of 3',
      'Printed on 1 May',
      'TOTAL7',
      'Counter',
      'Tot',
    ]
    const file = `Emp ID,First,Status\n${codes.map((code) => `${code},Ana,Active\nEMP ID, first ,STATUS\n`).join('')}`
    const done = await read(file)
    expect(codesIn(done)).toEqual(['A-1', 'TOTAL7', 'Counter', 'Tot'])
    expect(done.faults).toHaveLength(6)
    expect(done.report.notes).toEqual(['10 lines repeat the headers and were passed over.'])
  })

  test('a line break in a cell rejects the record, except at the end of a cell', async () => {
    const done = await read('Emp ID,First,Status\nA-1,"Ana\n",Active\nA-2,"Ben\nIlves",Active\n"A-3\nA-4",Cy,Active\n')
    expect(codesIn(done)).toEqual(['A-1'])
    expect(done.faults.map((fault) => fault.slice(0, 70))).toEqual(
      [
        'Line 4, First: A quote is opened in line 4 and closed in line 5. Close ',
        'Line 6, Emp ID: A quote is opened in line 6 and closed in line 7. Close',
      ].map((fault) => fault.slice(0, 70)),
    )
  })

  test('headers alone are refused, and so are more blank lines than a file may have lines', async () => {
    expect((await read('Emp ID,First,Status\n')).refused).toBe('Line 1: There are headers and no lines below them.')
    const lines = [['Emp ID', 'First', 'Status'], ...Array.from({ length: 2_000_001 }, () => [])]
    const blank = await read(new Uint8Array([0x50, 0x4b, 3, 4]), {}, {}, { lines, notes: visibleSheet({}) })
    expect(blank.refused).toBe('Line 2,000,002: A file has at most 2,000,000 lines. Send it in parts.')
  })
})

describe('a workbook', () => {
  const staff = ['Emp ID', 'First', 'Status']

  test('is read from its first visible sheet, and hidden ones are reported', async () => {
    const bytes = new Uint8Array(readFileSync(new URL('../support/cases/ee-hidden-first-sheet.xlsx', import.meta.url)))
    const { lines, notes } = await readVisibleSheet(bytes)
    expect(lines[0]).toEqual(['Emp ID', 'First', 'Last', 'Status', 'Hired', 'Rate'])
    expect(notes).toMatchObject({ place: 2, name: 'Staff', hiddenSheets: ['Old'], otherSheets: [] })
  })

  describe('with several visible sheets', () => {
    const row = (at: number, ...cells: string[]) =>
      `<row r="${at}">${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
    const staff = (code: string) => row(1, 'Emp ID', 'First', 'Status') + row(2, code, 'Ana', 'Active')
    const file = (first: string[][], ...more: string[]) => zipSync(withSheets(workbookParts(first), ...more))
    const readWorkbook = (bytes: Uint8Array, answers = {}) => read(bytes, {}, answers, undefined, 'acme_ee.xlsx')

    test('reads the only one with the headers of the mapping, also further down', async () => {
      for (const cover of [[['Acme staff'], ['November']], []])
        expect(await readWorkbook(file(cover, staff('A-1')))).toMatchObject({
          refused: null,
          questions: [],
          rows: [{ identifier: 'A-1' }],
          report: { sheet: 'More 0', notes: ['The sheet “More 0” was read.', 'The sheet “Sheet1” was not read.'] },
        })
      const below = row(1, 'Acme staff') + row(3, 'Emp ID', 'First', 'Status') + row(4, 'A-1', 'Ana', 'Active')
      expect((await readWorkbook(file([['Cover']], below))).questions).toMatchObject([{ id: 'header-line' }])
    })

    test('asks if several have them, and reads the one that a person chooses', async () => {
      const bytes = file(
        [
          ['Emp ID', 'First', 'Status'],
          ['A-9', 'Old', 'Active'],
        ],
        row(1, 'Notes'),
        staff('A-1'),
      )
      const { questions } = await readWorkbook(bytes)
      expect(questions).toEqual([
        {
          id: 'sheet',
          sentence: 'The sheets “Sheet1” and “More 1” have the headers of the mapping. Which one should be read?',
          choices: [
            { value: 'Sheet1', label: 'Read the sheet “Sheet1”' },
            { value: 'More 1', label: 'Read the sheet “More 1”' },
          ],
        },
      ])
      for (const [sheet, codes] of [
        ['Sheet1', ['A-9']],
        ['More 1', ['A-1']],
      ] as const) {
        const done = await readWorkbook(bytes, { sheet })
        expect(done).toMatchObject({ questions: [], report: { sheet } })
        expect(codesIn(done)).toEqual(codes)
      }
    })

    test('refuses a file without such a sheet, with the message for the first one', async () => {
      const done = await readWorkbook(file([['Cover']], row(1, 'Notes')))
      expect(done.refused).toBe('Line 1, Emp ID: The file has no such column. Line 1 holds “Cover”.')
    })
  })

  test('reports hidden rows and sheets, and reads hidden rows', async () => {
    const parts = withSheets(workbookParts([staff, ['A-1', 'Ana', 'Active'], ['A-2', 'Ben', 'Active']]), '<row r="1"/>')
    const name = 'xl/worksheets/sheet1.xml'
    const xml = new TextDecoder().decode(parts[name] as Uint8Array)
    const hidden = xml
      .replace('<row r="3">', '<row r="3" hidden="1">')
      .replace(
        '<sheetData>',
        '<cols><col min="2" max="3" hidden="1"/><col min="5" max="5"/><col min="7" max="16384" hidden="1"/></cols><sheetData>',
      )
      .replace('</sheetData>', '</sheetData><autoFilter ref="A1:C3"><filterColumn colId="0"/></autoFilter>')
    const { lines, notes } = await readVisibleSheet(zipSync({ ...parts, [name]: strToU8(hidden) }))
    expect(lines).toHaveLength(3)
    expect(sheetSentences(notes)).toEqual([
      'The sheet “Sheet1” was read, the first visible one.',
      'The sheet “More 0” was not read.',
      'Row 3 is hidden and was read all the same.',
      '2 columns (B, C) are hidden and were read all the same.',
      'A filter is set in the sheet. Rows that it hides were read all the same.',
    ])
  })
})
