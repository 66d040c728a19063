import type { Employer } from '#contract/employers.ts'
import { employer } from '#entities/employer.ts'
import { integration } from '#entities/integration.ts'
import { integrationsOf } from '#portal/nouns/integrations.tsx'
import { tabList } from '#portal/record/tab-list.tsx'

/** The tab Integrations of an employer (SCR-031): its own. */
export const EmployerIntegrations = tabList<Employer>({
  of: employer,
  tab: 'integrations',
  rows: integration,
  list: (one) =>
    integrationsOf({ 'employer-id': employer.id(one) }, 'No integration of its own: those of the organization hold for it.'),
})
