import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Deduction statuses (DED-001 to DED-004). */
export const deductionStatuses = states({
  PENDING: ['Pending', 'wait'],
  APPROVED: ['Approved', 'good'],
  DELIVERED: ['Delivered', 'good'],
  WAITING_CONFIRMATION: ['Waiting confirmation', 'wait'],
})
export type DeductionStatus = StateOf<typeof deductionStatuses>

/** Input of the rules below. */
export interface DeductionFacts {
  status: string
  /** Number of pending write-off suggestions of its invoice. */
  pending_write_offs: number
}

/** Refuses to approve while write-offs are pending (DED-006). */
export const validatePendingWriteOffs = (pending: number): Refusal | null =>
  pending > 0 ? refuse('write-offs-pending', 'Approve is not possible while write-offs are pending.') : null

/** Refuses to approve a deduction (DED-005, DED-006). */
export const canApprove = (deduction: DeductionFacts): Refusal | null =>
  deduction.status === 'PENDING'
    ? validatePendingWriteOffs(deduction.pending_write_offs)
    : unavailableWhen(deductionStatuses, deduction.status)

/** Refuses to deliver the file of a deduction unless it is approved. */
export const canDeliver = (deduction: { status: string }): Refusal | null =>
  deduction.status === 'APPROVED' ? null : unavailableWhen(deductionStatuses, deduction.status)

/** Refuses a confirmation file unless one is awaited. */
export const canConfirm = (deduction: { status: string }): Refusal | null =>
  deduction.status === 'WAITING_CONFIRMATION' ? null : unavailableWhen(deductionStatuses, deduction.status)

/** The status after delivery of the file; with a confirmation flow the employer's answer is awaited. */
export const afterDelivery = (confirmationFlow: boolean): DeductionStatus =>
  confirmationFlow ? 'WAITING_CONFIRMATION' : 'DELIVERED'

/** The status after a confirmation file; if several are expected, only the last one completes it. */
export const afterConfirmation = (last: boolean): DeductionStatus => (last ? 'DELIVERED' : 'WAITING_CONFIRMATION')

/** Refuses a file with employees who lack its identifier; `missing` are their names. */
export const validateIdentifiers = (missing: readonly string[], identifier: string): Refusal | null =>
  missing.length === 0
    ? null
    : refuse(
        'identifier-missing',
        `The file names employees by ${identifier}, which ${missing.slice(0, 3).join(', ')}${
          missing.length > 3 ? ` and ${missing.length - 3} more` : ''
        } ${missing.length === 1 ? 'does' : 'do'} not have.`,
      )

/** Message for a negative withheld amount. */
export const withheldBelowZero = 'The withheld amount cannot be less than 0.'

/** Refuses a withheld amount (cents) that is negative or above the requested amount. */
export const validateWithheld = (withheld: number, line: { amount: number }): Refusal | null =>
  withheld < 0
    ? refuse('amount-invalid', withheldBelowZero)
    : withheld <= line.amount
      ? null
      : refuse('above-outstanding', `The withheld amount cannot exceed what was asked for: ${formatCents(line.amount)}.`)

/** Summary of an approval, in words; `amount` in cents. */
export const toWithhold = (amount: number): string => `${formatCents(amount)} has to be withheld.`
