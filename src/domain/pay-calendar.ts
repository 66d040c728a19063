import {
  type Adjustment,
  addBusinessDays,
  addDays,
  adjust,
  daysBetween,
  holidayOn,
  isBusinessDay,
  isMonthEnd,
  monthEndOf,
} from '#domain/calendar.ts'
import type { PayFrequency } from '#domain/pay-frequency.ts'
import type { AdjustmentType, MonthEnd } from '#domain/pay-group.ts'

const adjustments: Readonly<Record<AdjustmentType, Adjustment>> = {
  NEXT_BUSINESS_DAY: 'NEXT',
  PREVIOUS_BUSINESS_DAY: 'PREVIOUS',
  SAME_DAY: 'SAME',
}

/** A work period, all dates `yyyy-MM-dd`, both ends inclusive (ENT-115). */
export interface WorkPeriod {
  start_date: string
  end_date: string
  /** When the employer receives the amounts to withhold. */
  report_date: string
  /** When employees are paid. */
  payment_date: string
}

/** Defines the periods of a pay group: its first work periods as typed, before any adjustment. */
export interface PayCalendar {
  payroll_frequency: PayFrequency
  first: WorkPeriod
  /** Only a semi-monthly group has two repeating periods (ENT-116); for others the second follows from the first. */
  second: WorkPeriod | null
  adjustment_type: AdjustmentType
  /** Meaning of a date on the last day of a month. */
  month_end: MonthEnd
}

/** The original date of a moved one, and the first holiday on the way; null if only weekends, or the other date, moved it. */
export interface Moved {
  from: string
  holiday: string | null
}

/** A stored period of a pay group, with report and payment dates on allowed days. */
export interface PayPeriod extends WorkPeriod {
  /** 0 is the first work period. */
  number: number
  report_moved: Moved | null
  payment_moved: Moved | null
}

const daysOfWeeks: Partial<Record<PayFrequency, number>> = { WEEKLY: 7, BI_WEEKLY: 14 }

const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
const firstOfMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`
/**
 * The same day of another month; its last day if that month is shorter, and always for a date that stands for the month end
 * (docs/rules/calendars.md).
 */
function inMonth(date: string, later: number, monthEnd: MonthEnd): string {
  const last = monthEndOf(firstOfMonth(monthOf(date) + later))
  const same = `${last.slice(0, 8)}${date.slice(8)}`
  return (monthEnd === 'LAST_DAY' && isMonthEnd(date)) || same > last ? last : same
}

type Dates = Pick<WorkPeriod, 'start_date' | 'report_date' | 'payment_date'>

/** Start, report and payment date of a period, from 0, before any adjustment. */
function unadjusted({ payroll_frequency, first, second, month_end }: PayCalendar, number: number): Dates {
  const days = daysOfWeeks[payroll_frequency]
  const anchors = second && payroll_frequency === 'SEMI_MONTHLY' ? [first, second] : [first]
  const { start_date, report_date, payment_date } = anchors[number % anchors.length] as WorkPeriod
  const move = (date: string): string =>
    days === undefined ? inMonth(date, Math.floor(number / anchors.length), month_end) : addDays(date, days * number)
  return { start_date: move(start_date), report_date: move(report_date), payment_date: move(payment_date) }
}

function movedFrom(from: string, to: string): Moved | null {
  if (from === to) return null
  const step = from < to ? 1 : -1
  let holiday: string | null = null
  for (let on = from; on !== to && !holiday; on = addDays(on, step)) holiday = holidayOn(on)
  return { from, holiday }
}

/**
 * A period of a pay group, from 0 (docs/rules/calendars.md): it ends the day before the next one starts. Report and payment date
 * are moved off closed days, always starting from the repeating dates. A report date that is then not before the payment date
 * moves to the business day before it; one that is not after the start moves to the business day after that.
 */
export function periodOf(calendar: PayCalendar, number: number): PayPeriod {
  const { start_date, report_date, payment_date } = unadjusted(calendar, number)
  const adjustment = adjustments[calendar.adjustment_type]
  const payment = adjust(payment_date, adjustment)
  let report = adjust(report_date, adjustment)
  if (report >= payment) report = addBusinessDays(payment, -1)
  if (report <= start_date) report = addBusinessDays(start_date, 1)
  return {
    number,
    start_date,
    end_date: addDays(unadjusted(calendar, number + 1).start_date, -1),
    report_date: report,
    payment_date: payment,
    report_moved: movedFrom(report_date, report),
    payment_moved: movedFrom(payment_date, payment),
  }
}

/**
 * The ambiguous dates of a calendar: the last day of a month with fewer than 31 days may mean the month end or always that day
 * (docs/rules/calendars.md). Earliest first, without duplicates.
 */
export function ambiguousMonthEnds({ payroll_frequency, first, second }: Omit<PayCalendar, 'month_end'>): string[] {
  if (daysOfWeeks[payroll_frequency] !== undefined) return []
  const periods = second && payroll_frequency === 'SEMI_MONTHLY' ? [first, second] : [first]
  const dates = periods.flatMap((one) => [one.start_date, one.report_date, one.payment_date])
  return [...new Set(dates.filter((date) => isMonthEnd(date) && !date.endsWith('-31')))].sort()
}

/** The number of the period that contains a date; -1 if it is before the first. */
export function periodNumberOn(calendar: PayCalendar, date: string): number {
  const days = daysBetween(calendar.first.start_date, date)
  if (days < 0) return -1
  const { payroll_frequency, first, second } = calendar
  const length = daysOfWeeks[payroll_frequency]
  if (length !== undefined) return Math.floor(days / length)
  // Months have no fixed length: start with the month before, and search forward.
  const ofMonth = second && payroll_frequency === 'SEMI_MONTHLY' ? 2 : 1
  let number = Math.max(0, ofMonth * (monthOf(date) - monthOf(first.start_date) - 1))
  while (unadjusted(calendar, number + 1).start_date <= date) number += 1
  return number
}

/** Maximum number of periods that a calendar is moved back. */
const maxCycles = 1_200

/**
 * The same calendar with a first work period that starts on or before a day; any period of a calendar defines the others. A
 * calendar that starts by then is returned as is.
 */
export function beginningBy(calendar: PayCalendar, day: string): PayCalendar {
  const days = daysOfWeeks[calendar.payroll_frequency]
  let cycles = 0
  const move = (date: string): string =>
    days === undefined ? inMonth(date, -cycles, calendar.month_end) : addDays(date, -cycles * days)
  // If a 28th to 30th became a month end here, it would stay one from then on: earlier months are tried.
  const turns = (date: string): boolean => {
    if (days !== undefined) return false
    if (calendar.month_end === 'SAME_DAY') return move(date).slice(8) !== date.slice(8)
    return !isMonthEnd(date) && (isMonthEnd(move(date)) || move(date).slice(8) !== date.slice(8))
  }
  const dates = [calendar.first, calendar.second ?? calendar.first].flatMap((one) => [
    one.start_date,
    one.report_date,
    one.payment_date,
  ])
  while (cycles < maxCycles && (move(calendar.first.start_date) > day || dates.some(turns))) cycles += 1
  if (cycles === 0 || cycles === maxCycles) return calendar
  const earlier = ({ start_date, report_date, payment_date }: WorkPeriod): WorkPeriod => ({
    start_date: move(start_date),
    end_date: '',
    report_date: move(report_date),
    payment_date: move(payment_date),
  })
  const moved = { ...calendar, first: earlier(calendar.first), second: calendar.second && earlier(calendar.second) }
  const endOf = (number: number): string => periodOf(moved, number).end_date
  return {
    ...moved,
    first: { ...moved.first, end_date: endOf(0) },
    second: moved.second && { ...moved.second, end_date: endOf(1) },
  }
}

/** `count` periods from the one that contains a date, or from the first if the date is before it. */
export function periodsFrom(calendar: PayCalendar, date: string, count: number): PayPeriod[] {
  const first = Math.max(0, periodNumberOn(calendar, date))
  return Array.from({ length: count }, (_, at) => periodOf(calendar, first + at))
}

/** Why a date was moved, in words: a holiday, a weekend, or the other date that it has to be before or after. */
export const whyMoved = ({ from, holiday }: Moved): string =>
  holiday ?? (isBusinessDay(from) ? 'the order of the dates' : 'a weekend')

/**
 * The new periods of DRAFT invoices when a calendar changes, by their current periods, earliest first: consecutive, from the
 * one that contains the first, and after all periods that stay (`kept` is the last day of these). Null for an invoice that ends
 * before the calendar begins.
 */
export function periodsOfDrafts(
  calendar: PayCalendar,
  kept: string | null,
  drafts: readonly { period_start: string; period_end: string }[],
): (PayPeriod | null)[] {
  let next: number | null = null
  return drafts.map(({ period_start, period_end }) => {
    if (next === null) {
      if (period_end < calendar.first.start_date) return null
      const from = kept === null ? 0 : periodNumberOn(calendar, addDays(kept, 1))
      next = Math.max(0, from, periodNumberOn(calendar, period_start))
    }
    const one = periodOf(calendar, next)
    next += 1
    return one
  })
}

/** An error in a pay group: the field and a sentence. */
export interface Fault {
  path: string
  message: string
}

const periodsPerYear = { WEEKLY: 53, BI_WEEKLY: 27, SEMI_MONTHLY: 24, MONTHLY: 12 } as const
/**
 * From this many days between start and payment, there is always a business day for the report, whatever the month ends and
 * holidays.
 */
const safePaymentGap = 11

/**
 * Number of periods to check: two years, or 28 years for a calendar whose payment follows soon after the start; after these,
 * weekdays and leap years repeat.
 */
function periodsToCheck({ payroll_frequency, first, second }: PayCalendar): number {
  const isRoomy = [first, second ?? first].every((one) => daysBetween(one.start_date, one.payment_date) >= safePaymentGap)
  return periodsPerYear[payroll_frequency] * (isRoomy ? 2 : 28)
}

/** Checks the order of the dates of a period (PGR-001 to PGR-003). */
function validateOrder({ start_date, end_date, report_date, payment_date }: WorkPeriod, at: string): Fault[] {
  const faults: Fault[] = []
  if (end_date <= start_date) faults.push({ path: `${at}.end_date`, message: 'The end date must be after the start date.' })
  if (report_date <= start_date)
    faults.push({ path: `${at}.report_date`, message: 'The report date must be after the start date.' })
  else if (report_date >= payment_date)
    faults.push({ path: `${at}.report_date`, message: 'The report date must be before the payment date.' })
  return faults
}

/**
 * All errors in a calendar of valid dates (PGR-001 to PGR-004, PGR-006): the order within each period, and that periods follow
 * each other without a gap, which determines their ends.
 */
export function validateCalendar(calendar: PayCalendar): Fault[] {
  const { payroll_frequency, first, second } = calendar
  const faults = [...validateOrder(first, 'first'), ...(second ? validateOrder(second, 'second') : [])]
  if (payroll_frequency === 'SEMI_MONTHLY' && !second)
    faults.push({ path: 'second', message: 'A semi-monthly pay group has two work periods.' })
  if (second && second.payment_date <= first.payment_date)
    faults.push({ path: 'second.payment_date', message: 'The second payment date must be after the first.' })
  if (faults.length > 0) return faults
  if (second && second.start_date !== addDays(first.end_date, 1))
    return [{ path: 'second.start_date', message: 'The second work period starts the day after the first one ends.' }]
  const [one, two] = [periodOf(calendar, 0), periodOf(calendar, 1)]
  if (two.end_date <= two.start_date)
    return [{ path: 'second.start_date', message: 'The second work period starts within a month of the first.' }]
  if (first.end_date !== one.end_date)
    return [{ path: 'first.end_date', message: `With this frequency it ends on ${one.end_date}.` }]
  if (second && second.end_date !== two.end_date)
    return [{ path: 'second.end_date', message: `With this frequency it ends on ${two.end_date}.` }]
  if (second && payroll_frequency !== 'SEMI_MONTHLY')
    for (const name of ['report_date', 'payment_date'] as const)
      if (second[name] !== unadjusted(calendar, 1)[name])
        return [{ path: `second.${name}`, message: `With this frequency it is ${unadjusted(calendar, 1)[name]}.` }]
  const count = periodsToCheck(calendar)
  for (let number = 0; number < count; number += 1) {
    const { start_date, report_date, payment_date } = periodOf(calendar, number)
    if (report_date >= payment_date)
      return [{ path: 'first.report_date', message: `No business day is left for it in the period from ${start_date}.` }]
  }
  return []
}
