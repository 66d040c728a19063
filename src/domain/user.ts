import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** User statuses, rules 8. */
export const userStatuses = states({
  ACTIVE: ['Active', 'good'],
  CONFIRMATION_PENDING: ['Confirmation pending', 'wait'],
  DELETED: ['Deleted', 'bad'],
  PENDING_EMAIL_UPDATE: ['E-mail update pending', 'wait'],
})
export type UserStatus = StateOf<typeof userStatuses>

/** Review statuses of an identity check; a user whose check has not started has none. */
export const kycStatuses = states({
  APPROVED: ['Approved', 'good'],
  DENIED: ['Denied', 'bad'],
  UNDER_REVIEW: ['Under review', 'wait'],
})
export type KycStatus = StateOf<typeof kycStatuses>

/** Documents that an identity check may ask for. */
export const documentTypes = ['LICENSE', 'ID_CARD'] as const
export type DocumentType = (typeof documentTypes)[number]
export const documentLabels: Readonly<Record<DocumentType, string>> = { LICENSE: "Driver's license", ID_CARD: 'ID card' }

/** Documents in words, in the order of their list: `Driver's license, ID card`; 'none' without any. */
export const documentWords = (types: readonly string[]): string =>
  documentTypes
    .filter((type) => types.includes(type))
    .map((type) => documentLabels[type])
    .join(', ') || 'none'

/** What the rules below read of a user; the API's user has it, and so has the server's row. */
export interface UserFacts {
  status: string
  kyc_status: string | null
  phone_number: string | null
  /** The employee who is linked. */
  employee_id: number | null
}

/** Refuses every change of a user who was deleted. */
export const canChangeUser = ({ status }: Pick<UserFacts, 'status'>): Refusal | null =>
  status === 'DELETED' ? unavailableWhen(userStatuses, status) : null

/** Refuses to clear a phone number that is not there. */
export const canClearPhone = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ?? (user.phone_number === null ? refuse('no-phone', 'This user has no phone number.') : null)

/** Refuses what needs an identity check that has begun. */
export const canConfigureDocuments = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ??
  (user.kyc_status === null ? refuse('no-identity-check', 'The identity check of this user has not started.') : null)

/** Refuses a decision of the identity check that stands already. */
const canDecide =
  (status: KycStatus, sentence: string) =>
  (user: UserFacts): Refusal | null =>
    canConfigureDocuments(user) ?? (user.kyc_status === status ? refuse('already-decided', sentence) : null)

/** Refuses to approve an identity check. */
export const canApproveKyc = canDecide('APPROVED', 'The identity check is approved already.')
/** Refuses to deny an identity check. */
export const canDenyKyc = canDecide('DENIED', 'The identity check is denied already.')
/** Refuses to review an identity check again. */
export const canReopenKyc = canDecide('UNDER_REVIEW', 'The identity check is under review already.')

/** Refuses to delete a user: a linked one cannot be (PERM-038). */
export const canDeleteUser = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ?? (user.employee_id === null ? null : refuse('user-linked', 'A linked user can not be deleted.'))
