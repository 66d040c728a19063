import { type Refusal, refuse, unavailableWhen } from '#domain/refusal.ts'
import { type StateOf, states } from '#domain/status.ts'

/** User statuses (docs/rules/employees.md). */
export const userStatuses = states({
  ACTIVE: ['Active', 'good'],
  CONFIRMATION_PENDING: ['Confirmation pending', 'wait'],
  DELETED: ['Deleted', 'bad'],
  PENDING_EMAIL_UPDATE: ['E-mail update pending', 'wait'],
})

/** Statuses of an identity check; a user without a started check has none. */
export const kycStatuses = states({
  APPROVED: ['Approved', 'good'],
  DENIED: ['Denied', 'bad'],
  UNDER_REVIEW: ['Under review', 'wait'],
})
/** Other words for them in a search. */
export const kycSynonyms = {
  UNDER_REVIEW: ['kyc', 'identity check', 'identity checks'].flatMap((name) => [`${name} pending`, `pending ${name}`]),
}
export type KycStatus = StateOf<typeof kycStatuses>

/** Documents that an identity check may request. */
export const documentTypes = ['LICENSE', 'ID_CARD'] as const
export type DocumentType = (typeof documentTypes)[number]
export const documentLabels: Readonly<Record<DocumentType, string>> = { LICENSE: "Driver's license", ID_CARD: 'ID card' }

/** Labels of documents in list order: `Driver's license, ID card`; 'none' without any. */
export const documentWords = (types: readonly string[]): string =>
  documentTypes
    .filter((type) => types.includes(type))
    .map((type) => documentLabels[type])
    .join(', ') || 'none'

/** Input of the rules below; both the API's user and the server's row have it. */
export interface UserFacts {
  status: string
  kyc_status: string | null
  phone_number: string | null
  /** The linked employee. */
  employee_id: number | null
}

/** Refuses every change of a deleted user. */
export const canChangeUser = ({ status }: Pick<UserFacts, 'status'>): Refusal | null =>
  status === 'DELETED' ? unavailableWhen(userStatuses, status) : null

/** Refuses to clear a missing phone number. */
export const canClearPhone = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ?? (user.phone_number === null ? refuse('no-phone', 'This user has no phone number.') : null)

/** Refuses what needs a started identity check. */
export const canConfigureDocuments = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ??
  (user.kyc_status === null ? refuse('no-identity-check', 'The identity check of this user has not started.') : null)

/** Refuses a decision that an identity check already has. */
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

/** Refuses to delete a linked user (PERM-038). */
export const canDeleteUser = (user: UserFacts): Refusal | null =>
  canChangeUser(user) ?? (user.employee_id === null ? null : refuse('user-linked', 'A linked user can not be deleted.'))
