import { type Refusal, refuse } from '#domain/refusal.ts'
import { states } from '#domain/status.ts'

/** How a report or payment date that falls on a closed day is moved, as the API says it (ENT-117 to ENT-119). */
export const adjustmentTypes = ['NEXT_BUSINESS_DAY', 'PREVIOUS_BUSINESS_DAY', 'SAME_DAY'] as const
export type AdjustmentType = (typeof adjustmentTypes)[number]
/** The words for what happens to a date on a closed day. */
export const adjustmentLabels = {
  NEXT_BUSINESS_DAY: 'Next business day',
  PREVIOUS_BUSINESS_DAY: 'Previous business day',
  SAME_DAY: 'Same day',
}

/** Whether somebody has confirmed a pay group that was taken from the periods of invoices. */
export const payGroupStates = states({ DERIVED: ['Derived', 'wait'], CONFIRMED: ['Confirmed', 'good'] })

/** Why a pay group cannot be confirmed: somebody has done so (rules 17). */
export const canConfirmPayGroup = (one: { derived: boolean }): Refusal | null =>
  one.derived ? null : refuse('already-confirmed', 'This pay group is confirmed already.')

/** What a date of a pay group on the last day of a month stands for: Nov 30 is the last day of every month, or the 30th. */
export const monthEnds = ['LAST_DAY', 'SAME_DAY'] as const
export type MonthEnd = (typeof monthEnds)[number]
export const monthEndLabels: Readonly<Record<MonthEnd, string>> = {
  LAST_DAY: 'The last day of every month',
  SAME_DAY: 'The same day of every month, such as the 30th',
}
