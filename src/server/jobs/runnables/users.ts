import { employeesAs } from '#server/jobs/runnables/employees.ts'

export const runnable = employeesAs('user')
