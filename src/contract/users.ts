import { z } from 'zod'
import { flows } from '#domain/employee.ts'
import { userEventStatuses } from '#domain/employee-event.ts'
import { all } from '#domain/permissions.ts'
import { documentTypes, kycStatuses, userStatuses } from '#domain/user.ts'
import { endpoint } from '#contract/define.ts'
import { LinkedUser } from '#contract/employees.ts'
import { byId, idSchema, nothing } from '#contract/fields.ts'
import {
  brandFilter,
  choiceFilter,
  dateFilter,
  filterParams,
  referenceFilter,
  textFilter,
  yesNoFilter,
} from '#contract/filter.ts'
import { eventFiltersOf, historyOf } from '#contract/history.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

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
  choiceFilter({ id: 'status', title: 'User status', values: userStatuses.values, labels: userStatuses.labels }),
  choiceFilter({ id: 'kyc', title: 'Identity check', values: kycStatuses.values, labels: kycStatuses.labels }),
  yesNoFilter('linked', 'Employee link'),
  yesNoFilter('password', 'Password change required'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  brandFilter,
  textFilter('name', 'Name', 'name'),
  textFilter('email', 'E-mail', 'email'),
  dateFilter('signed_in', 'Last sign-in', 'signed-in'),
  dateFilter('joined', 'Joined'),
] as const

export const userSorts = ['id', 'name', 'status', 'last_sign_in_at', 'created_at'] as const

const filtered = { q: listQuery.q, id: commaList(idSchema).optional(), ...filterParams(userFilters) }

export const listUsers = endpoint({
  ...listings.users,
  summary: 'Users, by cursor; those without an employee for admins only',
  tag: 'Users',
  params: nothing,
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(userSorts).default('id') }),
  answer: z.object({ users: z.array(User), lek }),
})

export const countUsers = endpoint({
  method: 'GET',
  path: '/users/count',
  summary: 'How many users a filter has',
  tag: 'Users',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: reading,
  extension: true,
})

export const getUser = endpoint({
  method: 'GET',
  path: '/users/{id}',
  summary: 'One user, with the employee who is linked',
  tag: 'Users',
  params: byId,
  query: nothing,
  answer: User,
  needs: reading,
  extension: true,
})

/** The filters of the history of a user. */
export const userEventFilters = eventFiltersOf(userEventStatuses)

export const listUserEvents = historyOf('/users/{id}/events', {
  filters: filterParams(userEventFilters),
  summary: 'What happened to a user, newest first',
  tag: 'Users',
  needs: reading,
  extension: true,
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
  params: byId,
  query: nothing,
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
  params: byId,
  query: nothing,
  answer: z.object({ kyc: Kyc.nullable() }),
  needs: reading,
})
