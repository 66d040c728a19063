import { setForcePasswordChange } from '#contract/password-changes.ts'
import { employeesAs } from '#server/jobs/runnables/employees.ts'

// The other changes of a user are made one by one.
export const runnable = { ...employeesAs('user'), only: [setForcePasswordChange] }
