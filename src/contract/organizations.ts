import { z } from 'zod'
import { companyStatuses } from '#domain/company.ts'
import { signedIn } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { decimal, idSchema, stamps } from '#contract/fields.ts'
import { orEmpty, orOneOf, brandFilter, choiceFilter, referenceFilter, textFilter } from '#contract/filter.ts'
import { commaList, listQuery } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { byIds, resource } from '#contract/resource.ts'

/** A customer success manager of organizations (docs/rules/companies.md). */
export const CustomerSuccessManager = z.object({ id: z.int(), name: z.string() })
export type CustomerSuccessManager = z.infer<typeof CustomerSuccessManager>

/** The OpenPGP public key that EWA files are encrypted with (docs/rules/companies.md). */
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
  ...stamps,
})
export type Organization = z.infer<typeof Organization>

/** The filters of the organizations list. */
export const organizationFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: companyStatuses }),
  brandFilter,
  textFilter('name', 'Name', 'name'),
  orOneOf(textFilter('lookup_name', 'Lookup name', 'lookup-name'), 'lookup-name'),
  orOneOf(textFilter('source_code', 'Source code', 'source-code'), 'source-code'),
  orEmpty(referenceFilter('csm', 'Customer success manager', 'customer-success-manager', 'csm-id'), 'csm'),
] as const

export const organizationSorts = ['name', 'id', 'status', 'brand', 'source_code', 'created_at', 'updated_at'] as const

export const {
  list: listOrganizations,
  count: countOrganizations,
  get: getOrganization,
  history: listOrganizationEvents,
} = resource(listings.organizations, {
  one: 'organization',
  many: 'organizations',
  tag: 'Organizations',
  row: Organization,
  rows: 'organizations',
  filters: organizationFilters,
  sorts: organizationSorts,
  specified: ['limit', 'sort', 'sort-order', 'name', 'status', 'lek', 'id', 'lookup-name', 'source-code'],
  narrowing: byIds,
  arranging: { limit: listQuery.limit.unwrap().default(30) },
  getExtension: false,
})

export const listCustomerSuccessManagers = endpoint({
  method: 'GET',
  path: '/customer-success-managers',
  summary: 'Customer success managers, by name',
  tag: 'Account managers',
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
  answer: CustomerSuccessManager,
  needs: signedIn,
  extension: true,
})
