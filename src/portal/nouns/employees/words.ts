import { employeeDetails } from '#contract/employees.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { userStatuses } from '#domain/user.ts'
import { changeWords } from '#portal/nouns/change-words.ts'
import { detailTitles, detailValues } from '#portal/nouns/details.tsx'
import { userFields, userStates, userValues } from '#portal/nouns/users/words.ts'

/** The texts of a history for the fields of an employee, the linked user and the balance. */
export const employeeWords = changeWords(
  {
    ...userFields,
    ...detailTitles(employeeDetails),
    status: 'Status',
    user_id: 'User',
    first_name: 'First name',
    last_name: 'Last name',
    secondary_tk_id: 'Secondary TK id',
    hire_date: 'Hired',
    pause_reason: 'Pause reason',
    pause_details: 'Pause details',
    earned_amount: 'Earned',
    limit_amount: 'Limit',
    available_amount: 'Available',
  },
  userStates,
  {
    ...userValues,
    ...detailValues(employeeDetails),
    // A status of the employee, or of the linked user.
    status: (value) => userStatuses.label(employeeStatuses.label(String(value))),
  },
)
