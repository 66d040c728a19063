import type { Employee } from '#contract/employees.ts'
import { countLinkedAccounts, listLinkedAccounts } from '#contract/linked-accounts.ts'
import { employee } from '#entities/employee.ts'
import { linkedAccount } from '#entities/linked-account.ts'
import { linkedAccountsFrom, noneLinked } from '#portal/nouns/linked-accounts.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The tab Linked Accounts of an employee (SCR-043): bank accounts and cards of the user, empty without one. */
export const LinkedAccounts = tabList<Employee>({
  of: employee,
  tab: 'linked-accounts',
  rows: linkedAccount,
  list: (one) =>
    linkedAccountsFrom({
      list: listLinkedAccounts,
      count: countLinkedAccounts,
      none: one.user_id === null ? 'This employee is not linked to a user.' : noneLinked,
    }),
})
