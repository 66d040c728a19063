import { expect, test } from 'vitest'
import { employeeFilters } from '#contract/employees.ts'
import { auditFilters } from '#contract/audit-events.ts'
import { invoiceFilters } from '#contract/invoices.ts'
import { importFilters } from '#contract/imports.ts'
import { userFilters } from '#contract/users.ts'
import { timekeepingFilters } from '#contract/timekeeping.ts'
import { repaymentFilters } from '#contract/repayments.ts'
import { writeOffFilters } from '#contract/write-offs.ts'
import type { Filter } from '#contract/filter.ts'
import type { Span } from '#kernel/filter-comparisons.ts'
import { recordNamed } from '#kernel/filter-records.ts'
import { type Meaning, readFilterWords } from '#kernel/filter-words.ts'

/** Dates as a form parses them on Friday, 2026-11-27; the second value is for dates in the past. */
const dates: Record<string, readonly [string, string?]> = {
  today: ['2026-11-27'],
  fri: ['2026-12-04', '2026-11-20'],
  mon: ['2026-11-30', '2026-11-23'],
  '11/30': ['2026-11-30'],
  'nov 30': ['2026-11-30'],
  '30 days ago': ['2026-10-28'],
  '3 days ago': ['2026-11-24'],
  '2026-11-30': ['2026-11-30'],
  '11/1': ['2026-11-01'],
  'nov 1': ['2026-11-01'],
  '11/15': ['2026-11-15'],
  'nov 15': ['2026-11-15'],
  '2026-11-15': ['2026-11-15'],
  1: ['2026-11-01'],
  7: ['2026-11-07'],
  15: ['2026-11-15'],
  20: ['2026-11-20'],
}
/** A range of several days. */
const spans: Record<string, Span> = {
  'last 7 days': ['2026-11-21', '2026-11-27'],
  'this week': ['2026-11-22', '2026-11-28'],
  feb: ['2026-02-01', '2026-02-28'],
  oct: ['2026-10-01', '2026-10-31'],
  nov: ['2026-11-01', '2026-11-30'],
}
const spanOf = (text: string, past: boolean): Span | null => {
  const [date, last] = dates[text] ?? []
  const day = (past && last) || date
  return day ? [day, day] : (spans[text] ?? null)
}
/** Columns and sort orders used in these texts. */
const titles = new Map<readonly Filter[], string[]>([
  [invoiceFilters, ['Paid', 'Invoice', 'Outstanding', 'Days past due', 'Write-off', 'Paid amount', 'Outstanding amount']],
  [repaymentFilters, ['Amount', 'Repayment date']],
  [writeOffFilters, ['Suggested', 'Suggested amount', 'Invoice amount']],
])

/** 'status is PAUSED, search raven'. */
const describeMeaning = ({ set, q }: Meaning): string =>
  [...set.map(({ id, type, value }) => `${id} ${type} ${value}`), ...(q ? [`search ${q}`] : [])].join(', ')
const read = (typed: string, filters: readonly Filter[], searched = true) =>
  readFilterWords(typed, {
    filters,
    searched,
    titles: titles.get(filters) ?? [],
    spanOf,
  }).map(describeMeaning)

test.each([
  ['paused', 'status is PAUSED'],
  ['Paused', 'status is PAUSED'],
  ['paused raven', 'status is PAUSED, search raven'],
  ['raven paused', 'status is PAUSED, search raven'],
  ['paused active', 'status is PAUSED,ACTIVE'],
  ['not paused', 'status is_not PAUSED'],
  ['not paused raven', 'status is_not PAUSED, search raven'],
  ['pau', 'status is PAUSED'],
  ['status:paused', 'status is PAUSED'],
  ['status: paused raven', 'status is PAUSED, search raven'],
  ['status=paused', 'status is PAUSED'],
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
  ['overdue > 1.5k', 'outstanding over 150000, status is OVERDUE'],
  ['overdue > k', 'status is OVERDUE, search > k'],
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

test.each([
  ['outstanding > 1,000', 'outstanding over 100000'],
  ['outstanding:>1000', 'outstanding over 100000'],
  ['outst > 1000', 'outstanding over 100000'],
  ['outstanding>1000', 'outstanding over 100000'],
  ['outstanding is over 1000', 'outstanding over 100000'],
  ['outstanding amount > 1000', 'outstanding over 100000'],
  ['amount > 1000', 'amount over 100000'],
  ['invoice > 1000', 'amount over 100000'],
  ['> 1000', 'outstanding over 100000'],
  ['overdue > 1000 outstanding', 'outstanding over 100000, status is OVERDUE'],
  ['overdue outstanding > 500 raven', 'outstanding over 50000, status is OVERDUE, search raven'],
  ['flagged > 500', 'outstanding over 50000, flagged is YES'],
  ['closed > 100', 'outstanding over 10000, status is CLOSED'],
])('%s compares the named amount, or the list’s main one: %s', (typed, meaning) => {
  expect(read(typed, invoiceFilters)[0]).toBe(meaning)
})

test.each(['paid > 100', 'paid amount > 100', 'write-off > 100', 'due > 20'])(
  '%s names something without an amount filter, and compares no other one',
  (typed) => {
    expect(read(typed, invoiceFilters)).toEqual([`search ${typed}`])
    expect(read(typed, invoiceFilters, false)).toEqual([])
  },
)

test('an amount is found by a word of its name', () => {
  expect(read('amount > 20', repaymentFilters)[0]).toBe('amount over 2000')
  expect(read('suggested > 20', writeOffFilters)[0]).toBe('amount over 2000')
  expect(read('amount > 20', writeOffFilters)[0]).toBe('amount over 2000')
})

test.each([
  ['due before 11/30', 'due between 1900-01-01..2026-11-29'],
  ['due before nov 30', 'due between 1900-01-01..2026-11-29'],
  ['due by 2026-11-30', 'due between 1900-01-01..2026-11-30'],
  ['due date after fri', 'due between 2026-12-05..2027-12-05'],
  ['due since fri', 'due between 2026-11-20..2026-11-27'],
  ['due > 11/30', 'due between 2026-12-01..2027-12-01'],
  ['due before 15', 'due between 1900-01-01..2026-11-14'],
  ['due nov 30', 'due is 2026-11-30'],
  ['due on nov 30', 'due is 2026-11-30'],
  ['due since nov 15 until nov 15', 'due is 2026-11-15'],
  ['due today', 'due is 2026-11-27'],
  ['due between nov 1 and nov 15', 'due between 2026-11-01..2026-11-15'],
  ['due > nov 1 < nov 15', 'due between 2026-11-02..2026-11-14'],
  ['due since nov 1 and before nov 15', 'due between 2026-11-01..2026-11-14'],
  ['overdue due after nov 1 until nov 15 raven', 'due between 2026-11-02..2026-11-15, status is OVERDUE, search raven'],
  ['due 11/1 to 11/15', 'due between 2026-11-01..2026-11-15'],
  ['due 2026-11-15..2026-11-30', 'due between 2026-11-15..2026-11-30'],
  ['due nov 1..nov 15', 'due between 2026-11-01..2026-11-15'],
  ['due 11/1 .. 11/15 raven', 'due between 2026-11-01..2026-11-15, search raven'],
  ['issued 11/1..11/15 outstanding 15..20', 'issued between 2026-11-01..2026-11-15, outstanding between 1500..2000'],
  ['due this week', 'due between 2026-11-22..2026-11-28'],
  ['due in nov', 'due between 2026-11-01..2026-11-30'],
  ['overdue due nov raven', 'due between 2026-11-01..2026-11-30, status is OVERDUE, search raven'],
  ['due before nov', 'due between 1900-01-01..2026-10-31'],
  ['due after oct', 'due between 2026-11-01..2026-11-27'],
  ['due oct to nov', 'due between 2026-10-01..2026-11-30'],
  ['due oct to nov 15', 'due between 2026-10-01..2026-11-15'],
  ['issued after nov 1', 'issued between 2026-11-02..2026-11-27'],
  ['overdue due before nov 1 raven', 'due between 1900-01-01..2026-10-31, status is OVERDUE, search raven'],
  ['due before 11/30 outstanding > 500', 'due between 1900-01-01..2026-11-29, outstanding over 50000'],
  ['overdue 30 days', 'due between 1900-01-01..2026-10-28, status is OVERDUE'],
  ['overdue by more than 30 days', 'due between 1900-01-01..2026-10-27, status is OVERDUE'],
  ['more than 30 days overdue raven', 'due between 1900-01-01..2026-10-27, status is OVERDUE, search raven'],
  ['30+ days past due', 'due between 1900-01-01..2026-10-28, status is OVERDUE'],
  ['past due 30 days or more', 'due between 1900-01-01..2026-10-28, status is OVERDUE'],
  ['days past due > 30', 'due between 1900-01-01..2026-10-27, status is OVERDUE'],
  ['older than 30 days', 'due between 1900-01-01..2026-10-27'],
  ['overdue > 30 days outstanding > 500', 'due between 1900-01-01..2026-10-27, outstanding over 50000, status is OVERDUE'],
  ['due 3 days ago', 'due is 2026-11-24'],
])('[VAL-002] %s, of invoices, is a range of the named date: %s', (typed, meaning) => {
  expect(read(typed, invoiceFilters)[0]).toBe(meaning)
})

test('an API without a single-day filter gets a range of two days', () => {
  const others = invoiceFilters.map((each): Filter => (each.field.kind === 'date-range' ? { ...each, types: ['between'] } : each))
  expect(read('due nov 30', others)[0]).toBe('due between 2026-11-30..2026-12-01')
  expect(read('due nov 1 to nov 15', others)[0]).toBe('due between 2026-11-01..2026-11-15')
})

test('a bare day is about when the rows happened, and not about a hire date', () => {
  expect(read('today', auditFilters)[0]).toBe('date is 2026-11-27')
  expect(read('failed today', importFilters)[0]).toBe('received is 2026-11-27, status is FAIL')
  expect(read('on nov 15', auditFilters)[0]).toBe('date is 2026-11-15')
  expect(read('today', employeeFilters)[0]).toBe('reports is TODAY')
  expect(read('paused today', employeeFilters)[0]).toBe('status is PAUSED, reports is TODAY')
})

test.each([
  ['outstanding 100..500', 'outstanding between 10000..50000'],
  ['outstanding 100 to 500', 'outstanding between 10000..50000'],
  ['outstanding 100-500', 'outstanding between 10000..50000'],
  ['outstanding $1k - $2k', 'outstanding between 100000..200000'],
  ['laurel 555-1063', 'search laurel 555-1063'],
  ['paid 555-1063', 'status is CLOSED, search 555 1063'],
  ['outstanding is between 100 and 1,500.50', 'outstanding between 10000..150050'],
  ['between 1k and 2k overdue', 'outstanding between 100000..200000, status is OVERDUE'],
  ['overdue outstanding from $100 to $500 raven', 'outstanding between 10000..50000, status is OVERDUE, search raven'],
  ['outstanding >= 100 <= 500', 'outstanding between 10000..50000'],
  ['outstanding > 100 < 500', 'outstanding between 10001..49999'],
  ['outstanding over 100 and under 500 raven', 'outstanding between 10001..49999, search raven'],
  ['outstanding more than 500', 'outstanding over 50000'],
  ['less than 500', 'outstanding under 50000'],
  ['due before 11/30 outstanding 10..20', 'due between 1900-01-01..2026-11-29, outstanding between 1000..2000'],
])('%s, of invoices, is a range of amounts: %s', (typed, meaning) => {
  expect(read(typed, invoiceFilters)[0]).toBe(meaning)
})

test('an invalid range is searched for, and so are numbers without a range word', () => {
  for (const typed of ['outstanding 500..100', 'outstanding 100..100', 'raven 40100 and 40101', 'INV-40100..40101'])
    expect(read(typed, invoiceFilters)).toEqual([`search ${typed}`])
})

test('the total is the whole amount, where a list can be filtered by it', () => {
  expect(read('total > 1,000.50', invoiceFilters)[0]).toBe('amount over 100050')
  expect(read('total amount > 5', invoiceFilters)[0]).toBe('amount over 500')
  expect(read('total 10..20', invoiceFilters)[0]).toBe('amount between 1000..2000')
  // In a list without it, no other amount is compared.
  const without = invoiceFilters.filter(({ id }) => id !== 'amount')
  for (const typed of ['total > 1,000.50', 'total amount > 5', 'total between 10 and 20', 'total 10..20'])
    expect(read(typed, without)).toEqual([`search ${typed}`])
  expect(read('total outstanding > 500', invoiceFilters)[0]).toBe('outstanding over 50000')
  expect(read('total > 100', repaymentFilters)[0]).toBe('amount over 10000')
  expect(read('total between 10 and 20', writeOffFilters)[0]).toBe('amount between 1000..2000')
})

test.each<[string, readonly Filter[], string]>([
  ['status paid', invoiceFilters, 'status is CLOSED'],
  ['Status: overdue', invoiceFilters, 'status is OVERDUE'],
  ['status is not overdue raven', invoiceFilters, 'status is_not OVERDUE, search raven'],
  ['status overdue outstanding > 500', invoiceFilters, 'outstanding over 50000, status is OVERDUE'],
  ['status overdue or sent', invoiceFilters, 'status is OVERDUE,SENT'],
  ['raven status overd', invoiceFilters, 'status is OVERDUE, search raven'],
  ['ach state pending', repaymentFilters, 'ach is PENDING'],
  ['pay frequency bi-weekly', employeeFilters, 'frequency is BI_WEEKLY'],
  ['status active', employeeFilters, 'status is ACTIVE'],
  ['user link no', employeeFilters, 'linked is NO'],
  ['not linked', employeeFilters, 'linked is NO'],
  ['without notes', invoiceFilters, 'notes is NO'],
  ['has notes yes', invoiceFilters, 'notes is YES'],
  ['status zephyr', invoiceFilters, 'search status zephyr'],
])('%s has the name of a filter before its value', (typed, filters, meaning) => {
  expect(read(typed, filters)[0]).toBe(meaning)
  expect(read(typed, filters).slice(1).join()).not.toMatch(/search status(,|$)/)
})

test('a date matches the filter of its name, or without a name the only date of the list', () => {
  expect(read('hired after 11/1', invoiceFilters)).toEqual(['search hired after 11/1'])
  expect(read('before 11/30', invoiceFilters)).toEqual(['search before 11/30'])
  expect(read('due between nov 15 and nov 1', invoiceFilters)).toEqual(['search due between nov 15 and nov 1'])
  expect(read('since mon', auditFilters)[0]).toBe('date between 2026-11-23..2026-11-27')
  expect(read('this week', auditFilters)[0]).toBe('date between 2026-11-22..2026-11-28')
  expect(read('this week', employeeFilters)[0]).toBe('hired between 2026-11-22..2026-11-28')
  expect(read('paused this week', employeeFilters)[0]).toBe('status is PAUSED, search this week')
  expect(read('this week', invoiceFilters)).toEqual(['search this week'])
  expect(read('paid after mon', repaymentFilters)[0]).toBe('paid between 2026-11-24..2026-11-27')
})

test('a range of days matches the only date of a list, and a range of numbers an amount', () => {
  expect(read('between nov 1 and nov 15', timekeepingFilters)[0]).toBe('worked between 2026-11-01..2026-11-15')
  expect(read('raven between nov 1 and nov 15', timekeepingFilters)[0]).toBe(
    'worked between 2026-11-01..2026-11-15, search raven',
  )
  expect(read('between nov 1 and nov 15', writeOffFilters)[0]).toBe('suggested between 2026-11-01..2026-11-15')
  expect(read('between 15 and 20', writeOffFilters)[0]).toBe('amount between 1500..2000')
})

test.each(['due feb 30', 'due 30 feb', 'due before feb 30', 'due nov 1 to feb 30', 'due feb 30th raven'])(
  '%s is no date, since there is no such day',
  (typed) => {
    expect(read(typed, invoiceFilters)).toEqual([`search ${typed}`])
  },
)

test('a duration is not the start of a date filter’s name', () => {
  expect(read('last 7 days', userFilters)).toEqual(['search last 7 days'])
  expect(read('last sign-in last 7 days', userFilters)[0]).toBe('signed_in between 2026-11-21..2026-11-27')
  expect(read('sign-in last 7 days', userFilters)[0]).toBe('signed_in between 2026-11-21..2026-11-27')
  expect(read('last nov 15', userFilters)[0]).toBe('signed_in is 2026-11-15')
})

test('a text filter named first gets the rest of the text', () => {
  expect(read('company code WH-04', invoiceFilters)[0]).toBe('company contains WH-04')
  expect(read('company wh-04', invoiceFilters)[0]).toBe('company contains wh-04')
  expect(read('name contains Ortiz', employeeFilters)[0]).toBe('name contains Ortiz')
  expect(read('company co', invoiceFilters)).toEqual(['search company co'])
  expect(read('record 100009', auditFilters)[0]).toBe('record is 100009')
  expect(read('record payment INV-40123', auditFilters)[0]).toBe('search record payment INV-40123')
})

test('search terms stay as they were typed', () => {
  expect(read('Zephyr or Bluebird', invoiceFilters)).toEqual(['search Zephyr or Bluebird'])
  expect(read('zephyr or paused', employeeFilters)).toEqual(['search zephyr or paused'])
  expect(read('paused or zephyr', employeeFilters)).toEqual(['search paused or zephyr'])
  expect(read('paused or active zephyr', employeeFilters)[0]).toBe('status is PAUSED,ACTIVE, search zephyr')
  expect(read('zephyr and paused', employeeFilters)[0]).toBe('status is PAUSED, search zephyr')
  expect(read('active or pau', employeeFilters)[0]).toBe('status is ACTIVE,PAUSED')
})

test('text that matches no filter is searched for, where the list can be searched', () => {
  expect(read('raven', employeeFilters)).toEqual(['search raven'])
  expect(read('raven', employeeFilters, false)).toEqual([])
  expect(read('paused raven', employeeFilters, false)).toEqual([])
  expect(read('', employeeFilters)).toEqual([])
  expect(read('> twelve', invoiceFilters)).toEqual(['search > twelve'])
  // A list without an amount compares nothing.
  expect(read('> 500', employeeFilters)).toEqual(['search > 500'])
})

test('a partial word lists its completions, with the search last', () => {
  const offered = read('pa', invoiceFilters)
  expect(offered.length).toBeGreaterThan(2)
  expect(offered.length).toBeLessThanOrEqual(8)
  expect(offered).toContain('status is CLOSED')
  expect(offered.at(-1)).toBe('search pa')
  expect(new Set(offered).size).toBe(offered.length)
})

test('after search terms, a partial word completes only the start of a filter value', () => {
  expect(read('due before dec', invoiceFilters)[0]).toBe('search due before dec')
  expect(read('dec', invoiceFilters)).toContain('write_offs is YES')
})

test('a long text is searched for at no cost', () => {
  expect(read('paused '.repeat(8), employeeFilters)[0]).toBe('status is PAUSED')
  const pasted = 'pending paused '.repeat(50_000).trim()
  expect(read(pasted, employeeFilters)).toEqual([`search ${pasted}`])
})

test.each([
  ['employer zephyr', 'employer: zephyr'],
  ['employer:zephyr', 'employer: zephyr'],
  ['emp zephyr parking', 'employer: zephyr parking'],
  ['overdue employer is zephyr', 'overdue, employer: zephyr'],
  ['org heron', 'organization: heron'],
  ['employer', null],
  ['zephyr', null],
  ['not employer zephyr', null],
  ['employer not zephyr', null],
  ['due nov 30', null],
])('%s names a related record that invoices are filtered by: %s', (typed, describeMeaning) => {
  const named = recordNamed(typed, invoiceFilters)
  expect(named && [...(named.before ? [named.before] : []), `${named.entity}: ${named.words}`].join(', ')).toBe(describeMeaning)
})
