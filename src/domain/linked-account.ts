import type { Flow } from '#domain/employee.ts'
import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** What a user links, so that money can be sent there. */
export const linkedAccountKinds = ['BANK_ACCOUNT', 'CARD'] as const
export type LinkedAccountKind = (typeof linkedAccountKinds)[number]
export const linkedAccountLabels: Readonly<Record<LinkedAccountKind, string>> = { BANK_ACCOUNT: 'Bank account', CARD: 'Card' }

/** States of a link: PENDING while the provider verifies it, FAIL where it could not. */
export const linkedAccountStatuses = states({
  ACTIVE: ['Active', 'good'],
  PENDING: ['Pending', 'wait'],
  FAIL: ['Failed', 'bad'],
  DELETED: ['Deleted', 'bad'],
})
export type LinkedAccountStatus = StateOf<typeof linkedAccountStatuses>

/** The states in which a link is connected, or is about to be. */
export const connectedStatuses = ['ACTIVE', 'PENDING'] as const satisfies readonly LinkedAccountStatus[]

/** What the rules below read of a link; the API's linked account has it, and so has the server's row. */
export interface LinkedAccountFacts {
  status: string
  /** Of the employee who is linked to the user; null without one. */
  flow: Flow | null
  /** Whether the user has a card connected. */
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
