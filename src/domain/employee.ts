import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Employee statuses (docs/rules/employees.md). */
export const employeeStatuses = states({
  IMPORTED: ['Imported', 'busy'],
  CREATED: ['Created', 'busy'],
  ELIGIBLE: ['Eligible', 'busy'],
  ACTIVE: ['Active', 'good'],
  INELIGIBLE: ['Ineligible', 'idle'],
  PAUSED: ['Paused', 'wait'],
  TERMINATED: ['Terminated', 'bad'],
  OFFCYCLE_PAID: ['Off-cycle paid', 'idle'],
  DELETED: ['Deleted', 'bad'],
  DUPLICATED: ['Duplicated', 'idle'],
  UNKNOWN: ['Unknown', 'idle'],
})
export type EmployeeStatus = StateOf<typeof employeeStatuses>

/** This status is only visible with the right to see off-cycle payments (17); to everybody else the employee has no status. */
export const restrictedStatus = 'OFFCYCLE_PAID' satisfies EmployeeStatus

/** Minimum number of days paused, by the name of the filter. */
export const pausedLonger = { OVER_7_DAYS: 7, OVER_30_DAYS: 30, OVER_90_DAYS: 90 } as const
export type PausedLonger = keyof typeof pausedLonger
export const pausedLongerLabels: Record<PausedLonger, string> = {
  OVER_7_DAYS: 'Longer than 7 days',
  OVER_30_DAYS: 'Longer than 30 days',
  OVER_90_DAYS: 'Longer than 90 days',
}

/** Number of days until the report date of the pay period, by the name of the filter. */
export const reportsIn = { TODAY: 0, TOMORROW: 1 } as const
export type ReportsIn = keyof typeof reportsIn
export const reportsInLabels: Record<ReportsIn, string> = { TODAY: 'Today', TOMORROW: 'Tomorrow' }

/** The parts of a postal address, in the order on an envelope. */
const addressFields = ['address', 'city', 'state', 'zip', 'country'] as const

/** Personal details, visible only with read:personal-details. */
export const personalFields = ['birth_date', ...addressFields] as const

/** Codes by which an employer's systems place an employee or a shift; the department comes first. */
export const placementCodes = ['department_code', 'business_unit_code', 'location_code', 'pay_code', 'payroll_code'] as const
export type PlacementCode = (typeof placementCodes)[number]

export const flows = ['PAYROLL', 'CONSUMER'] as const
export type Flow = (typeof flows)[number]

export type EmployeeAction = 'pause' | 'resume' | 'additional-transaction' | 'off-cycle-termination' | 'unlink'

/** Actions that a status allows: one table for the palette's reason and the server's refusal. */
const allowed: Record<EmployeeStatus, readonly EmployeeAction[]> = {
  IMPORTED: ['pause'],
  CREATED: ['pause'],
  ELIGIBLE: ['pause', 'off-cycle-termination'],
  ACTIVE: ['pause', 'additional-transaction', 'off-cycle-termination', 'unlink'],
  INELIGIBLE: ['off-cycle-termination', 'unlink'],
  PAUSED: ['resume', 'off-cycle-termination', 'unlink'],
  TERMINATED: ['off-cycle-termination', 'unlink'],
  OFFCYCLE_PAID: [],
  DELETED: [],
  DUPLICATED: [],
  UNKNOWN: [],
}

/** Input of the rules below; both the API's employee and the server's row have it. */
export interface EmployeeFacts {
  /** Null if it is masked. */
  status: string | null
  user_id: number | null
  user?: { force_password_change: boolean } | null
  balance?: { pending_amount: number } | null
  /**
   * A pending transaction in any work period, including past ones. The server knows all of them; the API's employee covers the
   * open period.
   */
  pending?: boolean
}

/** Refuses actions that a status does not allow (docs/rules/employees.md). */
export const byStatus = (employee: { status: string | null }, action: EmployeeAction): Refusal | null =>
  allowed[employee.status as EmployeeStatus]?.includes(action) ? null : unavailableWhen(employeeStatuses, employee.status)

/** Refuses every action if the status allows none: it is final, unmapped, or masked (docs/rules/employees.md). */
export const refusedForGood = ({ status }: { status: string | null }): Refusal | null =>
  (allowed[status as EmployeeStatus] ?? []).length > 0 ? null : unavailableWhen(employeeStatuses, status)

/** Refuses to change pay frequency and next pay date only for employees who have left for good. */
export const canChangePay = (employee: EmployeeFacts): Refusal | null => refusedForGood(employee)

/** Refuses to pause (EMP-001). */
export const canPause = (employee: EmployeeFacts): Refusal | null =>
  employee.status === 'PAUSED' ? refuse('already-paused', 'Already paused.') : byStatus(employee, 'pause')

/** Refuses to resume by status alone (EMP-004); `whyNotUnpause` checks the rest. */
export const canResume = (employee: EmployeeFacts): Refusal | null => byStatus(employee, 'resume')

/** Refuses an off-cycle termination (EMP-011). */
export const canTerminateOffCycle = (employee: EmployeeFacts): Refusal | null => byStatus(employee, 'off-cycle-termination')

/** Input of the check whether a paused employee may be resumed; amounts in cents. */
export interface UnpauseFacts {
  /** Null if it is masked. */
  status: string | null
  employer_active: boolean
  kyc_status: string | null
  unrecovered_amount: number
}

/** All reasons against resuming, in words; empty if it is allowed (GET employees/{id}/can-unpause). */
export function whyNotUnpause(facts: UnpauseFacts): string[] {
  const reasons: string[] = []
  const refusal = byStatus(facts, 'resume')
  if (refusal) reasons.push(refusal.sentence)
  if (!facts.employer_active) reasons.push('The employer is inactive.')
  if (facts.kyc_status === 'DENIED') reasons.push('The identity check was denied.')
  if (facts.unrecovered_amount > 0) reasons.push('An earlier balance was not recovered.')
  return reasons
}

/** Refuses to unlink the employee from the user (EMP-008). */
export function canUnlink(employee: EmployeeFacts): Refusal | null {
  if (employee.user_id === null) return refuse('not-linked', 'This employee is not linked to a user.')
  const refusal = byStatus(employee, 'unlink')
  if (refusal) return refusal
  if (employee.pending || (employee.balance?.pending_amount ?? 0) > 0)
    return refuse('transaction-pending', 'A transaction is pending. Unlink when it has completed.')
  return null
}

function passwordChange(employee: EmployeeFacts): Refusal | null {
  if (employee.user_id === null) return refuse('not-linked', 'This employee is not linked to a user.')
  if (employee.status === 'PAUSED') return refuse('employee-paused', 'Unavailable while the employee is paused.')
  return null
}

/** Refuses to force a password change (PERM-029, PERM-030). */
export const canForcePasswordChange = (employee: EmployeeFacts): Refusal | null =>
  passwordChange(employee) ??
  (employee.user?.force_password_change
    ? refuse('password-change-already-forced', 'A password change is already required.')
    : null)

/** Refuses to cancel a forced password change (EMP-010). */
export const canCancelPasswordChange = (employee: EmployeeFacts): Refusal | null =>
  passwordChange(employee) ??
  (employee.user?.force_password_change === false
    ? refuse('password-change-not-forced', 'No password change is required.')
    : null)
