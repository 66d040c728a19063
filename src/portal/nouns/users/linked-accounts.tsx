import { countUserLinkedAccounts, listUserLinkedAccounts } from '#contract/linked-accounts.ts'
import type { User } from '#contract/users.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { user } from '#entities/user.ts'
import { linkedAccountsFrom, noneLinked } from '#portal/nouns/linked-accounts.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The tab Linked Accounts of a user, linked to an employee or not. */
export const UserLinkedAccounts = tabList<User>({
  of: user,
  tab: 'linked-accounts',
  rows: linkedAccount,
  list: () => linkedAccountsFrom({ list: listUserLinkedAccounts, count: countUserLinkedAccounts, none: noneLinked }),
})
