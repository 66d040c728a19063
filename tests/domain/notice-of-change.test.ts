import { describe, expect, test } from 'vitest'
import { correctsAccount, readNotice } from '#domain/notice-of-change.ts'

/** A whole addenda record of type 98: change code, original trace, reserved, bank, corrected data, reserved, trace. */
const record = (code: string, corrected: string): string =>
  `798${code}${'091000010000123'}${' '.repeat(6)}${'12100024'}${corrected.padEnd(29)}${' '.repeat(15)}${'121000240000001'}`

describe('the corrected data of a notice of change', () => {
  test('is read by position in a whole addenda record', () => {
    expect(record('C01', '')).toHaveLength(94)
    const read = (code: string, corrected: string) => readNotice(code, record(code, corrected))
    expect(read('C01', '000987654321')).toEqual({ data: { account_number: '000987654321' }, problem: null })
    expect(read('C02', '021000021')).toEqual({ data: { routing_number: '021000021' }, problem: null })
    expect(read('C03', '021000021   000987654321')).toEqual({
      data: { routing_number: '021000021', account_number: '000987654321' },
      problem: null,
    })
    expect(read('C05', '37')).toEqual({ data: { transaction_code: '37' }, problem: null })
    expect(read('C06', `${'000987654321'.padEnd(20)}37`)).toEqual({
      data: { account_number: '000987654321', transaction_code: '37' },
      problem: null,
    })
    expect(read('C07', `021000021${'000987654321'.padEnd(17)}37`)).toEqual({
      data: { routing_number: '021000021', account_number: '000987654321', transaction_code: '37' },
      problem: null,
    })
    expect(read('C07', '0210000211234567890123456737')?.data).toEqual({
      routing_number: '021000021',
      account_number: '12345678901234567',
      transaction_code: '37',
    })
  })

  test.each([
    ['C01', '000987654321', { account_number: '000987654321' }],
    ['c01', ' 000987654321 ', { account_number: '000987654321' }],
    ['C01', 'C01 000987654321', { account_number: '000987654321' }],
    ['C01', 'NEW ACCT: 000987654321', { account_number: '000987654321' }],
    ['C02', 'C02*021000021', { routing_number: '021000021' }],
    ['C03', '021000021 000987654321', { routing_number: '021000021', account_number: '000987654321' }],
    ['C03', '021000021/000987654321', { routing_number: '021000021', account_number: '000987654321' }],
    ['C06', '000987654321 37', { account_number: '000987654321', transaction_code: '37' }],
    ['C07', '021000021,000987654321,27', { routing_number: '021000021', account_number: '000987654321', transaction_code: '27' }],
  ])('%s %j is read although it is not a whole record', (code, addenda, data) => {
    expect(readNotice(code, addenda)).toEqual({ data, problem: null })
  })

  test.each([
    ['C01', ''],
    ['C01', null],
    ['C01', 'see letter'],
    ['C01', 'TRACE 091000010000123 ACCT 000987654321'],
    ['C02', '0210000'],
    ['C03', '021000021'],
    ['C05', '5'],
    ['C07', '021000021123456737'],
    ['C13', 'anything'],
    ['R01', '000987654321'],
  ])('%s %j cannot be read and is left to a person', (code, addenda) => {
    expect(readNotice(code, addenda)).toBeNull()
  })

  test('a routing number with a wrong check digit is left out and named', () => {
    expect(readNotice('C03', '021000022   000987654321')).toEqual({
      data: { account_number: '000987654321' },
      problem:
        'The routing number 021000022 of this notice cannot be used. The check digit does not fit: a digit of this routing number is wrong.',
    })
  })

  test('exists for six codes only', () => {
    expect(['C01', 'C02', 'C03', 'C05', 'C06', 'C07', ' c07 '].every(correctsAccount)).toBe(true)
    expect(['C04', 'C08', 'C09', 'C13', 'C14', 'R01', 'toString'].some(correctsAccount)).toBe(false)
  })
})
