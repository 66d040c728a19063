import { validateInFlight, validateRetry, type RetryFacts } from '#domain/ach.ts'
import { daysBetween } from '#domain/calendar.ts'
import { validatePendingWriteOffs } from '#domain/deduction.ts'
import { validateRolloverAllowed } from '#domain/overpayment.ts'
import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Invoice statuses (INV-001 to INV-011). */
export const invoiceStatuses = states({
  DRAFT: ['Draft', 'idle'],
  ON_DEDUCTION_FILE: ['In Review', 'wait'],
  DEDUCTION_APPROVED: ['Approved', 'good'],
  SCHEDULED: ['Scheduled', 'busy'],
  SENT: ['Sent', 'busy'],
  PROCESSING: ['Processing', 'busy'],
  CLOSED: ['Paid', 'good'],
  RETURNED: ['Returned', 'bad'],
  PARTIALLY_RETURNED: ['Partially Returned', 'bad'],
  REFUND_IN_PROGRESS: ['Refund In Progress', 'wait'],
  REFUNDED: ['Refunded', 'idle'],
})
export type InvoiceStatus = StateOf<typeof invoiceStatuses>

/** Further values of the status filter: derived from amounts and dates, never stored (INV-013 to INV-015). */
export const derivedStates = states({
  OVERDUE: ['Overdue', 'bad'],
  OVERPAID: ['Overpaid', 'wait'],
  UNDERPAID: ['Underpaid', 'wait'],
})
export type DerivedState = StateOf<typeof derivedStates>

export const invoiceActions = [
  'edit',
  'add-repayment',
  'negative-repayment',
  'refund',
  'rollover',
  'suggest-write-off',
  'approve-write-off',
  'approve-deduction',
  'close',
  'reopen',
  'retry-ach',
  'collect',
  'download',
  'cancel-refund',
  'mark-self-pay',
] as const
export type InvoiceAction = (typeof invoiceActions)[number]

const writeOffs = ['suggest-write-off', 'approve-write-off'] as const
const overpayment = ['negative-repayment', 'refund', 'rollover'] as const
const returned = ['edit', 'add-repayment', ...writeOffs, 'close', 'retry-ach', 'collect', 'download'] as const

/** Actions that a status allows (docs/rules/invoices.md). */
const allowed: Record<InvoiceStatus, readonly InvoiceAction[]> = {
  DRAFT: ['edit', 'download'],
  ON_DEDUCTION_FILE: [...writeOffs, 'approve-deduction', 'download'],
  DEDUCTION_APPROVED: ['edit', 'add-repayment', ...writeOffs, 'download'],
  SCHEDULED: ['edit', 'add-repayment', ...writeOffs, 'mark-self-pay', 'download'],
  SENT: ['edit', 'add-repayment', ...overpayment, ...writeOffs, 'close', 'download'],
  PROCESSING: ['add-repayment', 'download'],
  CLOSED: ['add-repayment', ...overpayment, 'reopen', 'download'],
  RETURNED: returned,
  PARTIALLY_RETURNED: returned,
  REFUND_IN_PROGRESS: [...overpayment, 'cancel-refund', 'download'],
  REFUNDED: ['download'],
}

/** While a result is awaited, actions are refused with the sentence of the specification (INV-020). */
const awaited: readonly string[] = ['PROCESSING', 'REFUND_IN_PROGRESS']

/** Input of the rules; both the API's invoice and the server's row have it. Amounts in cents. */
export interface InvoiceFacts {
  status: string
  invoice_amount: number
  paid_amount: number
  /** Negative if overpaid. */
  outstanding_amount: number
  /** Submitted by debits and not yet answered by the bank; defaults to 0. */
  in_flight_amount?: number | null
  due_date: string | null
  /** Active bank accounts of the debtor; not checked if undefined. */
  active_account_count?: number | null
  /** Whether credit that rolled out of it was used by an invoice past DRAFT. */
  credit_used?: boolean | null
  /** Basis points; not checked if undefined, 0 if null. */
  allowed_rollover_percentage?: number | null
  /** What has rolled over from it before; defaults to 0. */
  rolled_over_amount?: number | null
  /** Pending write-off suggestions. */
  pending_write_offs?: number | null
  /** The latest refund. */
  refund?: { state: string; absorbed_amount?: number } | null
  /** The last debit; undefined if it cannot be retried. */
  ach?: RetryFacts | null
  /** The business date; the days of a retry are not checked if undefined. */
  as_of?: string | null
}

/** Whether the table allows the action in this status; an unknown status allows nothing. */
export const allows = (status: string, action: InvoiceAction): boolean =>
  Object.hasOwn(allowed, status) && allowed[status as InvoiceStatus].includes(action)

/** Refuses an action by status alone, according to the table in docs/rules/invoices.md (INV-019, INV-020). */
export function validateAction(action: InvoiceAction, facts: { status: string }): Refusal | null {
  if (allows(facts.status, action)) return null
  return awaited.includes(facts.status) ? submissionMade : unavailableWhen(invoiceStatuses, facts.status)
}

const submissionMade = refuse('submission-made', 'Cannot Edit invoice. A submission has been made, results are being processed')

/** Overpaid money beyond a waiting refund stays available (docs/rules/money.md). */
const overpaidOnly = (facts: InvoiceFacts, sentence: string): Refusal | null => {
  if (facts.outstanding_amount < 0) return null
  return facts.status === 'REFUND_IN_PROGRESS' ? submissionMade : refuse('not-overpaid', sentence)
}

const oneAccount = (facts: InvoiceFacts, what: string): Refusal | null =>
  (facts.active_account_count ?? 0) > 1
    ? refuse('multiple-bank-accounts', `${what} is not possible for employers with multiple bank accounts.`)
    : null

/** Refuses to close by hand (INV-016). If something is still outstanding, the invoice stays Underpaid. */
export const canClose = (facts: InvoiceFacts): Refusal | null => validateAction('close', facts)

/** Refuses to reopen (INV-017), also if its credit was used by an invoice past DRAFT. */
export const canReopen = (facts: InvoiceFacts): Refusal | null =>
  validateAction('reopen', facts) ??
  (facts.credit_used
    ? refuse('credit-used', 'Credit of this invoice was already used by a later invoice, so it cannot be reopened.')
    : null)

/** Refuses to edit (INV-020). */
export const canEdit = (facts: InvoiceFacts): Refusal | null => validateAction('edit', facts)

/** Refuses a repayment. On a closed invoice, or one in PROCESSING, it has to be allocated explicitly, see `takesByItself`. */
export const canAddRepayment = (facts: InvoiceFacts): Refusal | null => validateAction('add-repayment', facts)

/** Whether money is allocated automatically to an invoice in this status; in PROCESSING a result is awaited. */
export const takesByItself = (status: string): boolean =>
  status !== 'CLOSED' && status !== 'PROCESSING' && allows(status, 'add-repayment')

/**
 * Refuses a negative repayment (REP-007), and a payment back if the debtor has several bank accounts. If the status allows
 * repayments, the reason that it is not overpaid comes before the status' own about negative ones.
 */
export function canAddNegativeRepayment(facts: InvoiceFacts): Refusal | null {
  const status = validateAction('negative-repayment', facts)
  const owing = overpaidOnly(facts, 'Negative payment is only possible for overpaid invoice')
  return (canAddRepayment(facts) ? (status ?? owing) : (owing ?? status)) ?? oneAccount(facts, 'Negative payment')
}

/** Refuses a refund (INV-025); a further refund is added to one that waits. */
export const canRefund = (facts: InvoiceFacts): Refusal | null =>
  validateAction('refund', facts) ?? overpaidOnly(facts, 'This invoice is not overpaid.') ?? oneAccount(facts, 'Refund')

/** Refuses a rollover (INV-026), also if a known percentage is 0. */
export const canRollover = (facts: InvoiceFacts): Refusal | null =>
  validateAction('rollover', facts) ??
  overpaidOnly(facts, 'This invoice is not overpaid.') ??
  oneAccount(facts, 'Credit') ??
  (facts.allowed_rollover_percentage === undefined ? null : validateRolloverAllowed(facts))

/** Refuses to suggest a write-off. */
export const canSuggestWriteOff = (facts: InvoiceFacts): Refusal | null => validateAction('suggest-write-off', facts)

/** Refuses to approve the deduction (DED-006). */
export const canApproveDeduction = (facts: InvoiceFacts): Refusal | null =>
  validateAction('approve-deduction', facts) ?? validatePendingWriteOffs(facts.pending_write_offs ?? 0)

/** Refuses to retry the debit: R01 or R09, at most 2 retries, within 180 days of the first debit, and not what is in flight. */
export const canRetryAch = (facts: InvoiceFacts): Refusal | null =>
  validateAction('retry-ach', facts) ?? validateRetry(facts.ach ?? {}, facts.as_of) ?? validateInFlight(facts)

/** Refuses to unflag a debtor who is not flagged. */
export const canUnflag = (facts: { debtor_flagged: boolean }): Refusal | null =>
  facts.debtor_flagged ? null : refuse('debtor-not-flagged', 'This debtor is not flagged.')

/** Refuses to collect a returned invoice manually. */
export const canCollect = (facts: InvoiceFacts): Refusal | null => validateAction('collect', facts)

/** Refuses to switch a scheduled debit to self pay. */
export const canMarkSelfPay = (facts: InvoiceFacts): Refusal | null => validateAction('mark-self-pay', facts)

/** Refuses to cancel a refund; after the next invoice has absorbed all of it, the invoice is REFUNDED. */
export const canCancelRefund = (facts: InvoiceFacts): Refusal | null => validateAction('cancel-refund', facts)

/** The statuses in which an invoice can be overdue. */
export const overdueIn: readonly string[] = ['DEDUCTION_APPROVED', 'SCHEDULED', 'SENT', 'RETURNED', 'PARTIALLY_RETURNED']

/** Input of the derived states. */
export type DerivedFacts = Pick<InvoiceFacts, 'status' | 'paid_amount' | 'outstanding_amount' | 'due_date'>

/** Overdue (INV-013): an amount is outstanding, and the due date is before the business date. */
export const isOverdue = (facts: Omit<DerivedFacts, 'paid_amount'>, today: string): boolean =>
  facts.outstanding_amount > 0 && facts.due_date !== null && facts.due_date < today && overdueIn.includes(facts.status)

/** Overpaid (INV-014). */
export const isOverpaid = (facts: { outstanding_amount: number }): boolean => facts.outstanding_amount < 0

/** Underpaid (INV-015): an amount is outstanding although something was paid, or although it is closed. */
export const isUnderpaid = (facts: Omit<DerivedFacts, 'due_date'>): boolean =>
  facts.outstanding_amount > 0 && (facts.paid_amount > 0 || facts.status === 'CLOSED')

/** Whole days since the due date if the invoice is overdue, else 0. */
export const daysPastDue = (facts: Omit<DerivedFacts, 'paid_amount'>, today: string): number =>
  isOverdue(facts, today) && facts.due_date ? daysBetween(facts.due_date, today) : 0

/** The derived states of an invoice. */
export function derivedStatesOf(facts: DerivedFacts, today: string): DerivedState[] {
  const held: Record<DerivedState, boolean> = {
    OVERDUE: isOverdue(facts, today),
    OVERPAID: isOverpaid(facts),
    UNDERPAID: isUnderpaid(facts),
  }
  return derivedStates.values.filter((state) => held[state])
}
