import { type Employee, flowLabels, frequencyLabels } from '#contract/employees.ts'
import { formatCents, hourlyEstimate } from '#domain/money.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { CellValue } from '#portal/list/definition.ts'

/** Said wherever a rate carries the star. */
export const estimateNote = 'Estimated from the yearly salary on a 40-hour week'

const isSalary = (one: Pick<Employee, 'pay_type'>): boolean => one.pay_type === 'SALARY'

/**
 * The rate for an hour, `$21.00 / h`; of a salary the estimate, with a star (ENUM-014, ENUM-015). Without a pay type the
 * amount stands alone: the API tells what an hour comes to where the type is masked, and where nobody knows it, it may be of a year.
 */
export function rateText(one: Pick<Employee, 'pay_type' | 'rate_amount'>): string {
  if (one.rate_amount === null) return '—'
  if (one.pay_type === null) return formatCents(one.rate_amount)
  return isSalary(one) ? `${formatCents(hourlyEstimate(one.rate_amount))} / h*` : `${formatCents(one.rate_amount)} / h`
}

/** The rate as the value of a cell, with the unit that `rateText` says. */
export function rateValue(one: Pick<Employee, 'pay_type' | 'rate_amount'>): CellValue {
  if (one.rate_amount === null) return null
  if (one.pay_type === null) return { cents: one.rate_amount }
  return isSalary(one) ? { cents: hourlyEstimate(one.rate_amount), unit: '/ h*' } : { cents: one.rate_amount, unit: '/ h' }
}

/** The word for a pay type; HOUR and HOURLY are one (ENUM-014). */
export const payTypeText = (type: string | null): string =>
  type === null ? '—' : ({ HOUR: 'Hourly', HOURLY: 'Hourly', SALARY: 'Salary' }[type] ?? type)

/** The word for a pay frequency (ENUM-010 to ENUM-013). */
export const frequencyText = (frequency: string | null): string =>
  frequency === null ? '—' : ((frequencyLabels as Record<string, string>)[frequency] ?? frequency)

/** The word for a flow. */
export const flowText = (flow: Employee['flow']): string => flowLabels[flow]

/** `1 Nov to 15 Nov 2026`; with both years where they differ. */
export function periodText({ period_start, period_end }: { period_start: string; period_end: string }): string {
  const start = shortDate(period_start)
  const inOneYear = period_start.slice(0, 4) === period_end.slice(0, 4)
  return `${inOneYear ? start.slice(0, -5) : start} to ${shortDate(period_end)}`
}
