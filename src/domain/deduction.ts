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

/** What the rules below read of a deduction. */
export interface DeductionFacts {
  status: string
  /** How many write-off suggestions of its invoice wait for a decision. */
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

/** Refuses to deliver the file of a deduction: only an approved one. */
export const canDeliver = (deduction: { status: string }): Refusal | null =>
  deduction.status === 'APPROVED' ? null : unavailableWhen(deductionStatuses, deduction.status)

/** Refuses to take a confirmation file: only while one is awaited. */
export const canConfirm = (deduction: { status: string }): Refusal | null =>
  deduction.status === 'WAITING_CONFIRMATION' ? null : unavailableWhen(deductionStatuses, deduction.status)

/** The status of a deduction whose file was delivered; with a confirmation flow the employer's answer is awaited. */
export const afterDelivery = (confirmationFlow: boolean): DeductionStatus =>
  confirmationFlow ? 'WAITING_CONFIRMATION' : 'DELIVERED'

/** The status after a confirmation file; where several are received, all but the last leave it waiting. */
export const afterConfirmation = (last: boolean): DeductionStatus => (last ? 'DELIVERED' : 'WAITING_CONFIRMATION')

/** Refuses a file that leaves employees unnamed: `missing` are the names of those without the identifier it goes by. */
export const validateIdentifiers = (missing: readonly string[], identifier: string): Refusal | null =>
  missing.length === 0
    ? null
    : refuse(
        'identifier-missing',
        `The file names employees by ${identifier}, which ${missing.slice(0, 3).join(', ')}${
          missing.length > 3 ? ` and ${missing.length - 3} more` : ''
        } ${missing.length === 1 ? 'does' : 'do'} not have.`,
      )

/** Said of a withheld amount below 0. */
export const withheldBelowZero = 'The withheld amount cannot be less than 0.'

/** Refuses a withheld amount (cents) that is below 0, or above what the file asked to withhold. */
export const validateWithheld = (withheld: number, line: { amount: number }): Refusal | null =>
  withheld < 0
    ? refuse('amount-invalid', withheldBelowZero)
    : withheld <= line.amount
      ? null
      : refuse('above-outstanding', `The withheld amount cannot exceed what was asked for: ${formatCents(line.amount)}.`)

/** What approving a deduction is about, in words; `amount` in cents. */
export const toWithhold = (amount: number): string => `${formatCents(amount)} has to be withheld.`
