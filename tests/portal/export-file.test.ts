// @vitest-environment happy-dom
import { unzipSync } from 'fflate'
import { readSheet } from 'read-excel-file/node'
import { afterEach, expect, test } from 'vitest'
import { showTimesIn } from '#portal/format/dates.ts'
import type { ListColumn } from '#portal/list/definition.ts'
import { exportFile, exportFileName } from '#portal/list/export-file.ts'
import { amounts, dates, plain, times } from '#portal/nouns/columns.tsx'
import invoices from '#portal/nouns/invoices/list.tsx'
import { invoiceLike } from '#tests/support/examples.ts'

afterEach(() => showTimesIn('America/New_York'))

interface Row {
  code: string
  name: string
  cents: number | null
  day: string | null
  at: string | null
}

const columns: readonly ListColumn[] = [
  plain<Row>('code', 'Code', 80, (one) => one.code),
  plain<Row>('name', 'Name', 80, (one) => one.name),
  amounts<Row>('amount', 'Amount', (one) => one.cents),
  dates<Row>('day', 'Hired', (one) => one.day),
  times<Row>('at', 'Created', (one) => one.at),
]
const rows: readonly Row[] = [
  { code: '0417', name: '=A1', cents: -168_713_095, day: '2026-02-28', at: '2026-11-29T04:04:00Z' },
  { code: '1E5', name: 'O’Hara, "Jo" <&> 李雷\nsecond line', cents: 0, day: null, at: null },
  { code: '—', name: '_x0041_\u0007', cents: null, day: '1999-12-31', at: '2026-07-01T16:00:00Z' },
]

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())
const textOf = async (blob: Blob) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(await blob.arrayBuffer())

test('a workbook has numbers, dates in the business time zone, and text that stays text', async () => {
  const file = await bytesOf(await exportFile('xlsx', 'Invoices: [open]', columns, rows))
  expect(await readSheet(file)).toEqual([
    ['Code', 'Name', 'Amount', 'Hired', 'Created'],
    ['0417', '=A1', -1_687_130.95, new Date('2026-02-28T00:00:00Z'), new Date('2026-11-28T23:04:00Z')],
    ['1E5', 'O’Hara, "Jo" <&> 李雷\nsecond line', 0, null, null],
    [null, '_x0041_', null, new Date('1999-12-31T00:00:00Z'), new Date('2026-07-01T12:00:00Z')],
  ])
  const parts = unzipSync(file)
  const part = (name: string) => new TextDecoder().decode(parts[name])
  expect(part('xl/styles.xml')).toContain('formatCode="#,##0.00"')
  expect(part('xl/styles.xml')).toContain('formatCode="yyyy-mm-dd hh:mm"')
  expect(part('xl/worksheets/sheet1.xml')).not.toContain('<f>')
  expect(part('xl/workbook.xml')).toContain('name="Invoices   open "')
})

test('a CSV has plain numbers and dates, and escapes text that a spreadsheet would evaluate', async () => {
  expect(await textOf(await exportFile('csv', 'Rows', columns, rows))).toBe(
    [
      '\ufeffCode,Name,Amount,Hired,Created',
      "0417,'=A1,-1687130.95,2026-02-28,2026-11-28 23:04",
      '1E5,"O’Hara, ""Jo"" <&> 李雷\nsecond line",0.00,,',
      ',_x0041_\u0007,,1999-12-31,2026-07-01 12:00',
      '',
    ].join('\r\n'),
  )
  for (const name of ['+1', '-1', '@x', '＝1']) {
    const text = await textOf(await exportFile('csv', 'Rows', [columns[1] as ListColumn], [{ ...rows[0], name }]))
    expect(text).toBe(`\ufeffName\r\n'${name}\r\n`)
  }
})

test('an exported list has the given columns in order', async () => {
  const all = invoices.columns
  const shown = ['due', 'number', 'past-due', 'outstanding', 'status'].map(
    (id) => all.find((column) => column.id === id) as ListColumn,
  )
  const file = await bytesOf(await exportFile('xlsx', 'Invoices', shown, [invoiceLike()]))
  expect(await readSheet(file)).toEqual([
    ['Due date', 'Employer, number', 'Days past due', 'Outstanding', 'Status'],
    [new Date(`${invoiceLike().due_date}T00:00:00Z`), 'Harbor Foods, INV-40001', 12, 6000, 'Sent, Overdue 12 d, Underpaid'],
  ])
})

test('a workbook of many rows is complete', async () => {
  const many = Array.from({ length: 5_001 }, (_, n) => ({ ...rows[0], code: String(n).padStart(6, '0') }))
  const sheet = await readSheet(await bytesOf(await exportFile('xlsx', 'Rows', columns, many)))
  expect([sheet.length, sheet[5_001]?.[0]]).toEqual([5_002, '005000'])
})

test('a file is named by list, filter, person and time, in safe characters of bounded length', () => {
  const at = new Date('2026-11-29T20:04:30Z')
  expect(exportFileName('xlsx', { list: 'employees', filter: 'Active', person: 'June Smith', at })).toBe(
    'employees-active-june-smith-2026-11-29-1504.xlsx',
  )
  expect(exportFileName('csv', { list: 'audit-events', filter: '', person: 'Zoë O’Neill', at })).toBe(
    'audit-events-zoe-oneill-2026-11-29-1504.csv',
  )
  expect(exportFileName('csv', { list: 'invoice.repayments 40001', filter: '../..\\:*?"<>|', person: '李雷', at })).toBe(
    'invoice-repayments-40001-李雷-2026-11-29-1504.csv',
  )
  const long = exportFileName('csv', { list: 'employees', filter: 'many words '.repeat(40), person: 'x'.repeat(300), at })
  expect(long.length).toBeLessThanOrEqual(180)
  expect(long).toMatch(/^employees-many-words-.*-x+-2026-11-29-1504\.csv$/)
})
