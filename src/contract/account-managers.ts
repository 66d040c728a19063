import { z } from 'zod'
import { any, ownOr } from '#domain/permissions.ts'
import { staffOriginLabels, staffOrigins } from '#domain/staff.ts'
import { endpoint } from '#contract/define.ts'
import { byPerson, idSchema, nothing, personIdSchema } from '#contract/fields.ts'
import { brandFilter, choiceFilter, filterParams, referenceFilter } from '#contract/filter.ts'
import { historyOf } from '#contract/history.ts'
import { Count, commaList, lek } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { Held, staffFields, staffQuery, staffSorts, staffStatusFilter } from '#contract/staff.ts'

const tag = 'Account managers'
const { needs } = listings.accountManagers

/** An organization that a staff member is connected to. */
const Connection = z.object({ id: z.int(), name: z.string() })
/** An employer that a staff member is connected to individually. */
const EmployerConnection = Connection.extend({ organization_name: z.string() })

/** Parts that `include` adds to a row of the list (D241); a single record has all of them. */
const parts = {
  /** Whether they are connected to companies that the caller has no access to: then only their connections can be changed. */
  further: z.boolean(),
  /** Only for account managers, who see each other only through shared companies. */
  shared: z.literal(true).optional(),
  groups: staffFields.groups.optional(),
  permissions: staffFields.permissions.optional(),
  /** The part of their access list that the caller has access to: whole organizations, and single employers. */
  organizations: z.array(Connection).optional(),
  employers: z.array(EmployerConnection).optional(),
}

/** A staff member who manages organizations and employers (ENT-001 to ENT-007). */
export const AccountManager = z.object({
  ...staffFields,
  origin: z.enum(staffOrigins),
  brand: z.string().nullable(),
  ...parts,
})
export type AccountManager = z.infer<typeof AccountManager>

/** Values of `include`. */
export const accountManagerParts = ['permissions', 'access-control-list'] as const

/** The filters of the account managers list. */
export const accountManagerFilters = [
  staffStatusFilter,
  choiceFilter({ id: 'origin', title: 'Origin', values: staffOrigins, labels: staffOriginLabels }),
  brandFilter,
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
] as const

const filtered = {
  q: staffQuery.q,
  'account-manager-id': commaList(personIdSchema).optional(),
  ...filterParams(accountManagerFilters),
}

export const listAccountManagers = endpoint({
  ...listings.accountManagers,
  summary: 'Account managers, by cursor',
  tag,
  params: nothing,
  specified: ['lek', 'account-manager-id', 'employer-id', 'organization-id', 'include'],
  query: z.object({
    ...staffQuery,
    ...filtered,
    include: commaList(z.enum(accountManagerParts)).optional(),
    sort: z.enum(staffSorts).default('name'),
  }),
  answer: z.object({ account_managers: z.array(AccountManager), lek }),
})

export const countAccountManagers = endpoint({
  method: 'GET',
  path: '/account-managers/count',
  summary: 'How many account managers a filter has',
  tag,
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs,
  extension: true,
})

export const getAccountManager = endpoint({
  method: 'GET',
  path: '/account-managers/{id}',
  summary: 'One account manager',
  tag,
  params: byPerson,
  query: nothing,
  answer: AccountManager,
  needs,
})

export const getAccountManagerPermissions = endpoint({
  method: 'GET',
  path: '/account-managers/{id}/permissions',
  summary: 'The groups and permissions of an account manager, which hold for all that they are connected to',
  tag,
  params: byPerson,
  query: nothing,
  answer: Held,
  needs: ownOr(needs),
})

export const listAccountManagerEvents = historyOf('/account-managers/{id}/history', {
  summary: 'What happened to an account manager, newest first',
  tag,
  needs: any('read:admins', 'write:account-managers'),
  extension: true,
  params: byPerson,
})

/** The access list of an account manager: the ids replace the existing ones (rules 9). */
export const accessList = { organization_ids: z.array(idSchema).max(1_000), employer_ids: z.array(idSchema).max(1_000) }
