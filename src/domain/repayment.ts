import type { Allocation, InvoiceId } from '#domain/allocation.ts'
import { canAddNegativeRepayment, canAddRepayment, type InvoiceFacts } from '#domain/invoice.ts'
import { formatCents } from '#domain/money.ts'
import { overpaidOf } from '#domain/overpayment.ts'
import { type Refusal, refuse } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'
import { isolated } from '#domain/text.ts'

/** Reconciliation states of a repayment (REP-001 to REP-003). */
export const reconciliations = states({
  RECONCILED: ['Reconciled', 'good'],
  PENDING: ['Pending', 'wait'],
  FAILED: ['Unreconciled/Failed', 'bad'],
})
export type Reconciliation = StateOf<typeof reconciliations>

/** State of the ACH of a repayment (REP-004, REP-005); null without an ACH. */
export const achStates = states({
  PENDING: ['Pending', 'wait'],
  COMPLETED: ['Completed', 'good'],
})
export type AchState = StateOf<typeof achStates>

/** Origins of a repayment (ENT-099 to ENT-101). */
export const origins = ['ACH_ENTRY', 'RETURN', 'USER'] as const
export type Origin = (typeof origins)[number]
export const originLabels: Record<Origin, string> = { ACH_ENTRY: 'ACH entry', RETURN: 'Return', USER: 'User ID' }

/** Why a repayment does not count: DISHONORED, CONTESTED and TAKEN_BACK apply to returns. */
export const failures = ['RETURNED', 'UNMATCHED', 'TAKEN_BACK', 'DISHONORED', 'CONTESTED'] as const
export type Failure = (typeof failures)[number]

/** Whether a return is reversed: its money is back where it was taken from. */
const isReversedReturn = (failure: string | null | undefined): boolean =>
  failure === 'TAKEN_BACK' || failure === 'DISHONORED' || failure === 'CONTESTED'

export interface SettlementFacts {
  /** Returned or unmatched. */
  failed: boolean
  ach_state?: AchState | string | null
}

/** Whether a repayment counts as paid: it has not failed, and its ACH, if any, is completed (docs/rules/money.md). */
export const counts = ({ failed, ach_state }: SettlementFacts): boolean => !failed && ach_state !== 'PENDING'

/** RECONCILED if fully allocated and settled, FAILED if returned or unmatched, else PENDING. */
export function reconciliationOf(facts: SettlementFacts & { unallocated_amount: number }): Reconciliation {
  if (facts.failed) return 'FAILED'
  return counts(facts) && facts.unallocated_amount === 0 ? 'RECONCILED' : 'PENDING'
}

/** Input about an invoice in an allocation; `debtor` identifies the debtor, and is not checked if missing. */
export interface AllocatableInvoice extends InvoiceFacts {
  id: InvoiceId
  debtor?: InvoiceId | null
}

const missing = (amount: number | null | undefined): boolean => amount === null || amount === undefined || amount === 0

function validateAmount(amount: number | null | undefined): Refusal | null {
  if (missing(amount)) return refuse('amount-required', 'Repayment amount is required')
  return Number.isSafeInteger(amount) ? null : refuse('amount-invalid', 'Enter an amount in whole cents.')
}

const validateDate = (date: string | null | undefined): Refusal | null =>
  date === null || date === '' ? refuse('date-required', 'Date is required') : null

/** Refuses allocations that belong to several debtors, repeat an invoice, have no invoice, or exceed the repayment. */
export function validateAllocations(
  amount: number,
  allocations: readonly Allocation[],
  invoices: readonly Pick<AllocatableInvoice, 'id' | 'debtor'>[],
): Refusal | null {
  const chosen = allocations.map(({ invoice_id }) => invoices.find((invoice) => invoice.id === invoice_id))
  const debtors = new Set(chosen.map((invoice) => invoice?.debtor ?? null))
  if (chosen.includes(undefined) || debtors.size > 1)
    return refuse('allocation-other-debtor', 'A repayment can only be allocated to invoices of its own debtor.')
  if (new Set(chosen).size < chosen.length) return refuse('allocation-invalid', 'An invoice is named twice. Add its amounts up.')
  if (allocations.some((part) => !Number.isSafeInteger(part.amount) || Math.sign(part.amount) !== Math.sign(amount)))
    return refuse('allocation-invalid', 'Enter an amount for every invoice, with the same sign as the repayment.')
  const sum = allocations.reduce((total, part) => total + part.amount, 0)
  if (Math.abs(sum) > Math.abs(amount))
    return refuse(
      'allocation-above-amount',
      `More is allocated than the repayment holds: ${formatCents(sum)} of ${formatCents(amount)}.`,
    )
  return null
}

/** Refuses to combine invoices of several debtors: a repayment has one debtor. */
export function validateOneDebtor(
  invoices: readonly { debtor_type: string; debtor_id: InvoiceId; debtor_name: string }[],
): Refusal | null {
  const debtors = [...new Map(invoices.map((each) => [`${each.debtor_type} ${each.debtor_id}`, each])).values()]
  if (debtors.length < 2) return null
  const what = debtors.every((each) => each.debtor_type === 'EMPLOYER') ? 'employer' : 'debtor'
  const named = debtors.slice(0, 2).map((each) => isolated(each.debtor_name))
  const more = debtors.length - named.length
  const names = more > 0 ? `${named.join(', ')} and ${more} more` : named.join(' and ')
  return refuse(
    'allocation-other-debtor',
    `These invoices are owed by ${debtors.length} ${what}s: ${names}. Select those of one ${what} for a repayment.`,
  )
}

function validateNegative(
  amount: number,
  allocations: readonly Allocation[],
  invoices: readonly AllocatableInvoice[],
): Refusal | null {
  const onlyOverpaid = refuse('not-overpaid', 'Negative payment is only possible for overpaid invoice')
  if (allocations.reduce((total, part) => total + part.amount, 0) !== amount) return onlyOverpaid
  for (const part of allocations) {
    const invoice = invoices.find((each) => each.id === part.invoice_id)
    const refusal = invoice ? canAddNegativeRepayment(invoice) : onlyOverpaid
    if (refusal) return refusal
    if (invoice && -part.amount > overpaidOf(invoice))
      return refuse('above-overpaid', 'A payment cannot exceed the overpaid amount')
  }
  return null
}

export interface RepaymentDraft {
  amount: number | null | undefined
  /** Not checked if undefined. */
  date?: string | null
  allocations: readonly Allocation[]
}

/**
 * Refuses a new repayment (REP-006, REP-007, REP-009, REP-010). `invoices` are the ones it names, of its own debtor. A negative
 * repayment has to be allocated in full, each part at most the overpaid amount of its invoice.
 */
export function validateNewRepayment(draft: RepaymentDraft, invoices: readonly AllocatableInvoice[]): Refusal | null {
  const refusal = validateAmount(draft.amount) ?? validateDate(draft.date)
  if (refusal) return refusal
  const amount = draft.amount as number
  const wrong = validateAllocations(amount, draft.allocations, invoices)
  if (wrong) return wrong
  if (amount < 0) return validateNegative(amount, draft.allocations, invoices)
  for (const { invoice_id } of draft.allocations) {
    const invoice = invoices.find((each) => each.id === invoice_id)
    const closed = invoice ? canAddRepayment(invoice) : null
    if (closed) return closed
  }
  return null
}

/** A repayment that has already been recorded. */
export interface RecordedRepayment {
  reference_id: string
  amount: number
  repayment_date: string
  descriptor: string | null
}

/** Refuses a duplicate repayment: same debtor, amount, date and bank statement text; a reason overrides it. */
export function validateRepeated(first: RecordedRepayment | null, reason: string | null | undefined): Refusal | null {
  if (!first || reason) return null
  const { reference_id, amount, repayment_date, descriptor } = first
  const text = descriptor?.trim() ? `, '${isolated(descriptor.trim())}'` : ', without a bank statement text'
  return refuse(
    'repayment-repeated',
    `${reference_id} is the same repayment: ${formatCents(amount)} on ${repayment_date}${text}. If another one came in, give a reason.`,
  )
}

/** Input of the rules about a recorded repayment. */
export interface RepaymentFacts {
  origin: string
  amount: number
  date: string
  /** The amount returned so far, in cents. */
  returned_amount?: number | null
}

/**
 * Refuses to change a repayment (REP-006, REP-008, REP-010). Only amount and date of a manually entered one can change; the
 * amount of a returned or negative payment cannot. Allocations are checked by `validateAllocations`.
 */
export function validateRepaymentEdit(
  before: RepaymentFacts,
  after: { amount: number | null | undefined; date: string | null | undefined },
): Refusal | null {
  const changed = after.amount !== before.amount
  if (before.origin !== 'USER' && (changed || after.date !== before.date))
    return refuse('origin-fixed', 'Only the allocation and the notes of this repayment can change: nobody entered it by hand.')
  const refusal = validateAmount(after.amount) ?? (after.date ? null : refuse('date-required', 'Date is required'))
  if (refusal) return refusal
  if (changed && (after.amount ?? 0) < 0)
    return refuse('cannot-become-negative', 'An existing repayment cannot be changed to negative.')
  if (changed && before.amount < 0)
    return refuse('origin-fixed', 'The amount of a negative payment cannot change. Add another repayment instead.')
  if (changed && (before.returned_amount ?? 0) > 0)
    return refuse('repayment-returned', 'Part of this repayment came back, so its amount cannot change.')
  return null
}

/** Determines whether a repayment, or a return, can be reallocated. */
export interface AllocatedFacts extends Pick<RepaymentFacts, 'origin' | 'amount' | 'returned_amount'> {
  ach_state?: AchState | string | null
  failure?: string | null
  /** For a return: whether it reduced the paid amount; defaults to yes. */
  posted?: boolean
}

/**
 * Refuses to reallocate a repayment that was fully returned or is in flight, a negative payment, which stays on its invoice,
 * and a return that did not reduce the paid amount.
 */
export function canChangeAllocations(repayment: AllocatedFacts): Refusal | null {
  const { origin, amount, returned_amount, ach_state, failure, posted = true } = repayment
  if (isReversedReturn(failure)) {
    const what = failure === 'TAKEN_BACK' ? 'taken back' : 'dishonored'
    return refuse('repayment-returned', `This return was ${what}, so there is nothing to allocate.`)
  }
  if (!posted)
    return refuse(
      'status-forbids',
      'This return came before its debit settled, so it took nothing that could be allocated again.',
    )
  if (amount < 0 && origin === 'USER') return refuse('allocation-invalid', 'A negative payment stays on its invoice.')
  if (amount > 0 && (returned_amount ?? 0) >= amount)
    return refuse('repayment-returned', 'This repayment came back, so there is nothing to allocate.')
  if (ach_state === 'PENDING')
    return refuse('in-flight', 'The bank has not answered for this debit yet. Allocate it again once it has settled.')
  return null
}

/**
 * Refuses an ACH return of a repayment without incoming money, or not by ACH. `validateReturn` checks the amount, after
 * repeated returns are detected.
 */
export function canReturn({ origin, amount }: Pick<RepaymentFacts, 'origin' | 'amount'>): Refusal | null {
  if (amount <= 0 || origin === 'RETURN') return refuse('not-positive', 'Only money that came in can come back.')
  return origin === 'ACH_ENTRY'
    ? null
    : refuse('not-ach', 'This payment was not made by ACH, so it has no ACH return. Change its amount or its allocation instead.')
}

/** Identifies a return; its amount is negative. */
export interface ReturnFacts {
  return_code: string | null
  amount: number
  ach_addenda: string | null
  failure?: string | null
  /** Recorded by a person and not confirmed by the bank. */
  by_hand: boolean
}

/**
 * Whether a manually recorded return exists already: one from the bank with this code and amount, or a manual one with the same
 * addenda as well.
 */
export const isKnownReturn = (
  returns: readonly ReturnFacts[],
  said: { return_code?: string; amount: number; addenda?: string | null },
): boolean =>
  returns.some(
    ({ return_code, amount, ach_addenda, failure, by_hand }) =>
      !failure &&
      return_code === said.return_code &&
      amount === -said.amount &&
      (!by_hand || (ach_addenda ?? '') === (said.addenda ?? '')),
  )

/** The settlement date of an ACH entry, `yyyy-MM-dd`; null while in flight, and for other repayments. */
export const settledOn = (row: {
  ach_state?: string | null
  effective_date: string | null
  repayment_date: string
}): string | null => (row.ach_state === 'COMPLETED' ? (row.effective_date ?? row.repayment_date) : null)

/** Refuses a return that is not positive, or above the rest of the repayment. */
export function validateReturn(repayment: { amount: number; returned_amount?: number | null }, amount: number): Refusal | null {
  const left = Math.max(0, repayment.amount - (repayment.returned_amount ?? 0))
  if (!Number.isSafeInteger(amount) || amount <= 0) return refuse('amount-invalid', 'A return needs an amount above 0.')
  return amount > left
    ? refuse('return-above-repayment', `A return cannot exceed what is left of the repayment: ${formatCents(left)}.`)
    : null
}
