import { validateAction } from '#domain/invoice.ts'
import { type LineFacts, suggestibleAmount } from '#domain/invoice-line.ts'
import { formatCents } from '#domain/money.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

export const writeOffStatuses = states({
  PENDING: ['Pending', 'wait'],
  APPROVED: ['Approved', 'good'],
  REJECTED: ['Rejected', 'bad'],
  REVERSED: ['Reversed', 'idle'],
})
export type WriteOffStatus = StateOf<typeof writeOffStatuses>

/** Reasons for a write-off (WOF-001). */
export const writeOffReasons = [
  'EMPLOYEE_TERMINATED',
  'INSUFFICIENT_WAGES',
  'EMPLOYEE_DECEASED',
  'FRAUD',
  'BANKRUPTCY',
  'OTHER',
] as const
export type WriteOffReason = (typeof writeOffReasons)[number]
export const writeOffReasonLabels: Record<WriteOffReason, string> = {
  EMPLOYEE_TERMINATED: 'Employee terminated',
  INSUFFICIENT_WAGES: 'Insufficient wages',
  EMPLOYEE_DECEASED: 'Employee deceased',
  FRAUD: 'Fraud',
  BANKRUPTCY: 'Bankruptcy',
  OTHER: 'Other',
}

/** Maximum length of a comment (WOF-006, docs/rules/deductions.md). */
export const commentLimit = 500

/** Refuses a missing or unknown reason, and a comment that is too long (WOF-001, WOF-005, WOF-006). */
export function validateReason({ reason, comment }: { reason?: string | null; comment?: string | null }): Refusal | null {
  if (!(writeOffReasons as readonly unknown[]).includes(reason)) return refuse('reason-required', 'A reason is required.')
  return (comment ?? '').length > commentLimit
    ? refuse('comment-too-long', `A comment has at most ${commentLimit} characters.`)
    : null
}

export interface Suggestion {
  amount: number
  reason?: string | null
  comment?: string | null
}

/** Refuses a write-off suggestion for a line: see validateReason and validateSuggested. */
export const validateSuggestion = (suggestion: Suggestion, line: LineFacts): Refusal | null =>
  validateReason(suggestion) ?? validateSuggested(suggestion.amount, line)

/** Refuses a suggested amount for a line: one pending write-off at a time, above 0, at most what the line owes. */
export function validateSuggested(amount: number, line: LineFacts): Refusal | null {
  if (line.pending_amount > 0) return refuse('suggestion-waiting', 'A write-off of this line already waits for a decision.')
  if (!Number.isSafeInteger(amount)) return refuse('amount-invalid', 'Enter an amount in whole cents.')
  if (amount <= 0) return refuse('not-positive', 'The suggested amount cannot be zero or negative.')
  const max = suggestibleAmount(line)
  return amount > max
    ? refuse('above-outstanding', `The suggested amount cannot exceed what the line owes: ${formatCents(max)}.`)
    : null
}

/**
 * Refuses to write off more than the invoice amount, in cents: because of rolled-in credit it may be less than the sum of its
 * lines. `amount` includes pending suggestions.
 */
export const validateRoom = (amount: number, invoice: { invoice_amount: number }): Refusal | null =>
  amount > invoice.invoice_amount
    ? refuse('above-outstanding', `Write-offs cannot exceed what the invoice comes to: ${formatCents(invoice.invoice_amount)}.`)
    : null

/** Refuses to approve or reject a write-off that is already decided. */
export const canDecide = (writeOff: { status: string }): Refusal | null =>
  writeOff.status === 'PENDING'
    ? null
    : refuse('already-decided', `This write-off is already ${writeOffStatuses.label(writeOff.status).toLowerCase()}.`)

/** Refuses to undo a write-off that was not approved, or is already undone. */
export const canReverse = (writeOff: { status: string }): Refusal | null =>
  writeOff.status === 'APPROVED' ? null : refuse('not-approved', 'Only an approved write-off can be undone.')

/** Input of the rules about approval and undo; used by the palette and the server. */
export interface DecisionFacts {
  status: string
  /** The status of its invoice. */
  invoice_status: string
  /** Suggested by the caller, who has no exemption. */
  own: boolean
}

const validateOwn = (own: boolean): Refusal | null =>
  own ? refuse('own-suggestion', 'Somebody else has to approve what you suggested.') : null

/** Refuses an approval unless the write-off is pending, was suggested by somebody else, and its invoice allows it. */
export const canApprove = (writeOff: DecisionFacts): Refusal | null =>
  canDecide(writeOff) ?? validateOwn(writeOff.own) ?? validateAction('approve-write-off', { status: writeOff.invoice_status })

/** Refuses an undo if the write-off was not approved, or its invoice does not allow it; a closed invoice has to be reopened first. */
export const canUndo = (writeOff: Omit<DecisionFacts, 'own'>): Refusal | null =>
  canReverse(writeOff) ??
  (writeOff.invoice_status === 'CLOSED'
    ? refuse('status-forbids', 'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.')
    : validateAction('approve-write-off', { status: writeOff.invoice_status }))

/** Refuses to reopen the invoice of a write-off unless that allows to reverse it. */
export const canReopenFor = (writeOff: Omit<DecisionFacts, 'own'>): Refusal | null =>
  canReverse(writeOff) ??
  (writeOff.invoice_status === 'CLOSED' ? null : refuse('status-forbids', 'The invoice of this write-off is not closed.'))

export interface WriteOffFacts {
  status: string
  suggested_amount: number
  /** Who suggested it: the same kind of id as the approver's. */
  suggested_by: number | string | null
}

/**
 * Refuses an approval unless 0 < approved <= suggested (WOF-002 to WOF-004), by somebody other than the author of the
 * suggestion; a super-admin is exempt. The rest of the suggestion is rejected. The reason is checked by `validateReason`.
 */
export function validateApproval(
  writeOff: WriteOffFacts,
  amount: number,
  approver: number | string,
  superAdmin: boolean,
): Refusal | null {
  return (
    canDecide(writeOff) ?? validateOwn(!superAdmin && writeOff.suggested_by === approver) ?? validateApproved(writeOff, amount)
  )
}

/** Refuses an amount that is not part of the suggestion (WOF-002 to WOF-004). */
export function validateApproved({ suggested_amount }: { suggested_amount: number }, amount: number): Refusal | null {
  if (!Number.isSafeInteger(amount)) return refuse('amount-invalid', 'Enter an amount in whole cents.')
  if (amount <= 0) return refuse('not-positive', 'The approved amount cannot be zero or negative.')
  return amount > suggested_amount ? refuse('above-suggested', 'The approved amount cannot exceed the suggested amount.') : null
}
