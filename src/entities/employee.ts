import { brandOf } from '#domain/brand.ts'
import { countEmployees, Employee, employeeFilters, getEmployee, listEmployeeEvents, listEmployees } from '#contract/employees.ts'
import { employeeStatuses } from '#domain/employee.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'
import { isolated } from '#domain/text.ts'

/** A person on an employer's payroll, linked to a user or not. */
export const employee = defineEntity<Employee>({
  name: 'employee',
  one: 'employee',
  many: 'employees',
  aliases: ['workers', 'emps'],
  phrases: { 'employees of': ['who works at', 'who works for', 'people at', 'staff of'] },
  instead: { 'Nobody is hired again here: who works for an employer comes from its files.': ['rehire', 're-hire'] },
  icon: 'users',
  ids: numbers({ alone: true }),
  path: '/employees',
  schema: Employee,
  get: getEmployee,
  list: listEmployees,
  count: countEmployees,
  events: listEmployeeEvents,
  query: { include: 'employer,user,balance' },
  rows: (answer: { employees: Employee[] }) => answer.employees,
  filters: employeeFilters,
  orders: { amount: 'available', date: 'hire_date' },
  pane: true,
  tabs: {
    'linked-accounts': 'Linked Accounts',
    history: 'History',
    invoices: 'Invoices',
    'pay-period': 'Pay period',
    rewards: 'Rewards',
    timekeeping: 'Timekeeping',
    transactions: 'Transactions',
  },
  id: (one) => String(one.id),
  title: (one) => isolated(`${one.first_name} ${one.last_name}`),
  subtitle: (one) => [one.id, isolated(one.employer?.name ?? brandOf(one.brand).name)].join(' · '),
  status: { of: (one) => one.status, states: employeeStatuses },
  version: (one) => one.version,
  keywords: (one) =>
    [one.employee_code, one.external_tk_id, one.email, one.phone_number, one.user?.email, one.user?.phone_number].filter(
      (word) => word != null,
    ),
  confirmWith: (one) => `${one.first_name} ${one.last_name}`,
})
