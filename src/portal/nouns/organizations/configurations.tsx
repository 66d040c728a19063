import type { Organization } from '#contract/organizations.ts'
import { organization } from '#entities/organization.ts'
import { OrganizationConfigurationTab } from '#portal/nouns/employers/configurations.tsx'

/** The tab Configurations of an organization (SCR-022): what its employers have by default. */
export const OrganizationConfigurations = ({ one }: { one: Organization }) => (
  <OrganizationConfigurationTab id={organization.id(one)} version={one.version} />
)
