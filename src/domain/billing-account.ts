import { type Refusal, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Which employers of its organization an account is debited for (ENT-124). */
export const billingAccountScopes = ['ORGANIZATION', 'EMPLOYERS'] as const
export type BillingAccountScope = (typeof billingAccountScopes)[number]
export const billingScopeLabels: Readonly<Record<BillingAccountScope, string>> = {
  ORGANIZATION: 'All of the organization',
  EMPLOYERS: 'Specific employers',
}

/** One that was deleted stays, so that what was debited from it still names it. */
export const billingAccountStatuses = states({
  ACTIVE: ['Active', 'good'],
  DELETED: ['Deleted', 'bad'],
})
export type BillingAccountStatus = StateOf<typeof billingAccountStatuses>

/** Said of what is no account number. */
export const noAccountNumber = 'An account number has 4 to 17 digits.'

/** Blocks of the first two digits that the Federal Reserve gives out, both ends included. */
const prefixes = [
  [0, 12],
  [21, 32],
  [61, 72],
  [80, 80],
] as const

/** What is wrong with an ABA routing number; null where its length, its first digits and its check digit are right. */
export function routingProblem(number: string): string | null {
  if (!/^\d{9}$/.test(number)) return 'A routing number has 9 digits.'
  const start = Number(number.slice(0, 2))
  if (/^0+$/.test(number) || !prefixes.some(([from, to]) => start >= from && start <= to))
    return 'There is no such routing number.'
  const sum = [...number].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] as number), 0)
  return sum % 10 === 0 ? null : 'The check digit does not fit: a digit of this routing number is wrong.'
}

/** Refuses to change an account that was deleted. */
export const canChangeBillingAccount = ({ status }: { status: string }): Refusal | null =>
  status === 'DELETED' ? unavailableWhen(billingAccountStatuses, status) : null
