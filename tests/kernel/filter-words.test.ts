import { expect, test } from 'vitest'
import { employeeFilters } from '#contract/employees.ts'
import { invoiceFilters } from '#contract/invoices.ts'
import type { Filter } from '#contract/filter.ts'
import { type Meaning, readFilterWords } from '#kernel/filter-words.ts'

/** 'status is PAUSED, search raven'. */
const told = ({ set, q }: Meaning): string =>
  [...set.map(({ id, type, value }) => `${id} ${type} ${value}`), ...(q ? [`search ${q}`] : [])].join(', ')
const read = (typed: string, filters: readonly Filter[], searched = true) => readFilterWords(typed, filters, searched).map(told)

test.each([
  ['paused', 'status is PAUSED'],
  ['Paused', 'status is PAUSED'],
  ['paused raven', 'status is PAUSED, search raven'],
  ['raven paused', 'status is PAUSED, search raven'],
  ['paused active', 'status is PAUSED,ACTIVE'],
  ['not paused', 'status is_not PAUSED'],
  ['not paused raven', 'status is_not PAUSED, search raven'],
  ['pau', 'status is PAUSED'],
  ['active pau', 'status is ACTIVE,PAUSED'],
  ['biweekly', 'frequency is BI_WEEKLY'],
  ['bi-weekly', 'frequency is BI_WEEKLY'],
])('%s, of employees, is %s', (typed, meaning) => {
  expect(read(typed, employeeFilters)[0]).toBe(meaning)
})

test.each([
  ['overdue', 'status is OVERDUE'],
  ['paid', 'status is CLOSED'],
  ['closed', 'status is CLOSED'],
  ['overdue > 500', 'outstanding over 50000, status is OVERDUE'],
  ['overdue >500', 'outstanding over 50000, status is OVERDUE'],
  ['> $1,234.50 overdue', 'outstanding over 123450, status is OVERDUE'],
  ['over 500', 'outstanding over 50000'],
  ['< 500', 'outstanding under 50000'],
  ['under 0.01', 'outstanding under 1'],
  ['>= 500', 'outstanding over 49999'],
  ['<= 500', 'outstanding under 50001'],
  ['< -10', 'outstanding under -1000'],
  ['overdue > 500 harbor freight', 'outstanding over 50000, status is OVERDUE, search harbor freight'],
  ['flagged debtor', 'flagged is YES'],
  ['not flagged debtor', 'flagged is NO'],
  ['flagged', 'flagged is YES'],
  ['overdue flagged', 'status is OVERDUE, flagged is YES'],
  ['sent or returned', 'status is SENT,RETURNED'],
  ['sent, returned', 'status is SENT,RETURNED'],
])('%s, of invoices, is %s', (typed, meaning) => {
  expect(read(typed, invoiceFilters)[0]).toBe(meaning)
})

test('what no filter says is searched for, where the list can be', () => {
  expect(read('raven', employeeFilters)).toEqual(['search raven'])
  expect(read('raven', employeeFilters, false)).toEqual([])
  expect(read('paused raven', employeeFilters, false)).toEqual([])
  expect(read('', employeeFilters)).toEqual([])
  expect(read('> twelve', invoiceFilters)).toEqual(['search > twelve'])
  // A list without an amount has nothing to compare.
  expect(read('> 500', employeeFilters)).toEqual(['search > 500'])
})

test('half a word offers all that it may become, and the search last', () => {
  const offered = read('pa', invoiceFilters)
  expect(offered.length).toBeGreaterThan(2)
  expect(offered.length).toBeLessThanOrEqual(8)
  expect(offered).toContain('status is CLOSED')
  expect(offered.at(-1)).toBe('search pa')
  expect(new Set(offered).size).toBe(offered.length)
})

test('behind words that are searched for, half a word begins what a filter says, and is no word within it', () => {
  expect(read('due before dec', invoiceFilters)[0]).toBe('search due before dec')
  expect(read('dec', invoiceFilters)).toContain('write_offs is YES')
})

test('what is long is searched for, and costs nothing', () => {
  expect(read('paused '.repeat(8), employeeFilters)[0]).toBe('status is PAUSED')
  const pasted = 'pending paused '.repeat(50_000).trim()
  expect(read(pasted, employeeFilters)).toEqual([`search ${pasted}`])
})
