import { expect, test } from 'vitest'
import { frequencyOf, nextPeriod } from '#server/money/billing/next-period.ts'

test.each([
  ['2026-01-26', '2026-02-01', '2026-02-02', '2026-02-08', 'WEEKLY'],
  ['2026-01-19', '2026-02-01', '2026-02-02', '2026-02-15', 'BI_WEEKLY'],
  ['2028-02-01', '2028-02-15', '2028-02-16', '2028-02-29', 'SEMI_MONTHLY'],
  ['2026-02-16', '2026-02-28', '2026-03-01', '2026-03-15', 'SEMI_MONTHLY'],
  ['2026-01-01', '2026-01-31', '2026-02-01', '2026-02-28', 'MONTHLY'],
  ['2026-02-01', '2026-02-28', '2026-03-01', '2026-03-31', 'MONTHLY'],
  ['2026-03-01', '2026-03-10', '2026-03-11', '2026-03-20', null],
])(
  '[ENUM-010] [ENUM-011] [ENUM-012] [ENUM-013] after %s to %s comes %s to %s',
  (period_start, period_end, start, end, frequency) => {
    expect(nextPeriod({ period_start, period_end })).toEqual({ period_start: start, period_end: end })
    expect(frequencyOf({ period_start, period_end })).toBe(frequency)
  },
)
