import { type AccountManager, getAccountManagerPermissions } from '#contract/account-managers.ts'
import { accountManager } from '#entities/account-manager.ts'
import { HeldTab } from '#portal/nouns/held.tsx'

/** The tab Permissions of an account manager (SCR-011): they apply to all connected companies. */
export const AccountManagerPermissions = ({ one }: { one: AccountManager }) => (
  <HeldTab id={accountManager.id(one)} version={one.version} endpoint={getAccountManagerPermissions} />
)
