import { z } from 'zod'
import { companyStatuses } from '#domain/company.ts'
import { all, signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, decimal, idSchema, nothing } from '#contract/fields.ts'
import { brandFilter, choiceFilter, filterParams, referenceFilter, textFilter } from '#contract/filter.ts'
import { historyOf } from '#contract/history.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'

const reading = all('read:organizations')

/** A customer success manager of organizations (rules 17). */
export const CustomerSuccessManager = z.object({ id: z.int(), name: z.string() })
export type CustomerSuccessManager = z.infer<typeof CustomerSuccessManager>

/** The OpenPGP public key that EWA files are encrypted with (rules 17). */
const EncryptionKey = z.object({
  /** Hexadecimal, lower case. */
  fingerprint: z.string(),
  /** Its owner, as written in the key. */
  user_ids: z.array(z.string()),
  algorithm: z.string(),
  created_at: z.iso.datetime(),
  /** Null if it does not expire. */
  expires_at: z.iso.datetime().nullable(),
  added_at: z.iso.datetime(),
})

/** A group of employers under one contract (ENT-031 to ENT-036). */
export const Organization = z.object({
  id: z.int(),
  name: z.string(),
  lookup_name: z.string(),
  brand: z.string(),
  source_code: z.string(),
  status: z.enum(companyStatuses.values),
  /** Null if there is none, like the next two; and for callers who have access to only some of its employers. */
  csm: CustomerSuccessManager.nullable(),
  notes: z.string().nullable(),
  encryption: EncryptionKey.nullable(),
  /** Number of its employers that the caller has access to. */
  employer_count: z.int(),
  active_employer_count: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type Organization = z.infer<typeof Organization>

/** The filters of the organizations list. */
export const organizationFilters = [
  choiceFilter({ id: 'status', title: 'Status', values: companyStatuses.values, labels: companyStatuses.labels }),
  brandFilter,
  textFilter('name', 'Name', 'name'),
  textFilter('lookup_name', 'Lookup name', 'lookup-name'),
  textFilter('source_code', 'Source code', 'source-code'),
  referenceFilter('csm', 'Customer success manager', 'customer-success-manager', 'csm-id'),
] as const

export const organizationSorts = ['name', 'id', 'status', 'brand', 'source_code', 'created_at', 'updated_at'] as const

const filtered = { q: listQuery.q, id: commaList(idSchema).optional(), ...filterParams(organizationFilters) }

export const listOrganizations = endpoint({
  ...listings.organizations,
  summary: 'Organizations, by cursor',
  tag: 'Organizations',
  params: nothing,
  specified: ['limit', 'sort', 'sort-order', 'name', 'status', 'lek', 'id', 'lookup-name', 'source-code'],
  query: z.object({
    ...listQuery,
    ...filtered,
    limit: listQuery.limit.unwrap().default(30),
    sort: z.enum(organizationSorts).default('name'),
  }),
  answer: z.object({ organizations: z.array(Organization), lek }),
})

export const countOrganizations = endpoint({
  method: 'GET',
  path: '/organizations/count',
  summary: 'How many organizations a filter has',
  tag: 'Organizations',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs: reading,
  extension: true,
})

export const getOrganization = endpoint({
  method: 'GET',
  path: '/organizations/{id}',
  summary: 'One organization',
  tag: 'Organizations',
  params: byId,
  query: nothing,
  answer: Organization,
  needs: reading,
})

export const listOrganizationEvents = historyOf('/organizations/{id}/history', {
  summary: 'What happened to an organization, newest first',
  tag: 'Organizations',
  needs: reading,
  extension: true,
})

export const listCustomerSuccessManagers = endpoint({
  method: 'GET',
  path: '/customer-success-managers',
  summary: 'Customer success managers, by name',
  tag: 'Account managers',
  params: nothing,
  query: z.object({
    q: listQuery.q,
    id: commaList(idSchema).optional(),
    limit: decimal('A whole number from 1 to 200', 1, 200).default(200),
  }),
  picks: {
    q: ({ name }: CustomerSuccessManager, text) => name.toLowerCase().includes(text.toLowerCase()),
    id: ({ id }: CustomerSuccessManager, ids) => ids.split(',').includes(String(id)),
  },
  answer: z.object({ customer_success_managers: z.array(CustomerSuccessManager) }),
  needs: signedIn,
})

export const getCustomerSuccessManager = endpoint({
  method: 'GET',
  path: '/customer-success-managers/{id}',
  summary: 'One customer success manager',
  tag: 'Account managers',
  params: byId,
  query: nothing,
  answer: CustomerSuccessManager,
  needs: signedIn,
  extension: true,
})
