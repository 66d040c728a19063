import { addDays, daysBetween, isMonthEnd, monthEndOf } from '#domain/calendar.ts'
import type { PayFrequency } from '#domain/pay-frequency.ts'

/** The pay period of an invoice; both days belong to it, `yyyy-MM-dd`. */
export interface InvoicedPeriod {
  period_start: string
  period_end: string
}

const dayOf = (date: string): number => Number(date.slice(8))

/** The pay frequency that a period belongs to; null for a length that no pay group has. */
export function frequencyOf({ period_start, period_end }: InvoicedPeriod): PayFrequency | null {
  const [first, last] = [dayOf(period_start), dayOf(period_end)]
  if (first === 1 && isMonthEnd(period_end)) return 'MONTHLY'
  if ((first === 1 && last === 15) || (first === 16 && isMonthEnd(period_end))) return 'SEMI_MONTHLY'
  const days = daysBetween(period_start, period_end) + 1
  return days === 7 ? 'WEEKLY' : days === 14 ? 'BI_WEEKLY' : null
}

/** The following period, without a gap: weekly periods keep their length, monthly and semi-monthly ones their days. */
export function nextPeriod(period: InvoicedPeriod): InvoicedPeriod {
  const period_start = addDays(period.period_end, 1)
  const frequency = frequencyOf(period)
  if (frequency === 'MONTHLY') return { period_start, period_end: monthEndOf(period_start) }
  if (frequency === 'SEMI_MONTHLY')
    return { period_start, period_end: dayOf(period_start) === 1 ? addDays(period_start, 14) : monthEndOf(period_start) }
  return { period_start, period_end: addDays(period_start, daysBetween(period.period_start, period.period_end)) }
}
