import { describe, expect, test } from 'vitest'
import { isRetryable, judgeRetry, lastReturnDate, returnCodes, returnLabel } from '#domain/ach.ts'

describe('an ACH return', () => {
  test('has a code with a title', () => {
    expect(returnCodes.map(({ code }) => code).join(' ')).toBe('R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R16 R20 R29')
    expect(returnLabel('R01')).toBe('R01 Insufficient funds')
    expect(returnLabel('R99')).toBe('R99')
  })

  test('comes within two banking days, an unauthorized one within sixty days', () => {
    // Friday before Memorial Day: Saturday, Sunday and Monday do not count.
    expect(lastReturnDate('R01', '2026-05-22')).toBe('2026-05-27')
    expect(lastReturnDate('R07', '2026-05-22')).toBe('2026-07-21')
    expect(returnCodes.filter((each) => each.window.kind === 'CALENDAR').map(({ code }) => code)).toEqual([
      'R05',
      'R07',
      'R10',
      'R11',
    ])
    expect(lastReturnDate('R99', '2026-05-22')).toBeNull()
  })

  test('is tried again for want of money only', () => {
    expect(returnCodes.filter(({ code }) => isRetryable(code)).map(({ code }) => code)).toEqual(['R01', 'R09'])
    expect(isRetryable(null)).toBe(false)
  })

  test('is tried again twice, within 180 days of the first debit', () => {
    const facts = { return_code: 'R01', retries: 0, first_debit_date: '2026-01-01' }
    expect(judgeRetry(facts, '2026-06-30')).toBeNull()
    expect(judgeRetry({ ...facts, retries: 1 }, '2026-01-02')).toBeNull()
    expect(judgeRetry({ ...facts, retries: 2 }, '2026-01-02')).not.toBeNull()
    expect(judgeRetry({ ...facts, return_code: 'R03' }, '2026-01-02')).not.toBeNull()
    expect(judgeRetry(facts, '2026-07-01')?.code).toBe('retry-too-late')
    expect(judgeRetry(facts)).toBeNull()
  })
})
