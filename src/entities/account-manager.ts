import {
  AccountManager,
  accountManagerFilters,
  accountManagerParts,
  countAccountManagers,
  getAccountManager,
  listAccountManagerEvents,
  listAccountManagers,
} from '#contract/account-managers.ts'
import { staffStatuses } from '#domain/staff.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { uuids } from '#kernel/ids.ts'

/** A staff member who manages organizations and employers. */
export const accountManager = defineEntity<AccountManager>({
  name: 'account-manager',
  one: 'account manager',
  many: 'account managers',
  aliases: ['account mgr', 'account mgrs', 'acct mgr', 'acct mgrs', 'acct manager', 'acct managers'],
  icon: 'user',
  ids: uuids,
  path: '/account-managers',
  schema: AccountManager,
  get: getAccountManager,
  list: listAccountManagers,
  count: countAccountManagers,
  events: listAccountManagerEvents,
  query: { include: accountManagerParts.join(',') },
  rows: (answer: { account_managers: AccountManager[] }) => answer.account_managers,
  filters: accountManagerFilters,
  pane: true,
  tabs: { connections: 'Connections', permissions: 'Permissions', history: 'History' },
  id: (one) => one.id,
  title: (one) => isolated(one.name),
  subtitle: (one) => one.email,
  status: { of: (one) => one.status, states: staffStatuses },
  version: (one) => one.version,
  keywords: (one) => [one.email],
  confirmWith: (one) => one.name,
})
