import { type Refusal, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Employers of its organization that an account is debited for (ENT-124). */
export const billingAccountScopes = ['ORGANIZATION', 'EMPLOYERS'] as const
export type BillingAccountScope = (typeof billingAccountScopes)[number]
export const billingScopeLabels: Readonly<Record<BillingAccountScope, string>> = {
  ORGANIZATION: 'All of the organization',
  EMPLOYERS: 'Specific employers',
}

/** Deleted accounts are kept, so that past debits still refer to them. */
export const billingAccountStatuses = states({
  ACTIVE: ['Active', 'good'],
  DELETED: ['Deleted', 'bad'],
})
export type BillingAccountStatus = StateOf<typeof billingAccountStatuses>

/** Message for an invalid account number. */
export const noAccountNumber = 'An account number has 4 to 17 digits.'

/** Ranges of the first two digits that the Federal Reserve assigns, both ends inclusive. */
const prefixes = [
  [0, 12],
  [21, 32],
  [61, 72],
  [80, 80],
] as const

/** The error in an ABA routing number: length, first digits or check digit; null if it is valid. */
export function routingProblem(number: string): string | null {
  if (!/^\d{9}$/.test(number)) return 'A routing number has 9 digits.'
  const start = Number(number.slice(0, 2))
  if (/^0+$/.test(number) || !prefixes.some(([from, to]) => start >= from && start <= to))
    return 'There is no such routing number.'
  const sum = [...number].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] as number), 0)
  return sum % 10 === 0 ? null : 'The check digit does not fit: a digit of this routing number is wrong.'
}

/** Refuses to change a deleted account. */
export const canChangeBillingAccount = ({ status }: { status: string }): Refusal | null =>
  status === 'DELETED' ? unavailableWhen(billingAccountStatuses, status) : null
