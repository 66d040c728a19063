import {
  type BillingAccount,
  billingAccountFilters,
  billingAccountSorts,
  countBillingAccounts,
  listBillingAccounts,
} from '#contract/billing-accounts.ts'
import type { Organization } from '#contract/organizations.ts'
import { billingAccountStatuses, billingScopeLabels } from '#domain/billing-account.ts'
import { billingAccount } from '#entities/billing-account.ts'
import { organization } from '#entities/organization.ts'
import { orDash } from '#portal/format/cell-text.ts'
import type { Column } from '#portal/list/pane.ts'
import { plain, sortsOf, states, times } from '#portal/nouns/columns.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

const scopeText = ({ scope, employers }: BillingAccount): string =>
  scope === 'EMPLOYERS' ? employers.map(({ name }) => name).join(', ') : billingScopeLabels[scope]

const columns: readonly Column<BillingAccount>[] = [
  {
    id: 'account',
    title: 'Nickname, account name',
    width: [150, 1.3],
    long: true,
    sort: 'nickname',
    keep: 3,
    text: (one) => `${one.nickname}, ${one.name}`,
    draw: (one) => (
      <>
        <strong>{one.nickname}</strong>
        <small>{one.name}</small>
      </>
    ),
  },
  states('status', 'Status', 88, billingAccountStatuses, (one) => one.status, { sort: 'status', keep: 2 }),
  plain('bank', 'Bank', 110, (one) => orDash(one.bank_name), { long: true }),
  plain('number', 'Account number', 104, (one) => `••••${one.account_number_last_four}`, { keep: 3 }),
  plain('routing', 'Routing number', 104, (one) => one.routing_number, { keep: 2 }),
  plain('ach', 'ACH code', 84, (one) => orDash(one.ach_code)),
  plain('scope', 'Debited for', 140, scopeText, { long: true, keep: 1, width: [140, 1.2] }),
  times('updated', 'Changed', (one) => one.updated_at, { sort: 'updated_at' }),
]

/** The tab Billing Accounts of an organization (SCR-027). */
export const OrganizationBillingAccounts = tabList<Organization>({
  of: organization,
  tab: 'billing-accounts',
  rows: billingAccount,
  list: (one) => ({
    title: 'Billing accounts of the organization',
    many: 'billing accounts',
    columns,
    shown: ['account', 'status', 'bank', 'number', 'routing', 'ach', 'scope'],
    filters: billingAccountFilters,
    sorts: sortsOf(billingAccountSorts, columns, { name: 'Account name', nickname: 'Nickname' }),
    searched: true,
    none: 'No billing account, or none that you have access to.',
    source: {
      endpoint: listBillingAccounts,
      query: () => ({ 'organization-id': organization.id(one) }),
      rows: (answer: { billing_accounts: BillingAccount[] }) => answer.billing_accounts,
      count: countBillingAccounts,
    },
  }),
})
