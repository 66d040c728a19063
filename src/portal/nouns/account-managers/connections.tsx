import { type AccountManager, getAccountManager } from '#contract/account-managers.ts'
import { accountManager } from '#entities/account-manager.ts'
import { employer } from '#entities/employer.ts'
import { organization } from '#entities/organization.ts'
import { Named } from '#portal/nouns/named.tsx'
import { Beside } from '#portal/record/beside.tsx'

/** The tab Connections of an account manager (SCR-010): whole organizations, and single employers. */
export const AccountManagerConnections = ({ one }: { one: AccountManager }) => (
  <Beside
    endpoint={getAccountManager}
    id={accountManager.id(one)}
    version={one.version}
    failed="The connections of this account manager could not be loaded."
  >
    {({ organizations = [], employers = [] }) => (
      <>
        <Named title="Organizations" none="No organization as a whole." entity={organization} records={organizations} />
        <Named title="Employers" none="No single employer." entity={employer} records={employers} />
      </>
    )}
  </Beside>
)
