import { z } from 'zod'
import { billingAccountScopes, billingAccountStatuses, billingScopeLabels } from '#domain/billing-account.ts'
import { all } from '#domain/permissions.ts'
import { idSchema, stamps } from '#contract/fields.ts'
import { choiceFilter } from '#contract/filter.ts'
import { commaList } from '#contract/list.ts'
import { resource } from '#contract/resource.ts'

const needs = all('read:billing')

/** A bank account that an organization is debited from (ENT-120 to ENT-124): at most the last four digits of its number. */
export const BillingAccount = z.object({
  id: z.int(),
  organization_id: z.int(),
  /** The account holder, as known to the bank. */
  name: z.string(),
  nickname: z.string(),
  bank_name: z.string().nullable(),
  account_number_last_four: z.string(),
  routing_number: z.string(),
  ach_code: z.string().nullable(),
  scope: z.enum(billingAccountScopes),
  /** For the scope EMPLOYERS: those that it is debited for. */
  employers: z.array(z.object({ id: z.int(), name: z.string() })),
  status: z.enum(billingAccountStatuses.values),
  /** Number of debits in flight. */
  in_flight_count: z.int(),
  ...stamps,
})
export type BillingAccount = z.infer<typeof BillingAccount>

export const billingAccountFilters = [
  choiceFilter({ id: 'status', title: 'Status', of: billingAccountStatuses }),
  choiceFilter({ id: 'scope', title: 'Scope', values: billingAccountScopes, labels: billingScopeLabels }),
] as const

export const billingAccountSorts = ['status', 'id', 'name', 'nickname', 'updated_at'] as const

export const {
  list: listBillingAccounts,
  count: countBillingAccounts,
  get: getBillingAccount,
} = resource(
  { path: '/billing-accounts', needs, extension: true },
  {
    one: 'billing account',
    many: 'billing accounts',
    tag: 'Organizations',
    row: BillingAccount,
    rows: 'billing_accounts',
    filters: billingAccountFilters,
    sorts: billingAccountSorts,
    sort: 'status',
    narrowing: { 'organization-id': commaList(idSchema).optional() },
  },
)
