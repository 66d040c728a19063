import { describe, expect, test } from 'vitest'
import { shortDate } from '#portal/format/dates.ts'
import { amountText } from '#portal/format/cell-text.ts'
import { frequencyText, payTypeText, rateText } from '#portal/nouns/employees/pay.ts'
import { fromToday, lengthUntil } from '#portal/format/date-distance.ts'

describe('the words for pay', () => {
  test.each([
    ['[ENUM-010]', 'WEEKLY', 'Weekly'],
    ['[ENUM-011]', 'BI_WEEKLY', 'Bi-weekly'],
    ['[ENUM-012]', 'SEMI_MONTHLY', 'Semi-monthly'],
    ['[ENUM-013]', 'MONTHLY', 'Monthly'],
  ])('%s %s reads %s', (_, frequency, words) => {
    expect(frequencyText(frequency)).toBe(words)
  })

  test('[ENUM-014] an hourly rate is shown as it is', () => {
    expect(payTypeText('HOURLY')).toBe('Hourly')
    expect(payTypeText('HOUR')).toBe('Hourly')
    expect(rateText({ pay_type: 'HOURLY', rate_amount: 2100 })).toBe('$21.00 / h')
  })

  test('[ENUM-015] a salary is shown as an hourly estimate on a 40-hour week, with a star', () => {
    expect(payTypeText('SALARY')).toBe('Salary')
    expect(rateText({ pay_type: 'SALARY', rate_amount: 6_500_000 })).toBe('$31.25 / h*')
    expect(rateText({ pay_type: 'SALARY', rate_amount: 6_050_000 })).toBe('$29.08 / h*')
  })

  test('an unknown value is a dash, and an unknown code is shown as received', () => {
    expect(rateText({ pay_type: 'SALARY', rate_amount: null })).toBe('—')
    expect(frequencyText(null)).toBe('—')
    expect(frequencyText('DAILY')).toBe('DAILY')
    expect(amountText(-12_345)).toBe('−$123.45')
  })
})

describe('dates', () => {
  test('are short, with their distance from today', () => {
    expect(shortDate('2023-03-14')).toBe('14 Mar 2023')
    expect(shortDate(null)).toBe('—')
    expect(fromToday('2026-11-27', '2026-11-21')).toBe('in 6 days')
    expect(fromToday('2026-11-21', '2026-11-21')).toBe('today')
    expect(fromToday('2026-11-20', '2026-11-21')).toBe('yesterday')
    expect(lengthUntil('2026-11-21', '2023-03-14')).toBe('3 y 8 mo')
    expect(lengthUntil('2026-11-21', '2026-11-01')).toBe('20 d')
    expect(lengthUntil('2026-11-21', '2027-01-01')).toBe('')
  })
})

test('a rate without a pay type has no unit, since that is unknown', () => {
  expect(rateText({ pay_type: null, rate_amount: 6_050_000 })).toBe('$60,500.00')
})
