import { linkedAccountStatuses } from '#domain/linked-account.ts'
import { documentWords, kycStatuses, userStatuses } from '#domain/user.ts'

/** The texts of a history for the fields of a user and linked accounts. */
export const userFields: Readonly<Record<string, string>> = {
  kyc_status: 'Identity check',
  kyc_reason: 'Reason of the denial',
  document_types: 'Documents',
  email: 'E-mail',
  pending_email: 'E-mail to confirm',
  phone_number: 'Phone',
  force_password_change: 'Password change required',
  card_status: 'Card',
  bank_account_status: 'Bank account',
}

/** Fields of these with a state. */
export const userStates = {
  status: userStatuses,
  kyc_status: kycStatuses,
  card_status: linkedAccountStatuses,
  bank_account_status: linkedAccountStatuses,
}

/** Formatters of a user's values in a history. */
export const userValues: Readonly<Record<string, (value: unknown) => string>> = {
  document_types: (value) => documentWords(Array.isArray(value) ? value : []),
}
