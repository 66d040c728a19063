import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** How a report or payment date on a closed day is moved, by the API's names (ENT-117 to ENT-119). */
export const adjustmentTypes = ['NEXT_BUSINESS_DAY', 'PREVIOUS_BUSINESS_DAY', 'SAME_DAY'] as const
export type AdjustmentType = (typeof adjustmentTypes)[number]
/** Labels of the adjustments. */
export const adjustmentLabels = {
  NEXT_BUSINESS_DAY: 'Next business day',
  PREVIOUS_BUSINESS_DAY: 'Previous business day',
  SAME_DAY: 'Same day',
}

/** Whether a pay group derived from the periods of invoices has been confirmed. */
export const payGroupStates = states({ DERIVED: ['Derived', 'wait'], CONFIRMED: ['Confirmed', 'good'] })

/** Why a pay group cannot be confirmed: it has been already (docs/rules/calendars.md). */
export const canConfirmPayGroup = (one: { derived: boolean }): Refusal | null =>
  one.derived ? null : refuse('already-confirmed', 'This pay group is confirmed already.')

/** Meaning of a pay group's date on the last day of a month: Nov 30 is the month end, or the 30th. */
export const monthEnds = ['LAST_DAY', 'SAME_DAY'] as const
export type MonthEnd = (typeof monthEnds)[number]
export const monthEndLabels: Readonly<Record<MonthEnd, string>> = {
  LAST_DAY: 'The last day of every month',
  SAME_DAY: 'The same day of every month, such as the 30th',
}
