import { z } from 'zod'
import { brands } from '#domain/brand.ts'
import { employeeStatuses, flows, pausedLonger, pausedLongerLabels, reportsIn, reportsInLabels } from '#domain/employee.ts'
import { employeeEventStatuses } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { documentTypes, kycStatuses, userStatuses } from '#domain/user.ts'
import { endpoint } from '#contract/define.ts'
import { byId, idSchema, nothing } from '#contract/fields.ts'
import { choiceFilter, dateFilter, filterParams, referenceFilter, textFilter, yesNoFilter } from '#contract/filter.ts'
import { Actor, eventFiltersOf, historyOf } from '#contract/history.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

/** A user with what commands need, also as part of an employee. */
export const LinkedUser = z.object({
  id: z.int(),
  brand: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  /** The new value of `email` after its owner confirms it. */
  pending_email: z.string().nullable(),
  phone_number: z.string().nullable(),
  status: z.string(),
  kyc_status: z.string().nullable(),
  /** The identity check: its id, why it was denied, and the requested documents. */
  kyc_id: z.int().nullable(),
  kyc_reason: z.string().nullable(),
  document_types: z.array(z.enum(documentTypes)),
  force_password_change: z.boolean(),
  last_sign_in_at: z.iso.datetime().nullable(),
  /** The linked employee; null if there is none. */
  employee_id: z.int().nullable(),
  version: z.int(),
})
export type LinkedUser = z.infer<typeof LinkedUser>

/** The balance of the open work period; all amounts in cents. */
export const Balance = z.object({
  id: z.int(),
  earned_amount: z.int(),
  limit_amount: z.int(),
  taken_amount: z.int(),
  pending_amount: z.int(),
  available_amount: z.int(),
})
export type Balance = z.infer<typeof Balance>

/**
 * An employee as returned by the API. `rate_amount` is cents per hour, or per year for SALARY; null without read:wages, and
 * always per hour without read:compensations.
 */
export const Employee = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  employee_code: z.string(),
  external_tk_id: z.string().nullable(),
  email: z.string().nullable(),
  phone_number: z.string().nullable(),
  department_code: z.string().nullable(),
  /** Codes of the employer's own systems, as in its files. */
  business_unit_code: z.string().nullable().optional(),
  location_code: z.string().nullable().optional(),
  pay_code: z.string().nullable().optional(),
  payroll_code: z.string().nullable().optional(),
  /** Null without read:personal-details, like the address below. */
  birth_date: z.iso.date().nullable().optional(),
  address: z.string().nullable().optional(),
  city: z.string().nullable().optional(),
  state: z.string().nullable().optional(),
  zip: z.string().nullable().optional(),
  country: z.string().nullable().optional(),
  /** Null if it is OFFCYCLE_PAID and the caller lacks read:off-cycle-payments. */
  status: z.string().nullable(),
  flow: z.enum(flows),
  brand: z.string(),
  hire_date: z.iso.date().nullable(),
  /** Null without read:compensations, like the next two; also without read:wages. */
  pay_type: z.string().nullable(),
  pay_frequency: z.string().nullable(),
  next_pay_date: z.iso.date().nullable(),
  rate_amount: z.int().nullable(),
  user_id: z.int().nullable(),
  pause: z.object({ at: z.iso.datetime(), by: Actor, reason: z.string(), details: z.string().nullable() }).nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int(),
  /** With include=employer. */
  employer: z
    .object({
      id: z.int(),
      name: z.string(),
      code: z.string(),
      status: z.string(),
      organization_id: z.int(),
      organization_name: z.string(),
    })
    .optional(),
  /** With include=user; null if no user is linked. */
  user: LinkedUser.nullable().optional(),
  /** With include=balance; null if no work period is open. */
  balance: Balance.nullable().optional(),
})
export type Employee = z.infer<typeof Employee>

export const frequencyLabels = { WEEKLY: 'Weekly', BI_WEEKLY: 'Bi-weekly', SEMI_MONTHLY: 'Semi-monthly', MONTHLY: 'Monthly' }
export const flowLabels = { PAYROLL: 'Payroll', CONSUMER: 'Consumer' }

/** The filters of the employees list. */
export const employeeFilters = [
  choiceFilter({ id: 'status', title: 'Status', values: employeeStatuses.values, labels: employeeStatuses.labels }),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  choiceFilter({
    id: 'brand',
    title: 'Brand',
    values: brands.map((brand) => brand.id),
    labels: Object.fromEntries(brands.map((brand) => [brand.id, brand.name])),
  }),
  choiceFilter({
    id: 'frequency',
    title: 'Pay frequency',
    values: payFrequencies,
    labels: frequencyLabels,
    param: 'pay-frequency',
    needs: all('read:compensations'),
  }),
  choiceFilter({ id: 'flow', title: 'Flow', values: flows, labels: flowLabels }),
  yesNoFilter('linked', 'User link'),
  choiceFilter({
    id: 'user_status',
    title: 'User status',
    values: userStatuses.values,
    labels: userStatuses.labels,
    param: 'user-status',
  }),
  choiceFilter({ id: 'kyc', title: 'Identity check', values: kycStatuses.values, labels: kycStatuses.labels }),
  textFilter('name', 'Name', 'name'),
  textFilter('code', 'Employee code', 'employee-code'),
  textFilter('department', 'Department', 'department-code'),
  textFilter('business_unit', 'Business unit', 'business-unit-code'),
  textFilter('location', 'Location code', 'location-code'),
  textFilter('payroll_code', 'Payroll code', 'payroll-code'),
  dateFilter('hired', 'Hire date'),
  choiceFilter({ id: 'paused', title: 'Paused', values: Object.keys(pausedLonger), labels: pausedLongerLabels }),
  choiceFilter({
    id: 'reports',
    title: 'Pay period reports',
    values: Object.keys(reportsIn),
    labels: reportsInLabels,
    needs: all('read:work-period-balances'),
  }),
] as const

export const employeeSorts = ['id', 'name', 'status', 'employer', 'hire_date', 'rate', 'available', 'updated_at'] as const
export const employeeIncludes = ['employer', 'user', 'balance'] as const

const filtered = {
  q: listQuery.q,
  id: commaList(idSchema).optional(),
  ...filterParams(employeeFilters),
}

export const listEmployees = endpoint({
  ...listings.employees,
  summary: 'Employees, by cursor',
  tag: 'Employees',
  params: nothing,
  specified: ['lek', 'status', 'include', 'id', 'name'],
  query: z.object({
    ...listQuery,
    ...filtered,
    sort: z.enum(employeeSorts).default('id'),
    include: commaList(z.enum(employeeIncludes)).optional(),
  }),
  answer: z.object({ employees: z.array(Employee), lek }),
})

export const countEmployees = endpoint({
  method: 'GET',
  path: '/employees/count',
  summary: 'How many employees a filter has',
  tag: 'Employees',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: all('read:employees'),
  extension: true,
})

export const getEmployee = endpoint({
  method: 'GET',
  path: '/employees/{id}',
  summary: 'One employee, with employer, user and balance',
  tag: 'Employees',
  params: byId,
  query: nothing,
  answer: Employee,
  needs: all('read:employees'),
  extension: true,
})

export const listEmployeeEvents = historyOf('/employees/{id}/events', {
  filters: filterParams(eventFiltersOf(employeeEventStatuses)),
  summary: 'What happened to an employee and the linked user, newest first',
  tag: 'Employees',
  needs: all('read:employees'),
})

export const canUnpause = endpoint({
  method: 'GET',
  path: '/employees/{id}/can-unpause',
  summary: 'Whether a paused employee may be resumed, and why not',
  tag: 'Employees',
  params: byId,
  query: nothing,
  answer: z.object({ can_unpause: z.boolean(), reasons: z.array(z.string()) }),
  needs: all('read:employees'),
})
