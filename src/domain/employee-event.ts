/**
 * What happens to an employee, to the linked user and to what that has, as the API calls it. The first eight are the
 * specification's (section 3, ENUM-016 to 023), the others ours. A new one is added here and nowhere else: intents name it
 * by its key, the history's words and filter follow.
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
export type EmployeeEvent = (typeof employeeEvents)[keyof typeof employeeEvents]

export const employeeEventStatuses = Object.values(employeeEvents)

/** What happens to a user, linked to an employee or not. */
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

/** What an event is about (ENUM-024, ENUM-025): the person, or one of the person's cards. */
export const eventCategories = ['user', 'card'] as const
export type EventCategory = (typeof eventCategories)[number]

export const eventCategoryLabels: Readonly<Record<EventCategory, string>> = { user: 'User', card: 'Card' }

/** Words for what is no word for people in the API. */
const words: Readonly<Record<string, string>> = {
  [employeeEvents.created]: 'Created',
  [employeeEvents.deactivated]: 'Deactivated',
  [employeeEvents.addressChanged]: 'Address changed',
}

/** The words for an event; one that nobody knows is shown as it came. Of a card's it says so: 'Card deactivated'. */
export function eventWords(status: string, category?: string): string {
  const label = Object.hasOwn(words, status) ? (words[status] as string) : status
  return category === ('card' satisfies EventCategory) ? `Card ${label.toLowerCase()}` : label
}
