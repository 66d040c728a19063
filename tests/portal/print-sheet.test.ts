// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import invoices from '#portal/nouns/invoices/list.tsx'
import { printSheet } from '#portal/list/print-sheet.ts'
import { invoiceLike } from '#tests/support/examples.ts'

const columns = invoices.columns.filter(({ id }) => ['number', 'status', 'outstanding'].includes(id))
const rows = [
  invoiceLike(),
  invoiceLike({ id: 40002, number: 'INV-40002', outstanding_amount: -168_713_095, derived: ['OVERPAID'] }),
]
const sheet = (count: number | null) =>
  printSheet({
    title: 'Invoices: Overdue',
    words: ['Status is Overdue', 'Sorted by due date, ascending'],
    columns,
    rows,
    count,
    totals: [{ title: 'outstanding', cents: 600_000 }],
  })
const texts = (of: HTMLElement, selector: string) => [...of.querySelectorAll(selector)].map((each) => each.textContent)

test('a printed list has its heading, its filters in words, and every loaded row as text', () => {
  const paper = sheet(2)
  expect(texts(paper, 'h1')).toEqual(['Invoices: Overdue'])
  expect(texts(paper, 'p')).toEqual(['Status is Overdue · Sorted by due date, ascending', '2 rows · outstanding $6,000.00'])
  expect(texts(paper, 'th')).toEqual(['Employer, number', 'Status', 'Outstanding'])
  expect(texts(paper, 'td')).toEqual([
    'Harbor Foods, INV-40001',
    'Sent, Overdue 12 d, Underpaid',
    '$6,000.00',
    'Harbor Foods, INV-40002',
    'Sent, Overpaid',
    '−$1,687,130.95',
  ])
  expect(texts(paper, '.print-right')).toEqual(['Outstanding', '$6,000.00', '−$1,687,130.95'])
})

test('says how many are missing where not all are loaded', () => {
  expect(texts(sheet(9_880), 'p').at(-1)).toBe('2 rows of 9,880: those that were loaded · outstanding $6,000.00')
  expect(texts(sheet(null), 'p').at(-1)).toMatch(/^2 rows: those that were loaded/)
})
