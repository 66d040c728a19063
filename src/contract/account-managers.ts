import { z } from 'zod'
import { any, ownOr } from '#domain/permissions.ts'
import { staffOriginLabels, staffOrigins } from '#domain/staff.ts'
import { endpoint } from '#contract/define.ts'
import { byPerson, idSchema, personIdSchema } from '#contract/fields.ts'
import { brandFilter, choiceFilter, referenceFilter } from '#contract/filter.ts'
import { commaList } from '#contract/list.ts'
import { listings } from '#contract/listings.ts'
import { Held, permissionFilter, staffFields, staffQuery, staffSorts, staffStatusFilter } from '#contract/staff.ts'
import { byPersonIds, resource } from '#contract/resource.ts'

const tag = 'Account managers'
const { needs } = listings.accountManagers

/** An organization that a staff member is connected to. */
const Connection = z.object({ id: z.int(), name: z.string() })
/** An employer that a staff member is connected to individually. */
const EmployerConnection = Connection.extend({ organization_name: z.string() })

/** Parts that `include` adds to a row of the list; a single record has all of them. */
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
  permissionFilter('ACCOUNT_MANAGER'),
  choiceFilter({ id: 'origin', title: 'Origin', values: staffOrigins, labels: staffOriginLabels }),
  brandFilter,
  referenceFilter('organization', 'Organization', 'organization', 'organization-id'),
  referenceFilter('employer', 'Employer', 'employer', 'employer-id'),
] as const

export const {
  list: listAccountManagers,
  count: countAccountManagers,
  get: getAccountManager,
  history: listAccountManagerEvents,
} = resource(listings.accountManagers, {
  one: 'account manager',
  many: 'account managers',
  tag,
  row: AccountManager,
  rows: 'account_managers',
  filters: accountManagerFilters,
  sorts: staffSorts,
  params: byPerson,
  specified: ['lek', 'account-manager-id', 'employer-id', 'organization-id', 'include'],
  narrowing: { ...byPersonIds, 'account-manager-id': commaList(personIdSchema).optional() },
  arranging: { ...staffQuery, include: commaList(z.enum(accountManagerParts)).optional() },
  getExtension: false,
  history: { needs: any('read:admins', 'write:account-managers') },
})

export const getAccountManagerPermissions = endpoint({
  method: 'GET',
  path: '/account-managers/{id}/permissions',
  summary: 'The groups and permissions of an account manager, which hold for all that they are connected to',
  tag,
  params: byPerson,
  answer: Held,
  needs: ownOr(needs),
})

/** The access list of an account manager: the ids replace the existing ones (docs/rules/access.md). */
export const accessList = { organization_ids: z.array(idSchema).max(1_000), employer_ids: z.array(idSchema).max(1_000) }
