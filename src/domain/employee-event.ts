/**
 * Events of an employee, the linked user and their accounts, as named in the API. The first eight come from the specification
 * (section 3, ENUM-016 to 023), the others are extensions. New events are added only here: intents refer to them by key, and
 * labels and filter of the history are derived.
 */
export const employeeEvents = {
  paused: 'Paused',
  resumed: 'Resumed',
  created: 'CREATE',
  deactivated: 'DEACTIVATE',
  additionalTransaction: 'Additional Transaction',
  kycDetailsChanged: 'KYC Details Changed',
  phoneRemoved: 'Phone Removal',
  addressChanged: 'address_changed',
  unlinked: 'Unlinked',
  offCyclePaid: 'Off-cycle paid',
  passwordChangeForced: 'Password change forced',
  passwordChangeCancelled: 'Password change cancelled',
  balanceAdjusted: 'Balance adjusted',
  namesChanged: 'Names changed',
  emailChanged: 'E-mail changed',
  emailConfirmed: 'E-mail confirmed',
  payChanged: 'Pay details changed',
  bankAccountDeleted: 'Bank account deleted',
  changedByFile: 'Changed by file',
  noteAdded: 'Note added',
  noteDeleted: 'Note deleted',
} as const

export const employeeEventStatuses = Object.values(employeeEvents)

/** Events of a user, linked to an employee or not. */
export const userEventStatuses = [
  employeeEvents.created,
  employeeEvents.deactivated,
  employeeEvents.kycDetailsChanged,
  employeeEvents.phoneRemoved,
  employeeEvents.addressChanged,
  employeeEvents.passwordChangeForced,
  employeeEvents.passwordChangeCancelled,
  employeeEvents.namesChanged,
  employeeEvents.emailChanged,
  employeeEvents.emailConfirmed,
  employeeEvents.bankAccountDeleted,
] as const

/** Subject of an event (ENUM-024, ENUM-025): the person, or one of their cards. */
export const eventCategories = ['user', 'card'] as const
export type EventCategory = (typeof eventCategories)[number]

export const eventCategoryLabels: Readonly<Record<EventCategory, string>> = { user: 'User', card: 'Card' }

/** Labels for API values that people would not understand. */
const words: Readonly<Record<string, string>> = {
  [employeeEvents.created]: 'Created',
  [employeeEvents.deactivated]: 'Deactivated',
  [employeeEvents.addressChanged]: 'Address changed',
}

/** Label of an event; an unknown one is shown as is. Events of a card say so: 'Card deactivated'. */
export function eventWords(status: string, category?: string): string {
  const label = Object.hasOwn(words, status) ? (words[status] as string) : status
  return category === ('card' satisfies EventCategory) ? `Card ${label.toLowerCase()}` : label
}
