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

/** Why something is written off (WOF-001). */
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

/** Characters of a comment (WOF-006; rules 4). */
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

/** Refuses to suggest a write-off for a line: see judgeReason and judgeSuggested. */
export const validateSuggestion = (suggestion: Suggestion, line: LineFacts): Refusal | null =>
  validateReason(suggestion) ?? validateSuggested(suggestion.amount, line)

/** Refuses what is suggested for a line: one write-off at a time, above 0, at most what the line owes. */
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
 * Refuses to take more off an invoice than it comes to, in cents: credit that rolled in may have left less than its
 * lines. `amount` has everything that is to come off, what waits for a decision included.
 */
export const validateRoom = (amount: number, invoice: { invoice_amount: number }): Refusal | null =>
  amount > invoice.invoice_amount
    ? refuse('above-outstanding', `Write-offs cannot exceed what the invoice comes to: ${formatCents(invoice.invoice_amount)}.`)
    : null

/** Refuses to approve or reject what is already decided. */
export const canDecide = (writeOff: { status: string }): Refusal | null =>
  writeOff.status === 'PENDING'
    ? null
    : refuse('already-decided', `This write-off is already ${writeOffStatuses.label(writeOff.status).toLowerCase()}.`)

/** Refuses to undo what was not approved, or is undone already. */
export const canReverse = (writeOff: { status: string }): Refusal | null =>
  writeOff.status === 'APPROVED' ? null : refuse('not-approved', 'Only an approved write-off can be undone.')

/** What the palette and the server ask before a write-off is approved or undone. */
export interface DecisionFacts {
  status: string
  /** The status of its invoice. */
  invoice_status: string
  /** Suggested by the one who asks, who holds no exemption. */
  own: boolean
}

const validateOwn = (own: boolean): Refusal | null =>
  own ? refuse('own-suggestion', 'Somebody else has to approve what you suggested.') : null

/** Refuses to approve: it has to wait, to be somebody else's, and its invoice has to allow it. */
export const canApprove = (writeOff: DecisionFacts): Refusal | null =>
  canDecide(writeOff) ?? validateOwn(writeOff.own) ?? validateAction('approve-write-off', { status: writeOff.invoice_status })

/** Refuses to undo what was not approved, also when its invoice does not allow it; that of a closed one is possible once it is reopened. */
export const canUndo = (writeOff: Omit<DecisionFacts, 'own'>): Refusal | null =>
  canReverse(writeOff) ??
  (writeOff.invoice_status === 'CLOSED'
    ? refuse('status-forbids', 'Reopen the invoice first. A write-off of a Paid invoice cannot be reversed.')
    : validateAction('approve-write-off', { status: writeOff.invoice_status }))

/** Refuses to reopen the invoice of a write-off where that does not lead to reversing it. */
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
 * Refuses an approval: 0 < approved <= suggested (WOF-002 to WOF-004), by somebody else than who suggested it; a
 * super-admin is exempt. What is suggested and not approved is rejected. The reason is judged by `judgeReason`.
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

/** Refuses an amount that is no part of what was suggested (WOF-002 to WOF-004). */
export function validateApproved({ suggested_amount }: { suggested_amount: number }, amount: number): Refusal | null {
  if (!Number.isSafeInteger(amount)) return refuse('amount-invalid', 'Enter an amount in whole cents.')
  if (amount <= 0) return refuse('not-positive', 'The approved amount cannot be zero or negative.')
  return amount > suggested_amount ? refuse('above-suggested', 'The approved amount cannot exceed the suggested amount.') : null
}
