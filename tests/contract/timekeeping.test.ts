import { expect, test } from 'vitest'
import { filterProblem, type Filter } from '#contract/filter.ts'
import { timekeepingFilters } from '#contract/timekeeping.ts'

test('[VAL-001] a range of days of time needs both dates, with the end after the start', () => {
  const worked = timekeepingFilters.find(({ id }) => id === 'worked') as Filter
  const problemOf = (value: string) => filterProblem(worked, { type: 'between', value })
  expect(problemOf('2026-10-01..2026-10-02')).toBeNull()
  expect(problemOf('2026-10-02..2026-10-02')).toBe('The end must be after the start.')
  expect(problemOf('2026-10-03..2026-10-02')).toBe('The end must be after the start.')
  expect(problemOf('2026-10-03..')).toBe('A date range needs both dates.')
  expect(problemOf('..2026-10-03')).toBe('A date range needs both dates.')
})
