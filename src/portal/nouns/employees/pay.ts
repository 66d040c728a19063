import { type Employee, flowLabels, frequencyLabels } from '#contract/employees.ts'
import { formatCents, hourlyEstimate } from '#domain/money.ts'
import { shortDate } from '#portal/format/dates.ts'
import type { CellValue } from '#portal/list/definition.ts'

/** The note for every rate with a star. */
export const estimateNote = 'Estimated from the yearly salary on a 40-hour week'

const isSalary = (one: Pick<Employee, 'pay_type'>): boolean => one.pay_type === 'SALARY'

/**
 * The hourly rate, `$21.00 / h`; for a salary an estimate with a star (ENUM-014, ENUM-015). Without a pay type only the amount:
 * if the type is masked the API returns the hourly rate, and if it is unknown the amount may be per year.
 */
export function rateText(one: Pick<Employee, 'pay_type' | 'rate_amount'>): string {
  if (one.rate_amount === null) return '—'
  if (one.pay_type === null) return formatCents(one.rate_amount)
  return isSalary(one) ? `${formatCents(hourlyEstimate(one.rate_amount))} / h*` : `${formatCents(one.rate_amount)} / h`
}

/** The rate as a cell value, with the same unit as `rateText`. */
export function rateValue(one: Pick<Employee, 'pay_type' | 'rate_amount'>): CellValue {
  if (one.rate_amount === null) return null
  if (one.pay_type === null) return { cents: one.rate_amount }
  return isSalary(one) ? { cents: hourlyEstimate(one.rate_amount), unit: '/ h*' } : { cents: one.rate_amount, unit: '/ h' }
}

/** The label of a pay type; HOUR and HOURLY are the same (ENUM-014). */
export const payTypeText = (type: string | null): string =>
  type === null ? '—' : ({ HOUR: 'Hourly', HOURLY: 'Hourly', SALARY: 'Salary' }[type] ?? type)

/** The label of a pay frequency (ENUM-010 to ENUM-013). */
export const frequencyText = (frequency: string | null): string =>
  frequency === null ? '—' : ((frequencyLabels as Record<string, string>)[frequency] ?? frequency)

/** The label of a flow. */
export const flowText = (flow: Employee['flow']): string => flowLabels[flow]

/** `1 Nov to 15 Nov 2026`; with both years if they differ. */
export function periodText({ period_start, period_end }: { period_start: string; period_end: string }): string {
  const start = shortDate(period_start)
  const inOneYear = period_start.slice(0, 4) === period_end.slice(0, 4)
  return `${inOneYear ? start.slice(0, -5) : start} to ${shortDate(period_end)}`
}
