import { describe, expect, test } from 'vitest'
import { employeeFilters, listEmployees } from '#contract/employees.ts'
import { invoiceFilters, listInvoices } from '#contract/invoices.ts'
import { permissionIds } from '#domain/permissions.ts'
import { filterText } from '#portal/format/filter-text.ts'
import { goodFilters, ownSearch, narrowing, readFilters } from '#portal/list/filters.ts'

const everything = new Set<number>(permissionIds)
const read = (search: string, held: ReadonlySet<number> = everything) =>
  readFilters(employeeFilters, new URLSearchParams(search), held)
const problems = (search: string) => read(search).map((filter) => filter.problem)

describe('the filters of an address', () => {
  test('[SCR-072] are {filterId}_type and {filterId}_value, and become the query', () => {
    const filters = read(
      'status_type=is_not&status_value=DELETED,PAUSED&name_type=contains&name_value=ortiz&employer_type=is&employer_value=7',
    )
    expect(goodFilters(filters)).toEqual([
      { id: 'status', type: 'is_not', value: 'DELETED,PAUSED' },
      { id: 'employer', type: 'is', value: '7' },
      { id: 'name', type: 'contains', value: 'ortiz' },
    ])
    expect(narrowing(filters, ' ana ', listEmployees)).toEqual({
      q: 'ana',
      'status-not': 'DELETED,PAUSED',
      'employer-id': '7',
      name: 'ortiz',
    })
    expect(filters.map(filterText)).toEqual([
      ['Status is not', 'Deleted, Paused'],
      ['Employer is', '7'],
      ['Name contains', 'ortiz'],
    ])
  })

  test('[VAL-002] a date range needs both dates', () => {
    expect(problems('hired_type=between&hired_value=2024-01-01..')).toEqual(['A date range needs both dates.'])
    expect(problems('hired_type=between&hired_value=..2024-01-01')).toEqual(['A date range needs both dates.'])
    expect(problems('hired_type=between&hired_value=2024-01-01..2024-02-01')).toEqual([null])
  })

  test("[VAL-003] a date range's end is after its start", () => {
    expect(problems('hired_type=between&hired_value=2024-02-01..2024-01-01')).toEqual(['The end must be after the start.'])
    expect(problems('hired_type=between&hired_value=2024-02-01..2024-02-01')).toEqual(['The end must be after the start.'])
  })

  test.each([
    ['hired_type=is&hired_value=2026-11-27', 'Hire date is', '27 Nov 2026', { 'hired-on': '2026-11-27' }],
    [
      'hired_type=between&hired_value=2026-11-02..2026-11-30',
      'Hire date',
      '2 Nov 2026 to 30 Nov 2026',
      { 'hired-from': '2026-11-02', 'hired-to': '2026-11-30' },
    ],
    [
      'hired_type=between&hired_value=1900-01-01..2026-11-30',
      'Hire date',
      '1 Jan 1900 to 30 Nov 2026',
      { 'hired-from': '1900-01-01', 'hired-to': '2026-11-30' },
    ],
  ])('[VAL-002] %s shows both days of a range in readable form', (search, head, body, query) => {
    const filters = read(search)
    expect(filters.map(filterText)).toEqual([[head, body]])
    expect(narrowing(filters, '', listEmployees)).toEqual(query)
  })

  test('an invalid day is shown as it is, with its problem', () => {
    const filters = read('hired_type=is&hired_value=2026-02-30')
    expect(filters.map(filterText)).toEqual([['Hire date is', '2026-02-30']])
    expect(filters.map(({ problem }) => problem)).toEqual(['Enter a date such as 2026-11-20'])
  })

  test('a range of amounts includes both ends', () => {
    const search = new URLSearchParams('outstanding_type=between&outstanding_value=10000..50000')
    const filters = readFilters(invoiceFilters, search, everything)
    expect(filters.map(filterText)).toEqual([['Outstanding', '$100.00 to $500.00']])
    expect(narrowing(filters, '', listInvoices)).toEqual({ 'outstanding-over': '9999', 'outstanding-under': '50001' })
    for (const [value, problem] of [
      ['50000..10000', 'The end must be above the start.'],
      ['50000..', 'The end must be above the start.'],
      ['1.5..2', 'Enter an amount such as 12.50'],
    ])
      expect(
        readFilters(invoiceFilters, new URLSearchParams(`outstanding_type=between&outstanding_value=${value}`), everything)[0]
          ?.problem,
      ).toBe(problem)
  })

  test.each([
    ['flavour_type=is&flavour_value=sweet', 'This list has no such filter.'],
    ['status_type=roughly&status_value=ACTIVE', 'This filter cannot do that.'],
    ['status_type=is', 'This is a required field.'],
    ['status_value=ACTIVE', 'This filter cannot do that.'],
    ['status_type=is&status_value=ACTIVE,ASLEEP', 'There is no status ASLEEP.'],
    ['employer_type=is&employer_value=Harbor', 'Enter an id.'],
    ['hired_type=between&hired_value=2024-02-30..2024-03-01', 'Enter a date such as 2026-11-20'],
  ])('%s is shown with its problem and left out of the query', (search, problem) => {
    const filters = read(search)
    expect(filters.map((filter) => filter.problem)).toEqual([problem])
    expect(narrowing(filters, '', listEmployees)).toEqual({})
    expect(goodFilters(filters)).toEqual([])
  })

  test('a filter by a masked field is left out', () => {
    const [filter] = read('frequency_type=is&frequency_value=WEEKLY', new Set([2]))
    expect(filter?.problem).toBe("You don't have permission to filter by this.")
  })

  test('the tab of a record and a command are not filters of the list', () => {
    const search = new URLSearchParams('q=a&sort=name&order=desc&kyc_type=is&kyc_value=DENIED&tab=history&command=x')
    expect([...ownSearch(search).keys()]).toEqual(['q', 'sort', 'order', 'kyc_type', 'kyc_value'])
  })
})
