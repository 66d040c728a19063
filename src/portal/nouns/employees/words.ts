import { employeeStatuses } from '#domain/employee.ts'
import { userStatuses } from '#domain/user.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { userFields, userStates, userValues } from '#portal/nouns/users/words.ts'

/** The texts of a history for the fields of an employee, the linked user and the balance. */
export const employeeWords = changeWords(
  {
    ...userFields,
    status: 'Status',
    user_id: 'User',
    first_name: 'First name',
    last_name: 'Last name',
    external_tk_id: 'TK id',
    secondary_tk_id: 'Secondary TK id',
    department_code: 'Department',
    hire_date: 'Hired',
    city: 'City',
    pause_reason: 'Pause reason',
    pause_details: 'Pause details',
    earned_amount: 'Earned',
    limit_amount: 'Limit',
    available_amount: 'Available',
  },
  userStates,
  {
    ...userValues,
    // A status of the employee, or of the linked user.
    status: (value) => userStatuses.label(employeeStatuses.label(String(value))),
  },
)
