import { setForcePasswordChange } from '#contract/password-changes.ts'
import { employeesAs } from '#server/jobs/runnables/employees.ts'

// Other changes of a user are made one at a time.
export const runnable = { ...employeesAs('user'), only: [setForcePasswordChange] }
