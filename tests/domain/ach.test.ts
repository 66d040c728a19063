import { describe, expect, test } from 'vitest'
import { isRetryable, validateRetry, validateReturnWindow, lastReturnDate } from '#domain/ach.ts'
import { achCodes, codeLabel, familyOf, normalizeCode, returnCodes, windowOf } from '#domain/ach-codes.ts'

/** The NACHA codes as listed in the decisions, written by hand. */
const families = {
  RETURN: `R01 R02 R03 R04 R05 R06 R07 R08 R09 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R23 R24 R25 R26 R27 R28 R29 R30
    R31 R32 R33 R37 R38 R39 R50 R51 R52 R53 R80 R81 R82 R83 R84 R85`,
  DISHONORED: 'R61 R62 R63 R64 R65 R66 R67 R68 R69 R70',
  CONTESTED: 'R71 R72 R73 R74 R75 R76 R77',
  NOTICE: 'C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11 C12 C13 C14',
  SETTLEMENT: 'SETTLED',
}
const codesOf = (family: keyof typeof families): string[] => families[family].split(/\s+/)

describe('ACH codes', () => {
  test.each(Object.keys(families) as (keyof typeof families)[])('the family %s has exactly the NACHA codes', (family) => {
    expect(achCodes.filter((each) => each.family === family).map(({ code }) => code)).toEqual(codesOf(family))
  })

  test('every code is unique, with its own title', () => {
    expect(achCodes.every(({ code, title }) => title.length > 3 && title !== code)).toBe(true)
    expect(new Set(achCodes.map(({ code }) => code)).size).toBe(achCodes.length)
    expect(codeLabel('R01')).toBe('R01 Insufficient funds')
    expect(codeLabel('R67')).toBe('R67 Dishonored: Duplicate return')
    expect(codeLabel('R73')).toBe('R73 Contested: Timely original return')
    expect(codeLabel('C01')).toBe('C01 Notice of change: Incorrect account number')
    expect(codeLabel('SETTLED')).toBe('Settled')
    expect(codeLabel('R99')).toBe('R99')
    expect(codeLabel('')).toBe('No code')
  })

  test.each([
    ['r01', 'RETURN'],
    [' R01 ', 'RETURN'],
    ['R 10', 'RETURN'],
    ['c02', 'NOTICE'],
    ['r67\t', 'DISHONORED'],
    ['settled', 'SETTLEMENT'],
  ])('%j is compared in capitals without blanks', (code, family) => {
    expect(familyOf(code)).toBe(family)
    expect(familyOf(normalizeCode(code))).toBe(family)
  })

  test.each([
    'R1',
    'R00',
    'R34',
    'R35',
    'R36',
    'R40',
    'R49',
    'R54',
    'R60',
    'R78',
    'R79',
    'R86',
    'R99',
    'C00',
    'C15',
    'X01',
    'R011',
    '',
  ])('%j has no family and no window', (code) => {
    expect(familyOf(code)).toBeNull()
    expect(windowOf(code)).toBeNull()
    expect(lastReturnDate(code, '2026-05-22')).toBeNull()
  })

  test('only returns can be recorded by hand', () => {
    expect([...returnCodes]).toEqual(codesOf('RETURN'))
  })
})

describe('the return window', () => {
  test('is sixty calendar days for R05, R07, R10, R11, and two banking days for other returns', () => {
    for (const code of codesOf('RETURN')) {
      const sixty = ['R05', 'R07', 'R10', 'R11'].includes(code)
      // Friday before Memorial Day: Saturday, Sunday and Monday do not count.
      expect([code, lastReturnDate(code, '2026-05-22')]).toEqual([code, sixty ? '2026-07-21' : '2026-05-27'])
      expect(validateReturnWindow(code, '2026-05-22', '2026-07-22')?.code).toBe('return-too-late')
    }
  })

  test('exists for returns only, and is open while the debit is in flight', () => {
    for (const family of ['DISHONORED', 'CONTESTED', 'NOTICE', 'SETTLEMENT'] as const)
      for (const code of codesOf(family)) expect(windowOf(code)).toBeNull()
    expect(validateReturnWindow('R01', null, '2030-01-01')).toBeNull()
  })
})

describe('a returned debit', () => {
  test('is retried only for insufficient funds', () => {
    expect(achCodes.filter(({ code }) => isRetryable(code)).map(({ code }) => code)).toEqual(['R01', 'R09'])
    expect(isRetryable(null)).toBe(false)
  })

  test('is retried twice, within 180 days of the first debit', () => {
    const facts = { return_code: 'R01', retries: 0, first_debit_date: '2026-01-01' }
    expect(validateRetry(facts, '2026-06-30')).toBeNull()
    expect(validateRetry({ ...facts, retries: 1 }, '2026-01-02')).toBeNull()
    expect(validateRetry({ ...facts, retries: 2 }, '2026-01-02')).not.toBeNull()
    expect(validateRetry({ ...facts, return_code: 'R03' }, '2026-01-02')).not.toBeNull()
    expect(validateRetry(facts, '2026-07-01')?.code).toBe('retry-too-late')
    expect(validateRetry(facts)).toBeNull()
  })
})
