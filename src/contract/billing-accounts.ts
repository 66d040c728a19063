import { z } from 'zod'
import { billingAccountScopes, billingAccountStatuses, billingScopeLabels } from '#domain/billing-account.ts'
import { all } from '#domain/permissions.ts'
import { endpoint } from '#contract/define.ts'
import { byId, idSchema, nothing } from '#contract/fields.ts'
import { choiceFilter, filterParams } from '#contract/filter.ts'
import { Count, commaList, lek, listQuery } from '#contract/list.ts'

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
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int(),
})
export type BillingAccount = z.infer<typeof BillingAccount>

export const billingAccountFilters = [
  choiceFilter({ id: 'status', title: 'Status', values: billingAccountStatuses.values, labels: billingAccountStatuses.labels }),
  choiceFilter({ id: 'scope', title: 'Scope', values: billingAccountScopes, labels: billingScopeLabels }),
] as const

export const billingAccountSorts = ['status', 'id', 'name', 'nickname', 'updated_at'] as const

const filtered = {
  q: listQuery.q,
  'organization-id': commaList(idSchema).optional(),
  ...filterParams(billingAccountFilters),
}

export const listBillingAccounts = endpoint({
  method: 'GET',
  path: '/billing-accounts',
  summary: 'Bank accounts that organizations are debited from, those in use first',
  tag: 'Organizations',
  params: nothing,
  query: z.object({ ...listQuery, ...filtered, sort: z.enum(billingAccountSorts).default('status') }),
  answer: z.object({ billing_accounts: z.array(BillingAccount), lek }),
  needs,
  extension: true,
})

export const countBillingAccounts = endpoint({
  method: 'GET',
  path: '/billing-accounts/count',
  summary: 'How many billing accounts a filter has',
  tag: 'Organizations',
  params: nothing,
  query: z.object(filtered),
  answer: Count,
  needs,
  extension: true,
})

export const getBillingAccount = endpoint({
  method: 'GET',
  path: '/billing-accounts/{id}',
  summary: 'One billing account',
  tag: 'Organizations',
  params: byId,
  query: nothing,
  answer: BillingAccount,
  needs,
  extension: true,
})
