import { countIntegrations, getIntegration, Integration, integrationFilters, searchIntegrations } from '#contract/integrations.ts'
import { importTypeLabels, integrationTypeLabels, vendorLabels } from '#domain/integration.ts'
import { isolated } from '#domain/text.ts'
import { defineEntity } from '#kernel/entity.ts'
import { numbers } from '#kernel/ids.ts'

/** How data of one kind arrive; only found in the tab of its organization or employer. */
export const integration = defineEntity<Integration>({
  name: 'integration',
  one: 'integration',
  many: 'integrations',
  icon: 'link',
  ids: numbers({ prefix: 'INT' }),
  path: '/integrations',
  schema: Integration,
  get: getIntegration,
  list: searchIntegrations,
  count: countIntegrations,
  query: {},
  rows: (answer: { integrations: Integration[] }) => answer.integrations,
  filters: integrationFilters,
  pane: false,
  foundIn: 'the tab Integrations of an employer or organization',
  id: (one) => String(one.id),
  title: (one) => `${importTypeLabels[one.import_type]} by ${integrationTypeLabels[one.type]}`,
  subtitle: (one) =>
    [isolated(one.employer_name ?? one.organization_name), one.vendor && vendorLabels[one.vendor]].filter(Boolean).join(' · '),
  version: (one) => one.version,
  keywords: () => [],
  confirmWith: (one) => importTypeLabels[one.import_type],
})
