import type { Organization } from '#contract/organizations.ts'
import { integration } from '#entities/integration.ts'
import { organization } from '#entities/organization.ts'
import { integrationsOf } from '#portal/nouns/integrations.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The tab Integrations of an organization (SCR-026), including those of its employers. */
export const OrganizationIntegrations = tabList<Organization>({
  of: organization,
  tab: 'integrations',
  rows: integration,
  list: (one) => integrationsOf({ 'organization-id': organization.id(one) }, 'No integration, or none that you have access to.'),
})
