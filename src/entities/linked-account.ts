import { getLinkedAccount, LinkedAccount, linkedAccountFilters, listLinkedAccounts } from '#contract/linked-accounts.ts'
import { linkedAccountLabels, linkedAccountStatuses } from '#domain/linked-account.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** A bank account or card that a user linked; only found among the linked accounts of the employee. */
export const linkedAccount = defineEntity<LinkedAccount>({
  name: 'linked-account',
  one: 'linked account',
  many: 'linked accounts',
  icon: 'link',
  ids: numbers({ prefix: 'LINK' }),
  path: '/linked-accounts',
  schema: LinkedAccount,
  get: getLinkedAccount,
  list: listLinkedAccounts,
  query: {},
  rows: (answer: { linked_accounts: LinkedAccount[] }) => answer.linked_accounts,
  filters: linkedAccountFilters,
  pane: false,
  foundIn: 'the tab Linked Accounts of an employee',
  id: (one) => String(one.id),
  title: (one) => isolated(`${one.bank_name ?? one.brand} ending in ${one.last_four}`),
  subtitle: (one) => `${linkedAccountLabels[one.kind]} by ${one.provider}`,
  status: { of: (one) => one.status, states: linkedAccountStatuses },
  version: (one) => one.version,
  keywords: () => [],
  confirmWith: (one) => one.last_four,
})
