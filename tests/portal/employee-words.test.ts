import { describe, expect, test } from 'vitest'
import { employeeStatuses } from '#domain/employee.ts'
import { labelOf, markOf } from '#domain/status.ts'
import { shortDate } from '#portal/format/dates.ts'
import { centsText, frequencyText, payTypeText, rateText } from '#portal/nouns/employees/pay.ts'
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

  test('what is not known is a dash, and what nobody knows is shown as it came', () => {
    expect(rateText({ pay_type: 'SALARY', rate_amount: null })).toBe('—')
    expect(frequencyText(null)).toBe('—')
    expect(frequencyText('DAILY')).toBe('DAILY')
    expect(centsText(-12_345)).toBe('−$123.45')
  })
})

describe('the words and marks of statuses', () => {
  test.each([
    ['[STA-001]', 'ACTIVE', 'Active', 'good'],
    ['[STA-002]', 'DELETED', 'Deleted', 'bad'],
    ['[STA-003]', 'IMPORTED', 'Imported', 'busy'],
    ['[STA-004]', 'CREATED', 'Created', 'busy'],
    ['[STA-005]', 'APPROVED', 'Approved', 'good'],
    ['[STA-006]', 'PENDING', 'Pending', 'wait'],
    ['[STA-007]', 'REJECTED', 'Rejected', 'bad'],
    ['[STA-012]', 'PAUSED', 'Paused', 'wait'],
    ['[STA-013]', 'TERMINATED', 'Terminated', 'bad'],
    ['[STA-014]', 'DUPLICATED', 'Duplicated', 'idle'],
    ['[STA-015]', 'ELIGIBLE', 'Eligible', 'busy'],
    ['[STA-016]', 'INELIGIBLE', 'Ineligible', 'idle'],
    ['[STA-017]', 'OFFCYCLE_PAID', 'Off-cycle paid', 'idle'],
    ['[STA-018]', 'UNKNOWN', 'Unknown', 'idle'],
  ])('%s %s reads %s and has the mark %s', (_, status, label, mark) => {
    expect(labelOf(status)).toBe(label)
    expect(markOf(status)).toBe(mark)
  })

  test('[STA-019] a status that the portal does not know is shown as it came', () => {
    expect(labelOf('MOONLIGHTING')).toBe('MOONLIGHTING')
    expect(markOf('MOONLIGHTING')).toBe('idle')
    for (const status of employeeStatuses) expect(labelOf(status)).not.toBe(status)
  })
})

describe('dates', () => {
  test('are short, and say how far away they are', () => {
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

test('a rate without its pay type says no unit: it may be for an hour or for a year', () => {
  expect(rateText({ pay_type: null, rate_amount: 6_050_000 })).toBe('$60,500.00')
})
