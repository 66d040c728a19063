import { documentWords, kycStatuses, userStatuses } from '#domain/user.ts'

/** What a history calls the fields of a user. */
export const userFields: Readonly<Record<string, string>> = {
  kyc_status: 'Identity check',
  kyc_reason: 'Reason of the denial',
  document_types: 'Documents',
  email: 'E-mail',
  pending_email: 'E-mail to confirm',
  phone_number: 'Phone',
  force_password_change: 'Password change required',
}

/** Fields of a user that hold a state. */
export const userStates = { status: userStatuses, kyc_status: kycStatuses }

/** Values of a user that a history tells in words of their own. */
export const userValues: Readonly<Record<string, (value: unknown) => string>> = {
  document_types: (value) => documentWords(Array.isArray(value) ? value : []),
}
