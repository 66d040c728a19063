import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#domain/calendar.ts'
import { payFrequencies } from '#domain/pay-frequency.ts'
import {
  ambiguousMonthEnds,
  beginningBy,
  validateCalendar,
  type PayCalendar,
  periodNumberOn,
  periodOf,
  periodsFrom,
  periodsOfDrafts,
  whyMoved,
  type WorkPeriod,
} from '#domain/pay-calendar.ts'
import { adjustmentTypes } from '#domain/pay-group.ts'
import { closedBecause, plusDays, plusMonths } from '#tests/domain/federal-reserve.ts'

const period = (start_date: string, end_date: string, report_date: string, payment_date: string): WorkPeriod => ({
  start_date,
  end_date,
  report_date,
  payment_date,
})
const weekly: PayCalendar = {
  payroll_frequency: 'WEEKLY',
  first: period('2026-01-05', '2026-01-11', '2026-01-13', '2026-01-16'),
  second: null,
  adjustment_type: 'NEXT_BUSINESS_DAY',
  month_end: 'LAST_DAY',
}
const monthly: PayCalendar = {
  payroll_frequency: 'MONTHLY',
  first: period('2026-01-01', '2026-01-31', '2026-02-03', '2026-02-06'),
  second: null,
  adjustment_type: 'NEXT_BUSINESS_DAY',
  month_end: 'LAST_DAY',
}
const semiMonthly: PayCalendar = {
  payroll_frequency: 'SEMI_MONTHLY',
  first: period('2026-01-01', '2026-01-15', '2026-01-19', '2026-01-22'),
  second: period('2026-01-16', '2026-01-31', '2026-02-03', '2026-02-06'),
  adjustment_type: 'NEXT_BUSINESS_DAY',
  month_end: 'LAST_DAY',
}
const spans = (calendar: PayCalendar, count: number) =>
  Array.from({ length: count }, (_, number) => periodOf(calendar, number)).map(
    ({ start_date, end_date }) => `${start_date} ${end_date}`,
  )
/** Start, end, report and payment as stored. */
const dates = (calendar: PayCalendar, number: number) => {
  const { start_date, end_date, report_date, payment_date } = periodOf(calendar, number)
  return [start_date, end_date, report_date, payment_date]
}

describe('periods', () => {
  test('[ENT-111] [ENT-115] every week, from the first work period on', () => {
    expect(dates(weekly, 0)).toEqual(['2026-01-05', '2026-01-11', '2026-01-13', '2026-01-16'])
    expect(dates(weekly, 2)).toEqual(['2026-01-19', '2026-01-25', '2026-01-27', '2026-01-30'])
  })

  test('[ENT-112] every second week', () => {
    const calendar: PayCalendar = {
      ...weekly,
      payroll_frequency: 'BI_WEEKLY',
      first: period('2026-01-05', '2026-01-18', '2026-01-20', '2026-01-23'),
    }
    expect(validateCalendar(calendar)).toEqual([])
    expect(spans(calendar, 3)).toEqual(['2026-01-05 2026-01-18', '2026-01-19 2026-02-01', '2026-02-02 2026-02-15'])
  })

  test('[ENT-113] [ENT-116] twice a month, alternately like the first and the second', () => {
    expect(validateCalendar(semiMonthly)).toEqual([])
    expect(spans(semiMonthly, 5)).toEqual([
      '2026-01-01 2026-01-15',
      '2026-01-16 2026-01-31',
      '2026-02-01 2026-02-15',
      '2026-02-16 2026-02-28',
      '2026-03-01 2026-03-15',
    ])
  })

  test('[ENT-114] every month; the last day of a month stays the last', () => {
    expect(spans(monthly, 3)).toEqual(['2026-01-01 2026-01-31', '2026-02-01 2026-02-28', '2026-03-01 2026-03-31'])
    const ends: PayCalendar = { ...monthly, first: period('2026-01-31', '2026-02-27', '2026-03-03', '2026-03-06') }
    expect(validateCalendar(ends)).toEqual([])
    expect(spans(ends, 4)).toEqual([
      '2026-01-31 2026-02-27',
      '2026-02-28 2026-03-30',
      '2026-03-31 2026-04-29',
      '2026-04-30 2026-05-30',
    ])
    // A 30th is not the last day of January: in February it is the last only because there is no other.
    const thirtieth: PayCalendar = { ...monthly, first: period('2026-01-30', '2026-02-27', '2026-03-03', '2026-03-06') }
    expect(validateCalendar(thirtieth)).toEqual([])
    expect(spans(thirtieth, 3)).toEqual(['2026-01-30 2026-02-27', '2026-02-28 2026-03-29', '2026-03-30 2026-04-29'])
  })

  test('[ENT-117] [ENT-118] [ENT-119] only report and payment date move off closed days, and the holiday is named', () => {
    // Thanksgiving 2026 is on November 26, a Thursday; the week before it has no holiday.
    const thursdays: PayCalendar = { ...weekly, first: period('2026-11-09', '2026-11-15', '2026-11-17', '2026-11-19') }
    const paid = (adjustment_type: PayCalendar['adjustment_type']) => periodOf({ ...thursdays, adjustment_type }, 1)
    expect(paid('NEXT_BUSINESS_DAY')).toMatchObject({
      start_date: '2026-11-16',
      report_date: '2026-11-24',
      report_moved: null,
      payment_date: '2026-11-27',
      payment_moved: { from: '2026-11-26', holiday: 'Thanksgiving Day' },
    })
    expect(paid('PREVIOUS_BUSINESS_DAY')).toMatchObject({
      payment_date: '2026-11-25',
      payment_moved: { from: '2026-11-26', holiday: 'Thanksgiving Day' },
    })
    expect(paid('SAME_DAY')).toMatchObject({ payment_date: '2026-11-26', payment_moved: null })
    // Always from the unadjusted dates: the following one is on a Thursday again.
    expect(periodOf(thursdays, 2)).toMatchObject({ payment_date: '2026-12-03', payment_moved: null })
    // A Saturday has no name, unless it moves past a holiday: September 7, 2026 is Labor Day.
    const saturdays: PayCalendar = { ...weekly, first: period('2026-08-17', '2026-08-23', '2026-08-26', '2026-08-29') }
    expect(periodOf(saturdays, 0).payment_moved).toEqual({ from: '2026-08-29', holiday: null })
    expect(periodOf(saturdays, 1).payment_moved).toEqual({ from: '2026-09-05', holiday: 'Labor Day' })
    expect(periodOf(saturdays, 1).payment_date).toBe('2026-09-08')
  })

  test('a report date moved to or past the payment date is the business day before it', () => {
    const close: PayCalendar = {
      ...weekly,
      first: period('2026-11-09', '2026-11-15', '2026-11-18', '2026-11-19'),
      adjustment_type: 'PREVIOUS_BUSINESS_DAY',
    }
    // Payment moves from Thursday, Thanksgiving, to Wednesday, which would be the report date.
    expect(periodOf(close, 1)).toMatchObject({ report_date: '2026-11-24', payment_date: '2026-11-25' })
  })

  test('the period of a date is found', () => {
    expect(periodNumberOn(weekly, '2026-01-04')).toBe(-1)
    expect([
      periodNumberOn(weekly, '2026-01-05'),
      periodNumberOn(weekly, '2026-01-11'),
      periodNumberOn(weekly, '2026-01-12'),
    ]).toEqual([0, 0, 1])
    expect([periodNumberOn(monthly, '2026-02-28'), periodNumberOn(semiMonthly, '2026-02-28')]).toEqual([1, 3])
  })
})

/** Calendars of every frequency with realistic dates: whole periods, report and payment some days after them. */
const calendars: fc.Arbitrary<PayCalendar> = fc
  .record({
    payroll_frequency: fc.constantFrom(...payFrequencies),
    adjustment_type: fc.constantFrom(...adjustmentTypes),
    from: fc.integer({ min: 0, max: 3_000 }).map((days) => addDays('2020-01-01', days)),
    report: fc.integer({ min: 1, max: 6 }),
    payment: fc.integer({ min: 4, max: 10 }),
    cut: fc.integer({ min: 10, max: 18 }),
  })
  .map(({ payroll_frequency, adjustment_type, from, report, payment, cut }) => {
    const draft = (start_date: string): WorkPeriod =>
      period(start_date, addDays(start_date, 1), addDays(start_date, 2), addDays(start_date, 3))
    const bare: PayCalendar = {
      payroll_frequency,
      adjustment_type,
      month_end: 'LAST_DAY',
      first: draft(from),
      second: payroll_frequency === 'SEMI_MONTHLY' ? draft(addDays(from, cut)) : null,
    }
    const whole = (number: number): WorkPeriod => {
      const { start_date, end_date } = periodOf(bare, number)
      return period(start_date, end_date, addDays(end_date, report), addDays(end_date, report + payment))
    }
    return { ...bare, first: whole(0), second: bare.second && whole(1) }
  })

/** A date moved off a closed day, one day at a time. */
function moved(date: string, adjustment: PayCalendar['adjustment_type']): string {
  let found = date
  while (adjustment !== 'SAME_DAY' && closedBecause(found)) found = plusDays(found, adjustment === 'NEXT_BUSINESS_DAY' ? 1 : -1)
  return found
}

/** The unadjusted date in the nth period of a calendar. */
function repeated({ payroll_frequency, first, second }: PayCalendar, number: number, name: keyof WorkPeriod): string {
  if (payroll_frequency === 'WEEKLY') return plusDays(first[name], 7 * number)
  if (payroll_frequency === 'BI_WEEKLY') return plusDays(first[name], 14 * number)
  if (payroll_frequency === 'MONTHLY') return plusMonths(first[name], number)
  return plusMonths(((number % 2 ? second : first) as WorkPeriod)[name], Math.floor(number / 2))
}

test('over twenty years periods leave no gap, and dates follow the Federal Reserve calendar', () => {
  const years = { WEEKLY: 1_040, BI_WEEKLY: 520, SEMI_MONTHLY: 480, MONTHLY: 240 } as const
  let good = 0
  let holidays = 0
  fc.assert(
    fc.property(calendars, (calendar) => {
      if (validateCalendar(calendar).length > 0) return
      good += 1
      const wrong: unknown[] = []
      let next = calendar.first.start_date
      for (let number = 0; number < years[calendar.payroll_frequency]; number += 1) {
        const one = periodOf(calendar, number)
        const payment = moved(repeated(calendar, number, 'payment_date'), calendar.adjustment_type)
        const report = moved(repeated(calendar, number, 'report_date'), calendar.adjustment_type)
        // If both were on one day or in the wrong order, the report is on the business day before the payment.
        let before = plusDays(payment, -1)
        while (closedBecause(before)) before = plusDays(before, -1)
        const fits =
          one.start_date === next &&
          one.end_date === plusDays(repeated(calendar, number + 1, 'start_date'), -1) &&
          one.start_date < one.end_date &&
          one.payment_date === payment &&
          (one.report_date === (report < payment ? report : before) || report <= one.start_date || before <= one.start_date) &&
          one.start_date < one.report_date &&
          one.report_date < one.payment_date &&
          periodNumberOn(calendar, one.start_date) === number &&
          periodNumberOn(calendar, one.end_date) === number
        const from = one.payment_moved?.from
        const named = from === undefined || one.payment_moved?.holiday === holidayBetween(from, one.payment_date)
        if (one.payment_moved?.holiday) holidays += 1
        if (!fits || !named || (from ?? payment) !== repeated(calendar, number, 'payment_date')) wrong.push(one)
        next = plusDays(one.end_date, 1)
      }
      expect(wrong).toEqual([])
    }),
    { numRuns: 60 },
  )
  expect(good).toBeGreaterThan(30)
  expect(holidays).toBeGreaterThan(100)
})

/** The first holiday from a date on, in the direction of another. */
function holidayBetween(from: string, to: string): string | null {
  for (let on = from; on !== to; on = plusDays(on, from < to ? 1 : -1)) {
    const why = closedBecause(on)
    if (why && why !== 'weekend') return why
  }
  return null
}

describe('when a calendar changes', () => {
  test('drafts take its periods in order, starting with the one that contains the first draft', () => {
    const drafts = [
      { period_start: '2026-01-12', period_end: '2026-01-18' },
      { period_start: '2026-01-19', period_end: '2026-01-25' },
    ]
    const taken = (calendar: PayCalendar, kept: string | null) =>
      periodsOfDrafts(calendar, kept, drafts).map((one) => one && `${one.start_date} ${one.end_date}`)
    expect(taken(weekly, null)).toEqual(['2026-01-12 2026-01-18', '2026-01-19 2026-01-25'])
    const fortnights: PayCalendar = {
      ...weekly,
      payroll_frequency: 'BI_WEEKLY',
      first: period('2026-01-12', '2026-01-25', '2026-01-27', '2026-01-30'),
    }
    expect(taken(fortnights, '2026-01-11')).toEqual(['2026-01-12 2026-01-25', '2026-01-26 2026-02-08'])
    // No kept period, and none before the start of the calendar.
    expect(taken(weekly, '2026-01-18')).toEqual(['2026-01-19 2026-01-25', '2026-01-26 2026-02-01'])
    const later: PayCalendar = { ...weekly, first: period('2026-01-19', '2026-01-25', '2026-01-27', '2026-01-30') }
    expect(taken(later, null)).toEqual([null, '2026-01-19 2026-01-25'])
  })

  test('any period determines the calendar, which is extended backwards if needed', () => {
    const next = { ...weekly, first: period('2026-01-26', '2026-02-01', '2026-02-03', '2026-02-06') }
    expect(beginningBy(next, '2026-01-06')).toEqual(weekly)
    expect(beginningBy(weekly, '2026-01-26')).toBe(weekly)
    fc.assert(
      fc.property(calendars, fc.integer({ min: 1, max: 60 }), (calendar, back) => {
        if (validateCalendar(calendar).length > 0) return
        const day = plusDays(calendar.first.start_date, -back)
        const earlier = beginningBy(calendar, day)
        expect(earlier.first.start_date <= day).toBe(true)
        const later = periodNumberOn(earlier, calendar.first.start_date)
        expect(periodOf(earlier, later).start_date).toBe(calendar.first.start_date)
        expect(periodOf(earlier, later).end_date).toBe(calendar.first.end_date)
      }),
    )
  })

  test('the reason for moving a date is a holiday, a weekend, or the other date', () => {
    const thursdays: PayCalendar = { ...weekly, first: period('2026-11-09', '2026-11-15', '2026-11-18', '2026-11-19') }
    const [, one] = periodsFrom({ ...thursdays, adjustment_type: 'PREVIOUS_BUSINESS_DAY' }, '2026-11-09', 2)
    expect(one && [one.payment_moved, one.report_moved].map((each) => each && whyMoved(each))).toEqual([
      'Thanksgiving Day',
      'the order of the dates',
    ])
    expect(whyMoved({ from: '2026-08-29', holiday: null })).toBe('a weekend')
  })
})

describe('validation', () => {
  const faultsOf = (change: Partial<PayCalendar>, of = weekly) =>
    Object.fromEntries(validateCalendar({ ...of, ...change }).map(({ path, message }) => [path, message]))

  test('[PGR-001] [PGR-002] [PGR-003] accepts dates in order; reports each date that is not', () => {
    for (const good of [weekly, monthly, semiMonthly]) expect(validateCalendar(good)).toEqual([])
    const { first } = weekly
    expect(faultsOf({ first: { ...first, report_date: first.start_date } })).toEqual({
      'first.report_date': 'The report date must be after the start date.',
    })
    expect(faultsOf({ first: { ...first, report_date: first.payment_date } })).toEqual({
      'first.report_date': 'The report date must be before the payment date.',
    })
    expect(faultsOf({ first: { ...first, end_date: first.start_date } })).toEqual({
      'first.end_date': 'The end date must be after the start date.',
    })
  })

  test('[PGR-004] the second payment date must be after the first', () => {
    const second = semiMonthly.second as WorkPeriod
    expect(faultsOf({ second: { ...second, report_date: '2026-01-20', payment_date: '2026-01-22' } }, semiMonthly)).toEqual({
      'second.payment_date': 'The second payment date must be after the first.',
    })
  })

  test('a period not matching the frequency, a gap, and a semi-monthly group with one period', () => {
    expect(faultsOf({ first: { ...weekly.first, end_date: '2026-01-12' } })).toEqual({
      'first.end_date': 'With this frequency it ends on 2026-01-11.',
    })
    expect(faultsOf({ second: null }, semiMonthly)).toEqual({ second: 'A semi-monthly pay group has two work periods.' })
    const second = semiMonthly.second as WorkPeriod
    expect(faultsOf({ second: { ...second, start_date: '2026-01-17' } }, semiMonthly)).toEqual({
      'second.start_date': 'The second work period starts the day after the first one ends.',
    })
    // Given explicitly although it follows from the first, the second is the same.
    expect(faultsOf({ second: period('2026-01-12', '2026-01-18', '2026-01-20', '2026-01-23') })).toEqual({})
    expect(faultsOf({ second: period('2026-01-12', '2026-01-18', '2026-01-20', '2026-01-24') })).toEqual({
      'second.payment_date': 'With this frequency it is 2026-01-23.',
    })
  })

  test('dates without a business day between them', () => {
    // Reported on Friday and paid on Saturday, which becomes Friday: no day is left after the start on Thursday.
    expect(
      faultsOf({
        first: period('2026-01-08', '2026-01-14', '2026-01-09', '2026-01-10'),
        adjustment_type: 'PREVIOUS_BUSINESS_DAY',
      }),
    ).toEqual({ 'first.report_date': 'No business day is left for it in the period from 2026-01-08.' })
  })

  test('dates whose month end in a later year leaves no business day', () => {
    // In February 2031 all of it is due on one weekend: Friday the 28th, the report moved to Monday, paid on Sunday.
    const first = period('2027-01-28', '2027-02-27', '2027-01-30', '2027-02-02')
    expect(faultsOf({ first, adjustment_type: 'SAME_DAY' }, monthly)).toEqual({
      'first.report_date': 'No business day is left for it in the period from 2031-02-28.',
    })
  })

  test('a valid calendar has its dates in order in every period', () => {
    const day = fc.integer({ min: 0, max: 1_500 }).map((days) => addDays('2026-01-01', days))
    const gap = fc.integer({ min: 1, max: 9 })
    const drawn = fc.record({
      start: day,
      toReport: gap,
      toPayment: gap,
      adjustment: fc.constantFrom(...adjustmentTypes),
      frequency: fc.constantFrom('WEEKLY', 'BI_WEEKLY', 'MONTHLY'),
      month_end: fc.constantFrom('LAST_DAY', 'SAME_DAY'),
    })
    fc.assert(
      fc.property(drawn, ({ start, toReport, toPayment, adjustment, frequency, month_end }) => {
        const report = addDays(start, toReport)
        const first = period(start, '', report, addDays(report, toPayment))
        const open = { payroll_frequency: frequency, first, second: null, adjustment_type: adjustment, month_end } as PayCalendar
        const calendar = { ...open, first: { ...first, end_date: periodOf(open, 0).end_date } }
        if (validateCalendar(calendar).length > 0) return
        const all = Array.from({ length: 350 }, (_, number) => periodOf(calendar, number))
        expect(all.filter((one) => one.start_date >= one.report_date || one.report_date >= one.payment_date)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

describe('a date on the last day of a month', () => {
  const paidOn = (payment: string, month_end: PayCalendar['month_end']): PayCalendar => ({
    payroll_frequency: 'MONTHLY',
    first: period('2026-11-01', '2026-11-30', '2026-11-16', payment),
    second: null,
    adjustment_type: 'SAME_DAY',
    month_end,
  })
  const payments = (calendar: PayCalendar) => [0, 1, 2, 3, 4].map((number) => periodOf(calendar, number).payment_date)

  test('is the last day of every month, or the same day and the last one of a shorter month', () => {
    expect(payments(paidOn('2026-11-30', 'LAST_DAY'))).toEqual([
      '2026-11-30',
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ])
    expect(payments(paidOn('2026-11-30', 'SAME_DAY'))).toEqual([
      '2026-11-30',
      '2026-12-30',
      '2027-01-30',
      '2027-02-28',
      '2027-03-30',
    ])
  })

  test('on the 31st, and a day in the middle of a month, repeat the same in both ways', () => {
    for (const payment of ['2026-12-31', '2026-12-29']) {
      const [last, same] = [paidOn(payment, 'LAST_DAY'), paidOn(payment, 'SAME_DAY')]
      expect(payments(last)).toEqual(payments(same))
      expect(ambiguousMonthEnds(last)).toEqual([])
    }
  })

  test('needs the choice for every monthly date, and for no weekly one', () => {
    const both = { ...semiMonthly, first: period('2027-02-14', '2027-02-27', '2027-02-28', '2027-03-04') }
    expect(ambiguousMonthEnds(paidOn('2026-11-30', 'LAST_DAY'))).toEqual(['2026-11-30'])
    expect(ambiguousMonthEnds({ ...both, second: period('2027-02-28', '2027-03-13', '2027-03-15', '2027-04-30') })).toEqual([
      '2027-02-28',
      '2027-04-30',
    ])
    expect(ambiguousMonthEnds({ ...paidOn('2026-11-30', 'LAST_DAY'), payroll_frequency: 'WEEKLY' })).toEqual([])
    expect(ambiguousMonthEnds({ ...paidOn('2028-02-29', 'LAST_DAY') })).toEqual(['2028-02-29'])
    expect(ambiguousMonthEnds({ ...paidOn('2028-02-28', 'LAST_DAY') })).toEqual([])
  })

  test('keeps its choice when the calendar is extended backwards', () => {
    for (const month_end of ['LAST_DAY', 'SAME_DAY'] as const) {
      const calendar = paidOn('2026-11-30', month_end)
      const earlier = beginningBy(calendar, '2025-03-15')
      expect(earlier.first.start_date <= '2025-03-15').toBe(true)
      const again = periodsFrom(earlier, '2026-11-10', 6).map(({ start_date, payment_date }) => [start_date, payment_date])
      expect(again).toEqual(
        periodsFrom(calendar, '2026-11-10', 6).map(({ start_date, payment_date }) => [start_date, payment_date]),
      )
    }
  })
})
