import type { Flow } from '#domain/employee.ts'
import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** Accounts that a user links to receive money. */
export const linkedAccountKinds = ['BANK_ACCOUNT', 'CARD'] as const
export type LinkedAccountKind = (typeof linkedAccountKinds)[number]
export const linkedAccountLabels: Readonly<Record<LinkedAccountKind, string>> = { BANK_ACCOUNT: 'Bank account', CARD: 'Card' }

/** States of a link: PENDING while the provider verifies it, FAIL if it could not. */
export const linkedAccountStatuses = states({
  ACTIVE: ['Active', 'good'],
  PENDING: ['Pending', 'wait'],
  FAIL: ['Failed', 'bad'],
  DELETED: ['Deleted', 'bad'],
})
export type LinkedAccountStatus = StateOf<typeof linkedAccountStatuses>

/** States in which a link is connected, or about to be. */
export const connectedStatuses = ['ACTIVE', 'PENDING'] as const satisfies readonly LinkedAccountStatus[]

/** Input of the rules below; both the API's linked account and the server's row have it. */
export interface LinkedAccountFacts {
  status: string
  /** Flow of the employee who is linked to the user; null without one. */
  flow: Flow | null
  /** Whether the user has a connected card. */
  card_connected: boolean
}

const failed = (what: 'bank' | 'card'): Refusal => refuse('failed-link', `Failed ${what} links cannot be deleted.`)

/** Refuses to delete a card (VAL-007, ERR-029). */
export const canDeleteCard = ({ status }: Pick<LinkedAccountFacts, 'status'>): Refusal | null =>
  status === 'FAIL' ? failed('card') : status === 'DELETED' ? unavailableWhen(linkedAccountStatuses, status) : null

/** Refuses to delete a bank account (VAL-008, ERR-027, ERR-028). */
export function canDeleteBankAccount({ status, flow, card_connected }: LinkedAccountFacts): Refusal | null {
  if (status === 'FAIL') return failed('bank')
  if (status === 'DELETED') return unavailableWhen(linkedAccountStatuses, status)
  return flow === 'CONSUMER' && card_connected
    ? refuse(
        'card-connected',
        "This is a consumer flow user. It's forbidden to deactivate the bank account while user still has a card connected.",
      )
    : null
}
