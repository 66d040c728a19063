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
