import { z } from 'zod'
import { companyStatuses } from '#domain/company.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { idSchema, stamps } from '#contract/fields.ts'
import {
  orEmpty,
  orOneOf,
  brandFilter,
  choiceFilter,
  dateFilter,
  referenceFilter,
  textFilter,
  yesNoFilter,
} from '#contract/filter.ts'
import { commaList } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

const reading = all('read:employers')

/** A company whose employees may withdraw earned wages (ENT-037 to ENT-044). */
export const Employer = z.object({
  id: z.int(),
  internal_name: z.string(),
  external_name: z.string(),
  external_code: z.string(),
  lookup_name: z.string(),
  brand: z.string(),
  direct_customer: z.boolean(),
  status: z.enum(companyStatuses.values),
  go_live_date: z.iso.date().nullable(),
  cancellation_date: z.iso.date().nullable(),
  pilot_ee_count: z.int().nullable(),
  pilot_launch_date: z.iso.date().nullable(),
  organization_id: z.int(),
  organization_name: z.string(),
  organization_status: z.enum(companyStatuses.values),
  /** Whether an LMS configuration applies to it: without one it cannot be activated (EMR-003). */
  lms_configured: z.boolean(),
  onboarded: z.boolean(),
  ...stamps,
})
export type Employer = z.infer<typeof Employer>

/** The filters of the employers list. */
export const employerFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: companyStatuses }),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  brandFilter,
  yesNoFilter('onboarded', 'Onboarded'),
  yesNoFilter('direct', 'Direct customer'),
  yesNoFilter('lms', 'LMS configuration'),
  yesNoFilter('late', 'Expected file is late'),
  textFilter('name', 'Name', 'name'),
  orOneOf(textFilter('code', 'External code', 'external-code'), 'external-code'),
  orOneOf(textFilter('lookup_name', 'Lookup name', 'lookup-name'), 'lookup-name'),
  orEmpty(dateFilter('live', 'Go-live date'), 'live'),
] as const

export const employerSorts = ['name', 'id', 'status', 'external_code', 'organization', 'created_at', 'updated_at'] as const

export const {
  list: listEmployers,
  count: countEmployers,
  get: getEmployer,
  history: listEmployerEvents,
} = resource(listings.employers, {
  one: 'employer',
  many: 'employers',
  tag: 'Employers',
  row: Employer,
  rows: 'employers',
  filters: employerFilters,
  sorts: employerSorts,
  specified: [
    'sort',
    'id',
    'limit',
    'lek',
    'name',
    'status',
    'account-manager-id',
    'organization-id',
    'external-code',
    'lookup-name',
    'brand',
  ],
  narrowing: { ...byIds, 'account-manager-id': z.uuid('This is not an id.').optional() },
  getExtension: false,
})

/** Details that GET employers does not return (API-045). */
export const EmployerAdditionalInfo = z.object({
  employer_id: z.int(),
  csm: z.object({ id: z.int(), name: z.string() }).nullable(),
  employee_count: z.int(),
  /** Those of them who are linked to a user. */
  linked_employee_count: z.int(),
  /** Overdue amount in cents; null without read:billing. */
  overdue_amount: z.int().nullable(),
})
export type EmployerAdditionalInfo = z.infer<typeof EmployerAdditionalInfo>

/** Maximum number of ids of `employer-additional-info`. */
export const maxAdditionalInfo = 100

export const getEmployerAdditionalInfo = endpoint({
  method: 'GET',
  path: '/employer-additional-info',
  summary: 'Customer success manager, counts and overdue amount of at most 100 employers',
  tag: 'Employers',
  specified: ['employer-ids'],
  query: z.object({
    'employer-ids': commaList(idSchema)
      .refine((ids) => ids.length <= maxAdditionalInfo, `At most ${maxAdditionalInfo} ids`)
      .optional(),
  }),
  answer: z.object({ employers: z.array(EmployerAdditionalInfo) }),
  needs: reading,
})
