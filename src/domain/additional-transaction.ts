import { byStatus } from '#domain/employee.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { isGrantOpen, noBalance, type Requests, requestsLeft } from '#domain/work-period.ts'

/** Input of the rule. The API's employee has everything except `cycle`, which the server adds. */
export interface AdditionalTransactionFacts {
  /** Null if it is masked. */
  status: string | null
  user_id: number | null
  user?: { kyc_status: string | null } | null
  employer?: { status: string }
  /** Null if no work period is open, so that nothing can be calculated. */
  balance?: object | null
  /** The open work period; `yyyy-MM-dd`. */
  cycle?: (Requests & { report_date: string; today: string }) | null
}

/**
 * Refuses to grant one more request than are left (EMP-007, EMP-015 to EMP-017, docs/rules/employees.md). Permanent reasons come
 * first, so that nobody fixes a temporary one in vain.
 */
export function canAddTransaction(employee: AdditionalTransactionFacts): Refusal | null {
  const refusal = byStatus(employee, 'additional-transaction')
  if (refusal) return refusal
  if (employee.user_id === null) return refuse('not-linked', 'This employee is not linked to a user.')
  if (employee.employer && employee.employer.status !== 'ACTIVE') return refuse('employer-inactive', 'The employer is inactive.')
  if (employee.user && employee.user.kyc_status !== 'APPROVED')
    return refuse('not-identified', 'The identity check is not approved.')
  if (employee.balance === null || employee.cycle === null) return noBalance()
  const { cycle } = employee
  if (!cycle) return null
  if (cycle.today > cycle.report_date) return refuse('reported', 'The report date of this pay period has passed.')
  if (isGrantOpen(cycle)) return refuse('grant-open', 'An additional transaction was granted and is not used yet.')
  if (requestsLeft(cycle) > 0) return refuse('transaction-remaining', 'The employee has a transaction remaining.')
  return null
}
