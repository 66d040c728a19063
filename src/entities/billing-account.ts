import {
  BillingAccount,
  billingAccountFilters,
  countBillingAccounts,
  getBillingAccount,
  listBillingAccounts,
} from '#contract/billing-accounts.ts'
import { billingAccountStatuses, billingScopeLabels } from '#domain/billing-account.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A bank account that an organization is debited from; only found in the tab of its organization. */
export const billingAccount = defineEntity<BillingAccount>({
  name: 'billing-account',
  one: 'billing account',
  many: 'billing accounts',
  icon: 'link',
  ids: numbers({ prefix: 'ACCOUNT' }),
  path: '/billing-accounts',
  schema: BillingAccount,
  get: getBillingAccount,
  list: listBillingAccounts,
  count: countBillingAccounts,
  query: {},
  rows: (answer: { billing_accounts: BillingAccount[] }) => answer.billing_accounts,
  filters: billingAccountFilters,
  pane: false,
  foundIn: 'the tab Billing Accounts of an organization',
  id: (one) => String(one.id),
  title: (one) => isolated(`${one.nickname} ending in ${one.account_number_last_four}`),
  subtitle: (one) => [one.bank_name, billingScopeLabels[one.scope]].filter(Boolean).join(' · '),
  status: { of: (one) => one.status, states: billingAccountStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.name],
  confirmWith: (one) => one.account_number_last_four,
})
