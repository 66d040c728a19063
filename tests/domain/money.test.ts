import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatCents, hourlyEstimate, parseDollars } from '#domain/money.ts'

describe('money', () => {
  test('[CONST-010] amounts are shown divided by 100, with two decimals and separators', () => {
    expect(formatCents(0)).toBe('$0.00')
    expect(formatCents(123_450)).toBe('$1,234.50')
    expect(formatCents(-10_000)).toBe('−$100.00')
    expect(formatCents(1)).toBe('$0.01')
  })

  test('[CONST-009] a formatted amount parses back to the same cents', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (cents) => {
        expect(parseDollars(formatCents(cents))).toBe(cents === 0 ? 0 : cents)
      }),
    )
  })

  test('refuses what is not an amount', () => {
    for (const text of [
      '',
      'abc',
      '1.234',
      '1..2',
      '--1',
      '1e3',
      '٣',
      'NaN',
      '$',
      '1,2.3.4',
      '200,00',
      '1,23',
      ',100',
      '1,2345',
      '1000,000',
      '12 34',
      '12 34.50',
      '1 2',
      '1234 567',
    ])
      expect(parseDollars(text)).toBeNull()
  })

  test('[CONST-012] a salary is estimated on a 40-hour week', () => {
    expect(hourlyEstimate(5_200_000)).toBe(2_500)
    expect(hourlyEstimate(5_000_000)).toBe(2_403)
  })
})
