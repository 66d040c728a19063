import { z } from 'zod'
import { brands } from '#domain/brand.ts'
import { employeeStatuses, flows, pausedLonger, pausedLongerLabels, reportsIn, reportsInLabels } from '#domain/employee.ts'
import { employeeEventStatuses } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { payFrequencies } from '#domain/pay-frequency.ts'
import { documentTypes, kycStatuses, kycSynonyms, userStatuses } from '#domain/user.ts'
import { endpoint } from '#contract/define.ts'
import { dateDetail, detailFilter, rowOf, textDetail } from '#contract/details.ts'
import {
  choiceFilter,
  dateFilter,
  filterParams,
  inactive,
  orEmpty,
  orOneOf,
  referenceFilter,
  textFilter,
  withoutOne,
  yesNoFilter,
} from '#contract/filter.ts'
import { Actor, eventFiltersOf } from '#contract/history.ts'
import { commaList } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'
import { stamps } from '#contract/fields.ts'

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

/** Details of the employment. */
export const employmentDetails = { external_tk_id: textDetail('External TK id') }

/** Codes of the employer's own systems, as in its files. */
export const employeeCodes = {
  department_code: textDetail('Department'),
  business_unit_code: textDetail('Business unit'),
  location_code: textDetail('Location code'),
  pay_code: textDetail('Pay code'),
  payroll_code: textDetail('Payroll code'),
}

const personal = { needs: all('read:personal-details') }

/** Birth date and address. */
export const personalDetails = {
  birth_date: dateDetail('Birth date', personal),
  address: textDetail('Address', personal),
  city: textDetail('City', personal),
  state: textDetail('State', personal),
  zip: textDetail('ZIP', personal),
  country: textDetail('Country', personal),
}

export const employeeDetails = { ...employmentDetails, ...employeeCodes, ...personalDetails }

/**
 * An employee as returned by the API. `rate_amount` is cents per hour, or per year for SALARY; null without read:wages, and
 * always per hour without read:compensations.
 */
export const Employee = z.object({
  id: z.int(),
  first_name: z.string(),
  last_name: z.string(),
  employee_code: z.string(),
  email: z.string().nullable(),
  phone_number: z.string().nullable(),
  ...rowOf(employeeDetails),
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
  ...stamps,
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
  choiceFilter({
    id: 'status',
    title: 'Status',
    of: employeeStatuses,
    synonyms: { ...inactive, PAUSED: ['blocked', 'frozen', 'suspended', 'on hold'] },
  }),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  choiceFilter({
    id: 'brand',
    title: 'Brand',
    values: brands.map((brand) => brand.id),
    labels: Object.fromEntries(brands.map((brand) => [brand.id, brand.name])),
  }),
  orEmpty(
    choiceFilter({
      id: 'frequency',
      title: 'Pay frequency',
      values: payFrequencies,
      labels: frequencyLabels,
      param: 'pay-frequency',
      synonyms: Object.fromEntries(
        payFrequencies.map((value) => [value, ['-', ''].map((joint) => `${frequencyLabels[value].replace('-', joint)} pay`)]),
      ),
      needs: all('read:compensations'),
    }),
    'pay-frequency',
  ),
  choiceFilter({ id: 'flow', title: 'Flow', values: flows, labels: flowLabels }),
  yesNoFilter('linked', 'User link', 'linked', { NO: ['unlinked', ...withoutOne(['account', 'app', 'link', 'user'])] }),
  choiceFilter({ id: 'user_status', title: 'User status', of: userStatuses, param: 'user-status' }),
  choiceFilter({ id: 'kyc', title: 'Identity check', of: kycStatuses, synonyms: kycSynonyms }),
  textFilter('name', 'Name', 'name'),
  orOneOf(textFilter('code', 'Employee code', 'employee-code'), 'employee-code'),
  detailFilter(employeeDetails, 'department_code', 'department'),
  detailFilter(employeeDetails, 'business_unit_code', 'business_unit'),
  detailFilter(employeeDetails, 'location_code', 'location'),
  detailFilter(employeeDetails, 'payroll_code'),
  orEmpty(dateFilter('hired', 'Hire date'), 'hired'),
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

export const {
  list: listEmployees,
  count: countEmployees,
  get: getEmployee,
  history: listEmployeeEvents,
} = resource(listings.employees, {
  one: 'employee',
  many: 'employees',
  tag: 'Employees',
  row: Employee,
  rows: 'employees',
  filters: employeeFilters,
  sorts: employeeSorts,
  specified: ['lek', 'status', 'include', 'id', 'name'],
  narrowing: byIds,
  arranging: { include: commaList(z.enum(employeeIncludes)).optional() },
  history: { at: 'events', filters: filterParams(eventFiltersOf(employeeEventStatuses)), extension: false },
})

export const canUnpause = endpoint({
  method: 'GET',
  path: '/employees/{id}/can-unpause',
  summary: 'Whether a paused employee may be resumed, and why not',
  tag: 'Employees',
  answer: z.object({ can_unpause: z.boolean(), reasons: z.array(z.string()) }),
  needs: all('read:employees'),
})
