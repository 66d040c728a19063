import { changeWords } from '#portal/nouns/change-words.ts'
import { userFields, userValues } from '#portal/nouns/users/words.ts'

/** What a history calls the fields of an employee, of the linked user and of their balance. */
export const employeeWords = changeWords(
  {
    ...userFields,
    status: 'Status',
    user_id: 'User',
    card_status: 'Card',
    bank_account_status: 'Bank account',
    city: 'City',
    pause_reason: 'Pause reason',
    pause_details: 'Pause details',
    earned_amount: 'Earned',
    limit_amount: 'Limit',
    available_amount: 'Available',
  },
  [],
  userValues,
)
