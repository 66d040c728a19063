import { z } from 'zod'
import { flows } from '#domain/employee.ts'
import { userEventStatuses } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { documentTypes, kycStatuses, kycSynonyms, userStatuses } from '#domain/user.ts'
import { endpoint } from '#contract/define.ts'
import { LinkedUser } from '#contract/employees.ts'
import {
  orEmpty,
  orOneOf,
  brandFilter,
  choiceFilter,
  dateFilter,
  filterParams,
  referenceFilter,
  inactive,
  textFilter,
  withoutOne,
  yesNoFilter,
} from '#contract/filter.ts'
import { eventFiltersOf } from '#contract/history.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

const reading = all('read:employees')

/** A user as returned by the API: anybody with an account of the service, linked to an employee or not. */
export const User = LinkedUser.extend({
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  employee: z
    .object({
      id: z.int(),
      name: z.string(),
      /** Null if it is OFFCYCLE_PAID and the caller lacks read:off-cycle-payments. */
      status: z.string().nullable(),
      flow: z.enum(flows),
      employer: z.object({ id: z.int(), name: z.string() }),
    })
    .nullable(),
})
export type User = z.infer<typeof User>

/** The filters of the users list. */
export const userFilters = [
  choiceFilter({ id: 'status', title: 'User status', of: userStatuses, synonyms: inactive }),
  choiceFilter({ id: 'kyc', title: 'Identity check', of: kycStatuses, synonyms: kycSynonyms }),
  yesNoFilter('linked', 'Employee link', 'linked', { NO: ['unlinked', ...withoutOne(['employee', 'link'])] }),
  yesNoFilter('password', 'Password change required'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  brandFilter,
  textFilter('name', 'Name', 'name'),
  orOneOf(textFilter('email', 'E-mail', 'email'), 'email'),
  orEmpty(dateFilter('signed_in', 'Last sign-in', 'signed-in'), 'signed-in'),
  dateFilter('joined', 'Joined'),
] as const

export const userSorts = ['id', 'name', 'status', 'last_sign_in_at', 'created_at'] as const

/** The filters of the history of a user. */
export const userEventFilters = eventFiltersOf(userEventStatuses)

export const {
  list: listUsers,
  count: countUsers,
  get: getUser,
  history: listUserEvents,
} = resource(listings.users, {
  one: 'user',
  many: 'users',
  tag: 'Users',
  row: User,
  rows: 'users',
  filters: userFilters,
  sorts: userSorts,
  narrowing: byIds,
  history: { at: 'events', filters: filterParams(userEventFilters) },
})

/** The current address of a user. */
export const Address = z.object({
  line_1: z.string(),
  line_2: z.string().nullable(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  since: z.iso.date(),
})

export const getCurrentAddress = endpoint({
  method: 'GET',
  path: '/users/{id}/current-address',
  summary: 'Where a user lives now; null where no address is known',
  tag: 'Users',
  answer: z.object({ address: Address.nullable() }),
  needs: reading,
})

/** The identity check of a user. */
export const Kyc = z.object({
  id: z.int(),
  status: z.enum(kycStatuses.values),
  /** The requested documents. */
  document_types: z.array(z.enum(documentTypes)),
  submitted_at: z.iso.datetime(),
  reviewed_at: z.iso.datetime().nullable(),
  reviewed_by: z.string().nullable(),
  /** Why it was denied. */
  reason: z.string().nullable(),
})
export type Kyc = z.infer<typeof Kyc>

export const getKyc = endpoint({
  method: 'GET',
  path: '/users/{id}/kyc',
  summary: 'The identity check of a user; null where it has not started',
  tag: 'Users',
  answer: z.object({ kyc: Kyc.nullable() }),
  needs: reading,
})
