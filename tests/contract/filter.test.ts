import { describe, expect, test } from 'vitest'
import { collect } from '#contract/define.ts'
import { employeeFilters, listEmployees } from '#contract/employees.ts'
import { filterProblem, filterQuery, typesTaken } from '#contract/filter.ts'
import { modulesIn } from '#server/modules-in.ts'

const filter = (id: string) => {
  const found = employeeFilters.find((each) => each.id === id)
  if (!found) throw new Error(id)
  return found
}

describe('a filter', () => {
  test('[VAL-002] of dates needs both', () => {
    for (const value of ['2026-01-01..', '..2026-01-01', '2026-01-01'])
      expect(filterProblem(filter('hired'), { type: 'between', value })).toBe('A date range needs both dates.')
  })

  test('[VAL-001] [VAL-002] every call with a date range refuses one date alone, and an end before its start', async () => {
    const { endpoints } = collect((await modulesIn(new URL('../../src/contract/', import.meta.url))).values())
    const ranged = endpoints.flatMap(({ method, path, query }) =>
      Object.keys(query.shape as object)
        .filter((name) => /-from$|^start$/.test(name))
        .map((from) => ({ call: `${method} ${path}`, query, from, to: from === 'start' ? 'end' : from.replace(/from$/, 'to') })),
    )
    // Every list with a date has one range for its rows and one for their count.
    expect(ranged.length).toBeGreaterThan(30)
    const [early, late] = ['2026-01-01', '2026-02-01']
    for (const { call, query, from, to } of ranged) {
      const issues = (asked: Record<string, string>) =>
        query
          .safeParse(asked)
          .error?.issues.map(({ path, message }: { path: string[]; message: string }) => `${path}: ${message}`)
      expect([call, issues({ [from]: early })]).toEqual([call, [`${to}: A date range needs both dates.`]])
      expect([call, issues({ [to]: early })]).toEqual([call, [`${from}: A date range needs both dates.`]])
      expect([call, issues({ [from]: late, [to]: early })]).toEqual([call, [`${to}: The end must be after the start.`]])
      expect([call, issues({ [from]: early, [to]: late })]).toEqual([call, undefined])
    }
  })

  test('[VAL-003] of dates ends after it starts', () => {
    expect(filterProblem(filter('hired'), { type: 'between', value: '2026-02-01..2026-01-01' })).toBe(
      'The end must be after the start.',
    )
    expect(filterProblem(filter('hired'), { type: 'between', value: '2026-02-01..2026-02-01' })).toBe(
      'The end must be after the start.',
    )
    expect(filterProblem(filter('hired'), { type: 'between', value: '2026-01-01..2026-02-01' })).toBeNull()
    expect(filterProblem(filter('hired'), { type: 'between', value: '2026-02-30..2026-03-01' })).toBe(
      'Enter a date such as 2026-11-20',
    )
  })

  test('of one day is not a range, and is sent as a single day where the API has one', () => {
    expect(filterProblem(filter('hired'), { type: 'is', value: '2026-02-01' })).toBeNull()
    expect(filterProblem(filter('hired'), { type: 'is', value: '2026-02-30' })).toBe('Enter a date such as 2026-11-20')
    expect(filterQuery(filter('hired'), { id: 'hired', type: 'is', value: '2026-02-01' })).toEqual({ 'hired-on': '2026-02-01' })
    expect(typesTaken(filter('hired'), () => true)).toEqual(['between', 'is', 'empty', 'not_empty'])
    expect(typesTaken(filter('hired'), (name) => name !== 'hired-on')).toEqual(['between', 'empty', 'not_empty'])
  })

  test('becomes the query that the list accepts', () => {
    const settings = [
      { id: 'status', type: 'is_not', value: 'DELETED,PAUSED' },
      { id: 'employer', type: 'is', value: '100017' },
      { id: 'hired', type: 'between', value: '2026-01-01..2026-02-01' },
    ] as const
    const query = Object.assign({}, ...settings.map((setting) => filterQuery(filter(setting.id), setting)))
    expect(query).toEqual({
      'status-not': 'DELETED,PAUSED',
      'employer-id': '100017',
      'hired-from': '2026-01-01',
      'hired-to': '2026-02-01',
    })
    expect(listEmployees.query.parse(query)).toMatchObject({ 'status-not': ['DELETED', 'PAUSED'], 'employer-id': [100017] })
  })

  test('refuses an unknown value', () => {
    expect(listEmployees.query.safeParse({ status: 'NOBODY' }).success).toBe(false)
    expect(listEmployees.query.safeParse({ 'employer-id': 'x' }).success).toBe(false)
  })
})
