import { addDays } from '#domain/calendar.ts'
import { minutesBetween, spanBetween } from '#domain/clock.ts'
import { partsOfHour } from '#domain/mapping-cells.ts'
import type { MappingField, MappingKind } from '#domain/mapping-fields.ts'

/** The values of a line by field, as in `MappedRow`. */
type Values = Partial<Record<MappingField, string | number>>

/** What a line of a kind lacks apart from the identifier, as a sentence; null if it is complete. */
export function lackingIn(kind: MappingKind, values: Values): string | null {
  const has = (field: MappingField) => values[field] !== undefined
  if (kind === 'EMPLOYEE') return has('status') ? null : 'The status is missing.'
  if (kind === 'CONFIRMATION')
    return has('deduction_withheld') || has('deduction_not_withheld')
      ? null
      : 'It says neither what was withheld nor what was not.'
  if (kind !== 'TIMEKEEPING') return null
  if (!has('work_date')) return 'The work date is missing.'
  const enough = has('work_hours') || has('earned_wage') || (has('clock_in') && has('clock_out'))
  return enough ? null : 'It says neither hours, nor clock in and out, nor the earned wage.'
}

/**
 * Sets the hours of a time line without any from its clock values. Returns the error in the clock values, or null. The mapping
 * may have moved the work date by `days`; clock values refer to the date in the line.
 */
export function settleClocks(values: Values, days: number): string | null {
  const { clock_in, clock_out, work_date } = values
  if (clock_in === undefined || clock_out === undefined || work_date === undefined) return null
  const minutes = minutesBetween(String(clock_in), String(clock_out), addDays(String(work_date), -days))
  if (typeof minutes !== 'number') return minutes.fault
  if (minutes > 0) values.work_hours ??= (minutes * partsOfHour) / 60
  return null
}

/** When the work of a time line with clock values was done (`spanBetween`), as `worked`; nothing without clock values. */
export function workedSpan({ clock_in, clock_out, work_date }: Values): { worked?: ReturnType<typeof spanBetween> } {
  if (clock_in === undefined || clock_out === undefined || work_date === undefined) return {}
  return { worked: spanBetween(String(clock_in), String(clock_out), String(work_date)) }
}

const unitedStates = /^(?:us|usa|u\.s\.(?:a\.)?|united states(?: of america)?)$/i

/**
 * Restores leading zeros of a US zip code that a spreadsheet dropped: all of them have five digits. A line without a country is
 * in the US.
 */
export function settleZip(values: Values): void {
  const { zip, country } = values
  if (typeof zip !== 'string' || (country !== undefined && !unitedStates.test(String(country)))) return
  values.zip = zip.replace(/^\d{3,4}(?=$|-\d{4}$)/, (digits) => digits.padStart(5, '0'))
}
