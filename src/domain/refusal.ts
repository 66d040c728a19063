import type { States } from '#domain/status.ts'

/** Why a thing cannot be done now: a closed code for programs, one sentence for people. */
export interface Refusal {
  code: RefusalCode
  sentence: string
}

/** Every code that a rule of the domain may refuse with. */
export const refusalCodes = [
  'status-forbids',
  'already-paused',
  'not-paused',
  'cannot-unpause',
  'not-linked',
  'employee-paused',
  'transaction-pending',
  'password-change-already-forced',
  'password-change-not-forced',
  'submission-made',
  'not-overpaid',
  'multiple-bank-accounts',
  'credit-used',
  'not-retryable',
  'retries-used-up',
  'retry-too-late',
  'in-flight',
  'not-ach',
  'return-too-late',
  'return-in-time',
  'no-debit',
  'already-settled',
  'nothing-by-hand',
  'debtor-not-flagged',
  'amount-required',
  'amount-invalid',
  'date-required',
  'date-invalid',
  'reason-required',
  'comment-too-long',
  'rollover-disabled',
  'rollover-above-paid',
  'rollover-below-zero',
  'rollover-above-percentage',
  'refund-below-zero',
  'no-next-invoice',
  'above-next-invoice',
  'remaining-negative',
  'above-overpaid',
  'cannot-become-negative',
  'origin-fixed',
  'allocation-invalid',
  'allocation-above-amount',
  'allocation-other-debtor',
  'beyond-access',
  'repayment-returned',
  'return-above-repayment',
  'above-outstanding',
  'suggestion-waiting',
  'above-suggested',
  'not-positive',
  'own-suggestion',
  'already-decided',
  'not-approved',
  'write-offs-pending',
  'identifier-missing',
  'not-author',
  'already-configured',
  'already-confirmed',
  'failed-link',
  'card-connected',
  'employer-inactive',
  'organization-inactive',
  'already-active',
  'already-inactive',
  'already-so',
  'lms-missing',
  'configurations-missing',
  'not-identified',
  'balance-not-loaded',
  'reported',
  'grant-open',
  'transaction-remaining',
  'period-over',
  'no-phone',
  'no-identity-check',
  'user-linked',
  'not-decided',
  'key-expired',
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** Makes a refusal. */
export const refuse = (code: RefusalCode, sentence: string): Refusal => ({ code, sentence })

/** The sentence of the specification for an action that a status does not allow (INV-019). */
export const unavailableWhen = (statuses: States, status: string | null): Refusal =>
  refuse('status-forbids', `Actions unavailable when in ${statuses.label(status)}.`)
