import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addBusinessDays,
  addDays,
  adjust,
  adjustments,
  daysBetween,
  holidayOn,
  holidaysOf,
  isBusinessDay,
  onOrAfter,
  onOrBefore,
} from '#domain/calendar.ts'
import { closedBecause, plusDays } from '#tests/domain/federal-reserve.ts'

const date = fc.integer({ min: 0, max: 40_000 }).map((days) => addDays('1990-01-01', days))

describe('the holidays of the Federal Reserve banks', () => {
  test('of 2026, when Independence Day is a Saturday', () => {
    expect(holidaysOf(2026).map((holiday) => `${holiday.date} ${holiday.name}`)).toEqual([
      "2026-01-01 New Year's Day",
      '2026-01-19 Martin Luther King Jr. Day',
      "2026-02-16 Washington's Birthday",
      '2026-05-25 Memorial Day',
      '2026-06-19 Juneteenth',
      '2026-07-04 Independence Day',
      '2026-09-07 Labor Day',
      '2026-10-12 Columbus Day',
      '2026-11-11 Veterans Day',
      '2026-11-26 Thanksgiving Day',
      '2026-12-25 Christmas Day',
    ])
  })

  test('a Saturday holiday is not moved, a Sunday holiday is observed on Monday', () => {
    expect(isBusinessDay('2026-07-03')).toBe(true)
    expect(holidayOn('2027-07-04')).toBeNull()
    expect(holidayOn('2027-07-05')).toBe('Independence Day')
    expect(isBusinessDay('2027-07-05')).toBe(false)
    expect(holidayOn('2023-01-02')).toBe("New Year's Day")
    expect(holidayOn('2022-12-26')).toBe('Christmas Day')
    expect(isBusinessDay('2021-12-31')).toBe(true)
  })

  test('every day of twenty years is open or closed by the rule, and a holiday has its name', () => {
    const wrong: unknown[] = []
    for (let date = '2020-01-01'; date < '2046-01-01'; date = plusDays(date, 1)) {
      const why = closedBecause(date)
      const name = why === 'weekend' ? null : why
      // A Saturday has the name of its holiday, and is closed anyway.
      if (isBusinessDay(date) !== (why === null) || holidayOn(date) !== name) wrong.push([date, why, holidayOn(date)])
    }
    expect(wrong).toEqual([])
  })

  test('are eleven in every year, none on a Sunday', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1970, max: 2199 }), (year) => {
        const kept = holidaysOf(year)
        expect(new Set(kept.map((holiday) => holiday.date)).size).toBe(11)
        for (const holiday of kept) {
          expect(holiday.date.slice(0, 4)).toBe(String(year))
          expect(new Date(`${holiday.date}T00:00:00Z`).getUTCDay()).not.toBe(0)
          expect(isBusinessDay(holiday.date)).toBe(false)
        }
      }),
    )
  })
})

describe('days', () => {
  test('are counted across leap days, years and clock changes', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01')
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31')
    expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2)
    expect(daysBetween('2026-11-02', '2026-10-31')).toBe(-2)
  })

  test('an invalid date is refused', () => {
    for (const text of ['', '2026-02-30', '2026-13-01', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', 'abcd-ef-gh'])
      expect(() => addDays(text, 0)).toThrow(RangeError)
  })

  test('add and count are inverse functions', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -5_000, max: 5_000 }), (from, days) => {
        expect(daysBetween(from, addDays(from, days))).toBe(days)
      }),
    )
  })
})

describe('business days', () => {
  test('skip weekends and holidays, also into another year', () => {
    expect(onOrAfter('2026-01-01')).toBe('2026-01-02')
    expect(onOrBefore('2026-01-01')).toBe('2025-12-31')
    expect(onOrBefore('2026-05-25')).toBe('2026-05-22')
    expect(addBusinessDays('2026-05-22', 1)).toBe('2026-05-26')
    expect(addBusinessDays('2026-05-26', -1)).toBe('2026-05-22')
    expect(addBusinessDays('2026-05-23', 1)).toBe('2026-05-26')
    expect(addBusinessDays('2026-05-23', 0)).toBe('2026-05-23')
  })

  test('[ENT-117, ENT-118, ENT-119] a pay group moves a date to the next or previous business day, or keeps it', () => {
    expect(adjustments).toEqual(['NEXT', 'PREVIOUS', 'SAME'])
    expect(adjust('2026-11-26', 'NEXT')).toBe('2026-11-27')
    expect(adjust('2026-11-26', 'PREVIOUS')).toBe('2026-11-25')
    expect(adjust('2026-11-26', 'SAME')).toBe('2026-11-26')
  })

  test('nothing lies between a date and the business day that it is moved to', () => {
    fc.assert(
      fc.property(date, (from) => {
        for (const to of [onOrAfter(from), onOrBefore(from)]) {
          expect(isBusinessDay(to)).toBe(true)
          const [low, high] = from < to ? [from, to] : [to, from]
          for (let day = low; day < high; day = addDays(day, 1)) if (day !== to) expect(isBusinessDay(day)).toBe(false)
        }
      }),
    )
  })

  test('N days forward and N days back is the same day', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: 0, max: 60 }), (from, count) => {
        const start = onOrAfter(from)
        expect(addBusinessDays(addBusinessDays(start, count), -count)).toBe(start)
      }),
    )
  })
})
